import type { HttpServerRequest } from "@effect/platform"
import { type BodyTooLarge, Invalid } from "@trunkline/errors"
import { concatBytes } from "@trunkline/kernel"
import { Effect, Option, type Scope, Stream } from "effect"
import { collect, CutShort, makeByteReader } from "./ByteReader.js"

/** One part of a form. What of its content is read must be read before the next part is asked for. */
export interface FormPart {
  readonly name: string
  /** The name of the file that it is; null for a plain field. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly content: Stream.Stream<Uint8Array, Invalid | BodyTooLarge>
}

/** The parts of a form, one after the other as they come in (RFC 7578). */
export interface FormReader {
  /** The next part; none after the last. What was not read of the part before is passed over. */
  readonly next: Effect.Effect<Option.Option<FormPart>, Invalid | BodyTooLarge>
  /** Passes over what is left of the body, within reason. */
  readonly drain: Effect.Effect<void>
}

const maxParts = 100
const maxHeaderBytes = 16_384
/** How long a client may send nothing before its form counts as broken off. */
const patience = "30 seconds"

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const lineEnd = "\r\n"
const headersEnd = encoder.encode(lineEnd.repeat(2))

const broken = (msg: string) => Invalid.at(["body"], "value_error", msg)

const inWords = (error: BodyTooLarge | CutShort): BodyTooLarge | Invalid =>
  error instanceof CutShort ? broken("The form ends before its last part does") : error

const parameterPattern = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g

/** The parameters of a header such as `form-data; name="file"`, by their names in lower case. */
const parametersOf = (header: string): ReadonlyMap<string, string> =>
  new Map(Array.from(header.matchAll(parameterPattern), ([, name = "", quoted, bare = ""]) => [
    name.toLowerCase(),
    quoted === undefined ? bare : quoted.replaceAll(/\\(.)/g, "$1")
  ]))

const dispositionPattern = /^content-disposition[ \t]*:[ \t]*form-data([^\r\n]*)/im
const contentTypePattern = /^content-type[ \t]*:([^\r\n]*)/im

/** What the headers of a part say of it. */
const described = (headers: string) => {
  const parameters = parametersOf(dispositionPattern.exec(headers)?.[1] ?? "")
  return {
    name: parameters.get("name"),
    filename: parameters.get("filename") ?? null,
    contentType: contentTypePattern.exec(headers)?.[1]?.trim() ?? null
  }
}

/** Reads the form that a request holds, of at most `limitBytes`. */
export const readForm = (
  { headers, stream }: HttpServerRequest.HttpServerRequest,
  limitBytes: number
): Effect.Effect<FormReader, Invalid, Scope.Scope> =>
  Effect.gen(function*() {
    const boundary = parametersOf(headers["content-type"] ?? "").get("boundary")
    if (boundary === undefined || boundary === "") {
      return yield* Invalid.at(["header", "content-type"], "value_error", "Must name the boundary of the form")
    }
    const delimiter = encoder.encode(`${lineEnd}--${boundary}`)
    const reader = yield* makeByteReader(Stream.timeoutFail(stream, () => new CutShort(), patience), {
      limitBytes,
      prefix: encoder.encode(lineEnd)
    })
    let inside = true
    let parts = 0

    const content = Stream.mapError(reader.until(delimiter, () => void (inside = false)), inWords)

    const headersOfPart = collect(Stream.mapError(reader.until(headersEnd), inWords), maxHeaderBytes).pipe(
      Effect.mapBoth({
        onFailure: (error) =>
          error._tag === "BodyTooLarge" && error.limitBytes === maxHeaderBytes
            ? broken("The headers of a part are too long")
            : error,
        onSuccess: (pieces) => decoder.decode(concatBytes(pieces))
      })
    )

    const next = Effect.gen(function*() {
      if (inside) yield* Stream.runDrain(content)
      const mark = decoder.decode(yield* Effect.mapError(reader.first(lineEnd.length), inWords))
      if (mark === "--") return Option.none()
      if (mark !== lineEnd) return yield* broken("A part of the form has no beginning")
      const { name, ...file } = described(yield* headersOfPart)
      inside = true
      parts++
      if (parts > maxParts) return yield* broken(`The form has more than ${maxParts} parts`)
      if (name === undefined) return yield* broken("A part of the form has no name")
      return Option.some({ name, ...file, content })
    })

    return { next, drain: reader.drain }
  })
