import { HttpSenderGuarded } from "@trunkline/http-guarded"
import { HttpSender, SendFailed } from "@trunkline/webhooks"
import { Effect, Layer } from "effect"
import type { CallEnded } from "./generated/Resources.js"
import type { TrunklineOptions } from "./options/TrunklineOptions.js"

/** URL in the outbox that stands for `onCallEnded`. No request can go there: RFC 2606 reserves the domain. */
export const callEndedUrl = "https://on-call-ended.invalid/"

const decoder = new TextDecoder()

/** A sender that calls `onCallEnded` for its webhooks, and sends all others over the network. */
export const callEndedSender = (
  onCallEnded: NonNullable<TrunklineOptions["onCallEnded"]>,
  addresses: Parameters<typeof HttpSenderGuarded.layer>[0]
): Layer.Layer<HttpSender> =>
  Layer.effect(
    HttpSender,
    Effect.map(HttpSender, ({ post }) => ({
      post: (request) =>
        request.url === callEndedUrl
          ? Effect.tryPromise({
            try: async () => {
              const call: CallEnded = JSON.parse(decoder.decode(request.body))
              await onCallEnded(call)
              return { status: 204, headers: {} }
            },
            catch: () => new SendFailed({ reason: "onCallEnded rejected" })
          }).pipe(
            Effect.timeoutFail({
              duration: request.timeout,
              onTimeout: () => new SendFailed({ reason: "onCallEnded took too long" })
            })
          )
          : post(request)
    }))
  ).pipe(Layer.provide(HttpSenderGuarded.layer(addresses)))
