import {
  charsetOf,
  decodeText,
  type DocumentFile,
  type DocumentRefused,
  foreignKind,
  kindOf,
  passagesWithin,
  type ReadDocument,
  readTextFile,
  titleOf
} from "@trunkline/knowledge"
import { Either } from "effect"
import { createHash } from "node:crypto"
import { htmlCharset, readHtml } from "./HtmlBlocks.js"
import { readPdf } from "./ReadPdf.js"

const readHtmlFile = (file: DocumentFile, hash: string): Either.Either<ReadDocument, DocumentRefused> =>
  decodeText(file.bytes, charsetOf(file.contentType) ?? htmlCharset(file.bytes)).pipe(
    Either.flatMap(readHtml),
    Either.flatMap(({ blocks, title }) =>
      Either.map(passagesWithin(blocks), (passages) => ({
        kind: "html" as const,
        title: title ?? titleOf(blocks),
        hash,
        pages: null,
        passages
      }))
    )
  )

/** Reads a file of any kind, unless it has the hash `current`. */
export const readFile = async (
  file: DocumentFile,
  current: string | null
): Promise<Either.Either<ReadDocument, DocumentRefused>> => {
  const hash = createHash("sha256").update(file.bytes).digest("hex")
  const kind = kindOf(file)
  if (hash === current) return Either.right({ kind, title: null, hash, pages: null, passages: null })
  if (kind === "pdf") return readPdf(file.bytes, hash)
  return kind === "html" && foreignKind(file) === null ? readHtmlFile(file, hash) : readTextFile(file, hash)
}
