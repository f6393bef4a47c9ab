import { macroTask } from "@trunkline/kernel"
import { Effect } from "effect"
import type { OpenApiDocument } from "./OpenApi.js"
import { referencePieces } from "./ReferencePage.js"

/** Beginning of the servers in the text, whose only one is the root. */
const rootServer = "\"servers\":[{\"url\":\"/\""

const loadText: Effect.Effect<string> = Effect.promise(async () =>
  (await import("../generated/OpenApiText.js")).openApiText
)

/**
 * The document of `openApi` as JSON, for the path prefix of a server. Its text was written ahead, since it takes a quarter of a
 * second to make; it is loaded by the first request and takes half a megabyte of memory from then on.
 */
export const openApiText = (server: string): Effect.Effect<string> =>
  Effect.map(loadText, (text) => text.replace(rootServer, () => `"servers":[{"url":${JSON.stringify(server)}`))

/** Number of pieces of the page between two pauses; one takes less than a millisecond. */
const piecesAtOnce = 10

/** The page over the document. It is written in pieces, between which other work has its turn. */
export const referenceText: Effect.Effect<string> = Effect.gen(function*() {
  const document: OpenApiDocument = JSON.parse(yield* loadText)
  const pieces: Array<string> = []
  for (const piece of referencePieces(document)) {
    if (pieces.push(piece) % piecesAtOnce === 0) yield* macroTask
  }
  return pieces.join("")
})
