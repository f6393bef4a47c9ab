import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Invalid } from "@trunkline/errors"
import { concatBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { collect, CutShort, makeByteReader } from "../ByteReader.js"
import { largestPush } from "../groups/CarrierEvents.js"

const cutShort = () =>
  new Invalid({ issues: [{ loc: ["body"], msg: "The body could not be read to its end", type: "value_error" }] })

/** The bytes of a push, as they came: its signature is over them. */
const bytesOf = ({ stream }: HttpServerRequest.HttpServerRequest) =>
  Effect.scoped(Effect.gen(function*() {
    const reader = yield* makeByteReader(stream, { limitBytes: largestPush.bytes })
    return concatBytes(yield* Effect.tapError(collect(reader.rest, largestPush.bytes), () => reader.drain))
  })).pipe(Effect.mapError((error) => error instanceof CutShort ? cutShort() : error))

/** Answers what providers push. */
export const carrierEvents = HttpApiBuilder.group(
  Api,
  "carrierEvents",
  (handlers) =>
    Effect.map(
      Engine,
      ({ load, providerEvents }) =>
        handlers.handle("receive", ({ path, request }) =>
          Effect.gen(function*() {
            yield* load.admit("calls")
            const body = yield* bytesOf(request)
            yield* providerEvents.receive({ connection_id: path.connection_id, headers: request.headers, body })
          }))
    )
)
