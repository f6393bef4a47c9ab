import { Either } from "effect"
import { DocumentRefused } from "./DocumentFile.js"

const startsWith = (bytes: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/** Encoding by the mark at the beginning; null without one. */
const markedEncoding = (bytes: Uint8Array): string | null =>
  startsWith(bytes, 0xff, 0xfe) ? "utf-16le" : startsWith(bytes, 0xfe, 0xff) ? "utf-16be" : null

const notText =
  "The file is not a text in UTF-8. Save it as UTF-8, or declare its encoding, such as text/plain; charset=windows-1252"

const decode = (bytes: Uint8Array, encoding: string): Either.Either<string, DocumentRefused> =>
  Either.try({
    try: () => new TextDecoder(encoding, { fatal: true }).decode(bytes),
    catch: (error) =>
      new DocumentRefused({
        message: error instanceof RangeError
          ? `The encoding ${encoding.slice(0, 40)} is not known. Save the file as UTF-8`
          : notText
      })
  })

/**
 * Decodes the text of a file: by its byte order mark, by the encoding that was declared, else as UTF-8. A text that does not fit
 * is refused rather than read wrongly.
 */
export const decodeText = (bytes: Uint8Array, declaredText: string | null): Either.Either<string, DocumentRefused> =>
  Either.flatMap(
    decode(bytes, markedEncoding(bytes) ?? declaredText ?? "utf-8"),
    (text) =>
      text.includes("\0")
        ? Either.left(
          new DocumentRefused({
            message: "The file holds binary data, no text. Upload a PDF, HTML, Markdown or a plain text"
          })
        )
        : Either.right(text.replaceAll(/\r\n?/g, "\n"))
  )
