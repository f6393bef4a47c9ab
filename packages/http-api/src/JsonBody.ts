import { HttpRouter, type HttpServerRequest } from "@effect/platform"
import { MalformedBody } from "@trunkline/errors"
import { concatBytes } from "@trunkline/kernel"
import { Effect, Option, Scope } from "effect"
import { collect, CutShort, makeByteReader } from "./ByteReader.js"
import { measureJson } from "./JsonExtent.js"
import { refuse } from "./Refused.js"
import { type BodySize, LargestBody } from "./RouteAnnotations.js"
import { factsOf } from "./RouteTable.js"

/** Deeper than any body of this API, and far from where walking through one would exhaust the stack. */
const maxDepth = 64

const malformed = (message: string) => new MalformedBody({ message })

const unreadable = () => malformed("The body could not be read to its end")

/** The text of a body whose size was declared, and checked on admission. */
const declared = (request: HttpServerRequest.HttpServerRequest) => Effect.mapError(request.text, unreadable)

/** The text of a body that comes in chunks: too large is known when it is. */
const chunked = ({ stream }: HttpServerRequest.HttpServerRequest, limitBytes: number) =>
  Effect.gen(function*() {
    const reader = yield* makeByteReader(stream, { limitBytes })
    const pieces = yield* collect(reader.rest, limitBytes).pipe(
      Effect.tapError(() => reader.drain),
      Effect.mapError((error) => error instanceof CutShort ? unreadable() : error)
    )
    return new TextDecoder().decode(concatBytes(pieces))
  })

/** What the JSON in a text says, unless reading it would take too long. */
const parse = (text: string, largest: BodySize): Effect.Effect<unknown, MalformedBody> => {
  const { depth, values } = measureJson(text, { depth: maxDepth, values: largest.values })
  if (depth > maxDepth) return malformed("The body nests too deeply")
  if (values > largest.values) return malformed(`The body holds more than ${largest.values} values`)
  return Effect.try({ try: (): unknown => JSON.parse(text), catch: () => malformed("The body is not valid JSON") })
}

/** What the route that the request was matched with says of its body. */
const bodyFacts = Effect.serviceOption(HttpRouter.RouteContext).pipe(
  Effect.map(Option.flatMap(({ route }) => factsOf(route))),
  Effect.flatMap(Option.match({
    onNone: () => Effect.map(LargestBody, (largest) => ({ largest, optionalBody: false })),
    onSome: Effect.succeed
  }))
)

/**
 * The same request, whose JSON body is read within the limits of its route and refused as the API refuses it. Its bytes
 * are let go with the scope, after the answer.
 */
export const withJsonBody = (
  request: HttpServerRequest.HttpServerRequest,
  scope: Scope.Scope
): HttpServerRequest.HttpServerRequest => {
  const isDeclared = request.headers["content-length"] !== undefined
  const value = Effect.flatMap(bodyFacts, ({ largest, optionalBody }) =>
    Effect.flatMap(
      isDeclared ? declared(request) : Scope.extend(chunked(request, largest.bytes), scope),
      (text) => optionalBody && text === "" ? Effect.succeed({}) : parse(text, largest)
    )).pipe(Effect.catchAll(refuse))
  return Object.create(request, { json: { value } })
}
