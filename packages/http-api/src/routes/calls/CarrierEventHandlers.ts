import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Engine, type ProviderPush } from "@trunkline/engine"
import { Invalid } from "@trunkline/errors"
import { concatBytes } from "@trunkline/kernel"
import type { EventReply } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { carrierEventLimit } from "../../api/CallGroups.js"
import { collectBytes, makeByteReader, UnexpectedEnd } from "../../request/ByteReader.js"
import { SocketUpgrade } from "../../response/Subscription.js"
import { routeHandlers } from "../../RouteHandlers.js"
import { onlySockets } from "./BrowserCallHandlers.js"

const incompleteBody = (error: UnexpectedEnd) =>
  Invalid.at(["body"], "value_error", error.reasonOr("The body could not be read to its end"))

/** Reads the raw bytes of an event, which its signature covers. */
const readBytes = ({ stream }: HttpServerRequest.HttpServerRequest) =>
  Effect.scoped(Effect.gen(function*() {
    const limitBytes = carrierEventLimit.bytes
    const reader = yield* makeByteReader(stream, { limitBytes })
    return concatBytes(yield* Effect.tapError(collectBytes(reader.remaining, limitBytes), () => reader.drain))
  })).pipe(Effect.mapError((error) => error instanceof UnexpectedEnd ? incompleteBody(error) : error))

const replyOf = ({ body, contentType, headers = {}, status = 200 }: EventReply) =>
  HttpServerResponse.text(body, { status, contentType, headers })

const aboutOf = ({ headers, remoteAddress, url }: HttpServerRequest.HttpServerRequest) => ({
  headers,
  url,
  remoteAddress: Option.getOrNull(remoteAddress)
})

/** Handlers of events, questions and WebSockets of telephony providers. */
export const carrierEventsHandlers = routeHandlers(
  "carrierEvents",
  (handlers) =>
    Effect.map(Engine, ({ load, providerEvents }) => {
      const respond = (push: ProviderPush) =>
        Effect.map(
          providerEvents.receive(push),
          (reply) => reply === null ? HttpServerResponse.empty({ status: 204 }) : replyOf(reply)
        )
      return handlers
        .handleRaw("carrierEvents.receive", ({ path, request }) =>
          Effect.gen(function*() {
            yield* load.admit("calls")
            const body = yield* readBytes(request)
            return yield* respond({ ...path, ...aboutOf(request), method: "POST", body })
          }))
        .handleRaw("carrierEvents.ask", ({ path, request }) =>
          Effect.zipRight(
            load.admit("calls"),
            respond({ ...path, ...aboutOf(request), method: "GET", body: new Uint8Array() })
          ))
        .handleRaw("carrierEvents.stream", ({ path, request }) =>
          Effect.gen(function*() {
            const upgrade = yield* SocketUpgrade
            if (Option.isNone(upgrade)) return yield* onlySockets
            const open = Effect.map(upgrade.value, ({ frames }) => frames)
            yield* providerEvents.stream({ ...path, ...aboutOf(request) }, open)
            return HttpServerResponse.empty()
          }))
    })
)
