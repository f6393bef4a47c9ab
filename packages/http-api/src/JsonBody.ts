import type { HttpServerRequest } from "@effect/platform"
import { MalformedBody } from "@trunkline/errors"
import { Effect, Predicate, Scope } from "effect"
import { collect, concat, CutShort, makeByteReader } from "./ByteReader.js"
import { refuse } from "./Refused.js"

/** The most bytes that a JSON body may have. */
export const jsonLimitBytes = 1_048_576

/** Deeper than any body of this API, and far from where walking through one would exhaust the stack. */
const maxDepth = 64

const isTooDeep = (value: unknown): boolean => {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((item) => Predicate.isObject(item) ? Object.values(item) : [])
  }
  return false
}

const malformed = (message: string) => new MalformedBody({ message })

const unreadable = () => malformed("The body could not be read to its end")

/** The text of a body whose size was declared, and checked on admission. */
const declared = (request: HttpServerRequest.HttpServerRequest) => Effect.mapError(request.text, unreadable)

/** The text of a body that comes in chunks: too large is known when it is. */
const chunked = ({ stream }: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function*() {
    const reader = yield* makeByteReader(stream, { limitBytes: jsonLimitBytes })
    const pieces = yield* collect(reader.rest, jsonLimitBytes).pipe(
      Effect.tapError(() => reader.drain),
      Effect.mapError((error) => error instanceof CutShort ? unreadable() : error)
    )
    return new TextDecoder().decode(concat(pieces))
  })

/**
 * The same request, whose JSON body is read within the limit and refused as the API refuses it. Its bytes are let go
 * with the scope, after the answer.
 */
export const withJsonBody = (
  request: HttpServerRequest.HttpServerRequest,
  scope: Scope.Scope
): HttpServerRequest.HttpServerRequest => {
  const text = request.headers["content-length"] === undefined
    ? Scope.extend(chunked(request), scope)
    : declared(request)
  const value = Effect.tryMap(text, {
    try: (text): unknown => JSON.parse(text),
    catch: () => malformed("The body is not valid JSON")
  }).pipe(
    Effect.filterOrFail((body) => !isTooDeep(body), () => malformed("The body nests too deeply")),
    Effect.catchAll(refuse)
  )
  return Object.create(request, { json: { value } })
}
