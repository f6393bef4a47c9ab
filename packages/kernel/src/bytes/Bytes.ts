import { BodyTooLarge } from "@trunkline/errors"
import { Effect, Stream } from "effect"

/** Concatenates chunks of bytes into one new array. */
export const concatBytes = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Passes a stream of bytes through while its total stays within the limit, and fails with `BodyTooLarge` beyond it. */
export const withinLimit = <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  limitBytes: number
): Stream.Stream<Uint8Array, E | BodyTooLarge> =>
  Stream.mapAccumEffect(bytes, 0, (size, chunk) =>
    size + chunk.length > limitBytes
      ? Effect.fail(new BodyTooLarge({ limitBytes }))
      : Effect.succeed([size + chunk.length, chunk] as const))

/** Chunks of this size are not merged, in bytes: beside it, the objects around a chunk are small. */
const mergedBytes = 4_096

/**
 * Adds a chunk to a list. Small chunks are merged with those before them, so that bytes that arrive one by one take
 * little more memory than together.
 */
export const appendBytes = (chunks: Array<Uint8Array>, chunk: Uint8Array): void => {
  let block = chunk
  for (let last = chunks.at(-1); last !== undefined && last.length <= block.length; last = chunks.at(-1)) {
    if (block.length >= mergedBytes) break
    block = concatBytes([last, block])
    chunks.pop()
  }
  chunks.push(block)
}

/** Reads a whole stream of bytes into memory. Limit the stream with `withinLimit` first where its size is not known. */
export const collectBytes = <E>(bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<Uint8Array, E> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    return Effect.map(
      Stream.runForEach(bytes, (chunk) => Effect.sync(() => appendBytes(chunks, chunk))),
      () => concatBytes(chunks)
    )
  })

const encoder = new TextEncoder()

/** A comment in a stream of server-sent events, which clients ignore: keeps the connection from being idle. */
export const sseComment: Uint8Array = encoder.encode(":\n\n")

/** Writes a server-sent event (WHATWG HTML, section 9.2). `data` is a single line, such as JSON. */
export const sseText = (data: string, event?: string): string =>
  event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`

/** Encodes a server-sent event, as `sseText` writes it. */
export const sseFrame = (data: string, event?: string): Uint8Array => encoder.encode(sseText(data, event))

/** Encodes texts that are sent together, at once where they are ASCII: each is then a view of the same bytes. */
export const encodeTexts = (texts: ReadonlyArray<string>): ReadonlyArray<Uint8Array> => {
  if (texts.length < 2) return texts.map((text) => encoder.encode(text))
  const joinedText = texts.join("")
  const bytes = encoder.encode(joinedText)
  if (bytes.length !== joinedText.length) return texts.map((text) => encoder.encode(text))
  let end = 0
  return texts.map((text) => bytes.subarray(end, end += text.length))
}

/**
 * Positions that need an apostrophe: the start of a cell that begins with a line end, and the start of every line that
 * begins with a formula character. Spreadsheets skip leading spaces, and Japanese ones accept full-width characters.
 */
const formulaStart = /^(?=[^\S\r\n\t]*[\r\n])|(?<=^|\r(?!\n)|\n)(?=[^\S\r\n\t]*[=+\-@\t＝＋－＠])/g

/** Matches every cell that may have such a position; most cells do not. */
const mayHaveFormula = /^[\s=+\-@＝＋－＠]|[\r\n]/

/**
 * Escapes a cell of a CSV file so that no spreadsheet evaluates it as a formula. An apostrophe is inserted before the
 * cell, and before each line in it, that begins with `=`, `+`, `-`, `@`, one of their full-width forms, a tab or a line
 * end, with or without spaces before it (OWASP, CSV Injection; OWASP/www-community issues 1088 and 1115).
 *
 * Takes time proportional to the length of the cell.
 *
 * @example
 * ```ts
 * escapeFormula("=1+1") // "'=1+1"
 * ```
 */
export const escapeFormula = (cell: string): string =>
  mayHaveFormula.test(cell) ? cell.replace(formulaStart, "'") : cell
