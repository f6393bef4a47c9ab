import type { HttpServerRequest } from "@effect/platform"
import { Invalid, MalformedBody } from "@trunkline/errors"
import { concatBytes } from "@trunkline/kernel"
import { Effect, Scope } from "effect"
import type { BodySize } from "../api/RouteDeclaration.js"
import type { RouteInfo } from "../api/RouteTable.js"
import { collectBytes, makeByteReader, UnexpectedEnd } from "./ByteReader.js"
import { noNul, rejectRequest } from "./RequestValidation.js"
import { slownessOf } from "./SlowBody.js"

/** Size of a JSON text, measured without parsing it. */
export interface JsonSize {
  /** Nesting depth of objects and arrays. */
  readonly depth: number
  /** Number of values, slightly overestimated: an empty object or array counts as two. */
  readonly values: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/** True for an opening (`[`, `{`) or closing (`]`, `}`) bracket: the characters of each pair differ by one bit. */
const isOpening = (code: number) => (code | 0x20) === 0x7b
const isClosing = (code: number) => (code | 0x20) === 0x7d

/** Index of the closing quote of the string that begins before `start`; the end of the text if there is none. */
const endOfString = (text: string, start: number): number => {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    if (code === backslash) index += 1
  }
  return text.length
}

/** Measures a JSON text in one pass, which takes some milliseconds for 10 MB, and stops once it exceeds the limit. */
export const measureJson = (text: string, limit: JsonSize): JsonSize => {
  let depth = 0
  let deepest = 0
  let values = 1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      index = endOfString(text, index + 1)
    } else if (code === comma) {
      values += 1
    } else if (isOpening(code)) {
      values += 1
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (isClosing(code)) {
      depth -= 1
    }
    if (deepest > limit.depth || values > limit.values) break
  }
  return { depth: deepest, values }
}

/** Deeper than any valid body of the API, and shallow enough to be traversed without exhausting the stack. */
const maxDepth = 64

const bodyFault = (message: string) => new MalformedBody({ message })

const incomplete = (error: unknown) => bodyFault(slownessOf(error) ?? "The body could not be read to its end")

/** Reads a body whose size was declared, and checked on admission. */
const readDeclared = (request: HttpServerRequest.HttpServerRequest) => Effect.mapError(request.text, incomplete)

/** Reads a chunked body, whose size is known only once it was read. */
const readChunked = ({ stream }: HttpServerRequest.HttpServerRequest, limitBytes: number) =>
  Effect.gen(function*() {
    const reader = yield* makeByteReader(stream, { limitBytes })
    const chunks = yield* collectBytes(reader.remaining, limitBytes).pipe(
      Effect.tapError(() => reader.drain),
      Effect.mapError((error) => error instanceof UnexpectedEnd ? incomplete(error) : error)
    )
    return new TextDecoder().decode(concatBytes(chunks))
  })

/** NUL, as JSON writes it. A backslash before it may be one that stands for itself. */
const escapedNul = "\\u0000"

/** The path to the first text that holds a NUL; null if there is none. */
const pathToNul = (value: unknown): ReadonlyArray<string | number> | null => {
  if (typeof value === "string") return value.includes("\0") ? [] : null
  if (typeof value !== "object" || value === null) return null
  for (const [key, part] of Object.entries(value)) {
    const path = key.includes("\0") ? [] : pathToNul(part)
    if (path !== null) return [Array.isArray(value) ? Number(key) : key.replaceAll("\0", ""), ...path]
  }
  return null
}

/** Fails with `Invalid` when a text holds a NUL, which not every database can store. `text` is the value in JSON. */
export const withoutNul = (value: unknown, text: string): Effect.Effect<unknown, Invalid> => {
  const path = text.includes(escapedNul) ? pathToNul(value) : null
  return path === null
    ? Effect.succeed(value)
    : Invalid.at(["body", ...path], "value_error", noNul)
}

/** Parses a JSON text, after checking that this does not take too long. */
const parseJson = (text: string, limit: BodySize): Effect.Effect<unknown, Invalid | MalformedBody> => {
  const { depth, values } = measureJson(text, { depth: maxDepth, values: limit.values })
  if (depth > maxDepth) return bodyFault("The body nests too deeply")
  if (values > limit.values) return bodyFault(`The body holds more than ${limit.values} values`)
  try {
    return withoutNul(JSON.parse(text), text)
  } catch {
    return bodyFault("The body is not valid JSON")
  }
}

/**
 * Replaces the `json` effect of a request: it enforces the limits of the matched route, and rejects malformed bodies with
 * the failures of the API. The body is released when the scope closes, after the response.
 */
export const withJsonBody = (
  request: HttpServerRequest.HttpServerRequest,
  { bodyIsOptional, bodyLimit }: Pick<RouteInfo, "bodyIsOptional" | "bodyLimit">,
  scope: Scope.Scope
): HttpServerRequest.HttpServerRequest => {
  const isDeclared = request.headers["content-length"] !== undefined
  const value = Effect.flatMap(
    Effect.suspend(() =>
      isDeclared ? readDeclared(request) : Scope.extend(readChunked(request, bodyLimit.bytes), scope)
    ),
    (text) => bodyIsOptional && text === "" ? Effect.succeed({}) : parseJson(text, bodyLimit)
  ).pipe(Effect.catchAll(rejectRequest))
  return Object.create(request, { json: { value } })
}
