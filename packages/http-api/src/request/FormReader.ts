import type { HttpServerRequest } from "@effect/platform"
import { type BodyTooLarge, Invalid } from "@trunkline/errors"
import { concatBytes } from "@trunkline/kernel"
import { Effect, Option, type Scope, Stream } from "effect"
import { collectBytes, makeByteReader, UnexpectedEnd } from "./ByteReader.js"
import { noNul } from "./RequestValidation.js"

/** One part of a form. Its content must be read before the next part is requested. */
export interface FormPart {
  readonly name: string
  /** Name of the file; null for a plain field. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly content: Stream.Stream<Uint8Array, Invalid | BodyTooLarge>
}

/** Reads the parts of a multipart form one after the other, as they arrive (RFC 7578). */
export interface FormReader {
  /** The next part; none after the last. Skips unread content of the previous part. */
  readonly next: Effect.Effect<Option.Option<FormPart>, Invalid | BodyTooLarge>
  /** Reads and discards the rest of the body, up to 16 MiB past the limit. */
  readonly drain: Effect.Effect<void>
}

const maxParts = 100
const maxHeaderBytes = 16_384

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const lineEnd = "\r\n"
const headersEnd = encoder.encode(lineEnd.repeat(2))

const invalidForm = (msg: string) => Invalid.at(["body"], "value_error", msg)

const toFormError = (error: BodyTooLarge | UnexpectedEnd): BodyTooLarge | Invalid =>
  error instanceof UnexpectedEnd ? invalidForm(error.reasonOr("The form ends before its last part does")) : error

const parameterPattern = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g

/** Parses the parameters of a header such as `form-data; name="file"`, keyed by lower-case name. */
const parseParameters = (header: string): ReadonlyMap<string, string> =>
  new Map(Array.from(header.matchAll(parameterPattern), ([, name = "", quotedText, bare = ""]) => [
    name.toLowerCase(),
    quotedText === undefined ? bare : quotedText.replaceAll(/\\(.)/g, "$1")
  ]))

const dispositionPattern = /^content-disposition[ \t]*:[ \t]*form-data([^\r\n]*)/im
const contentTypePattern = /^content-type[ \t]*:([^\r\n]*)/im

/** Parses the headers of a part. */
const parsePartHeaders = (headers: string) => {
  const parameters = parseParameters(dispositionPattern.exec(headers)?.[1] ?? "")
  return {
    name: parameters.get("name"),
    filename: parameters.get("filename") ?? null,
    contentType: contentTypePattern.exec(headers)?.[1]?.trim() ?? null
  }
}

/** The content of a plain field, which fails where it holds a NUL. */
const textOnly = <E>(name: string, content: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E | Invalid> =>
  Stream.tap(content, (bytes) => bytes.includes(0) ? Invalid.at(["body", name], "value_error", noNul) : Effect.void)

/**
 * Reads the form in the body of a request. Its content fails with `BodyTooLarge` beyond `limitBytes`, and with `Invalid`
 * when the form is malformed, is cut off, or has more than 100 parts.
 */
export const readForm = (
  { headers, stream }: HttpServerRequest.HttpServerRequest,
  limitBytes: number
): Effect.Effect<FormReader, Invalid, Scope.Scope> =>
  Effect.gen(function*() {
    const boundary = parseParameters(headers["content-type"] ?? "").get("boundary")
    if (boundary === undefined || boundary === "") {
      return yield* Invalid.at(["header", "content-type"], "value_error", "Must name the boundary of the form")
    }
    const delimiter = encoder.encode(`${lineEnd}--${boundary}`)
    const reader = yield* makeByteReader(stream, { limitBytes, prefix: encoder.encode(lineEnd) })
    let isInPart = true
    let parts = 0

    const content = Stream.mapError(reader.readUntil(delimiter, () => void (isInPart = false)), toFormError)

    const partHeaders = collectBytes(Stream.mapError(reader.readUntil(headersEnd), toFormError), maxHeaderBytes).pipe(
      Effect.mapBoth({
        onFailure: (error) =>
          error._tag === "BodyTooLarge" && error.limitBytes === maxHeaderBytes
            ? invalidForm("The headers of a part are too long")
            : error,
        onSuccess: (chunks) => decoder.decode(concatBytes(chunks))
      })
    )

    const next = Effect.gen(function*() {
      if (isInPart) yield* Stream.runDrain(content)
      const mark = decoder.decode(yield* Effect.mapError(reader.readExactly(lineEnd.length), toFormError))
      if (mark === "--") return Option.none()
      if (mark !== lineEnd) return yield* invalidForm("A boundary in the form is not followed by a line break")
      const { name, ...file } = parsePartHeaders(yield* partHeaders)
      isInPart = true
      parts++
      if (parts > maxParts) return yield* invalidForm(`The form has more than ${maxParts} parts`)
      if (name === undefined) return yield* invalidForm("A part of the form has no name")
      if (name.includes("\0") || file.filename?.includes("\0") === true) {
        return yield* invalidForm("The names of parts and files must not hold NUL characters")
      }
      return Option.some({ name, ...file, content: file.filename === null ? textOnly(name, content) : content })
    })

    return { next, drain: reader.drain }
  })
