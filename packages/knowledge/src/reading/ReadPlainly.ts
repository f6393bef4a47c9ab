import { sha256Hex } from "@trunkline/kernel"
import { Effect, Either } from "effect"
import type { Block } from "../passages/Block.js"
import { readMarkdown } from "../passages/Markdown.js"
import { readPlainText } from "../passages/PlainText.js"
import { splitPassages } from "../passages/SplitPassages.js"
import type { Passage } from "../records/KnowledgeDocument.js"
import { knowledgeLimits } from "../records/KnowledgeLimits.js"
import { decodeText } from "./DecodeText.js"
import { type DocumentFile, DocumentRefused, type ReadDocument } from "./DocumentFile.js"
import { charsetOf, foreignKind, kindOf } from "./DocumentKinds.js"

const refuse = (message: string) => Either.left(new DocumentRefused({ message }))

/** Title of a document: its first heading of the outermost level; null without one. */
export const titleOf = (blocks: ReadonlyArray<Block>): string | null =>
  blocks.find(({ level }) => level === 1)?.text.trim().slice(0, knowledgeLimits.name) || null

/** Checks the text of a document against the bounds, and splits it. */
export const passagesWithin = (
  blocks: ReadonlyArray<Block>
): Either.Either<ReadonlyArray<Passage>, DocumentRefused> => {
  const { characters, passages: most } = knowledgeLimits
  if (blocks.reduce((sum, { text }) => sum + text.length, 0) > characters) {
    return refuse(`The document has more than ${characters} characters of text. Split it into smaller documents`)
  }
  const passages = splitPassages(blocks)
  if (passages.length > most) {
    return refuse(`The document has more than ${most} passages. Split it into smaller documents`)
  }
  return passages.length === 0 ? refuse("The document has no text") : Either.right(passages)
}

/** Reads a plain text or Markdown; refuses other kinds. */
export const readTextFile = (
  file: DocumentFile,
  hash: string
): Either.Either<ReadDocument, DocumentRefused> => {
  const kind = kindOf(file)
  const foreign = foreignKind(file)
  if (foreign !== null) {
    return refuse(`The file is ${foreign}. Upload a PDF, HTML, Markdown or a plain text in its place`)
  }
  if (kind === "pdf" || kind === "html") return refuse(`This engine reads no ${kind}: it has no reader for it`)
  return Either.flatMap(decodeText(file.bytes, charsetOf(file.contentType)), (text) => {
    const blocks = kind === "markdown" ? readMarkdown(text) : readPlainText(text)
    return Either.map(
      passagesWithin(blocks),
      (passages) => ({ kind, title: titleOf(blocks), hash, pages: null, passages })
    )
  })
}

/** Reads a plain text or Markdown in this thread, unless it has the hash `current`. */
export const readPlainly = (
  file: DocumentFile,
  current: string | null
): Effect.Effect<ReadDocument, DocumentRefused> =>
  Effect.flatMap(sha256Hex(file.bytes), (hash) =>
    hash === current
      ? Effect.succeed({ kind: kindOf(file), title: null, hash, pages: null, passages: null })
      : readTextFile(file, hash))
