import { HttpSenderGuarded } from "@trunkline/http-client/guarded"
import { describeCause, engineFault, EngineFaults, reasonOfThrown, withReason } from "@trunkline/kernel"
import { HttpSender, SendFailed } from "@trunkline/webhooks"
import { Cause, Data, Effect, Layer } from "effect"
import type { CallEnded } from "../generated/Resources.js"
import type { TrunklineOptions } from "../options/TrunklineOptions.js"

/** URL in the outbox that stands for `onCallEnded`. No request can go there: RFC 2606 reserves the domain. */
export const callEndedUrl = "https://on-call-ended.invalid/"

const decoder = new TextDecoder()

/** `onCallEnded` threw or rejected. */
class HandlerFailed extends Data.TaggedError("HandlerFailed")<{ readonly cause: unknown }> {}

const tookTooLong = new SendFailed({ reason: "onCallEnded took too long" })

/** Logs with the stack that `onCallEnded` failed, and tells `onError`. */
const reportFailure = (
  report: EngineFaults.Service["report"],
  { attempt_id }: CallEnded,
  failure: HandlerFailed | SendFailed
) => {
  const isLate = failure._tag === "SendFailed"
  const error = isLate ? failure : failure.cause
  const message = isLate
    ? "onCallEnded took longer than 15 seconds; it is called again"
    : withReason("onCallEnded failed and is called again", reasonOfThrown(error))
  const stack = isLate ? [] : [describeCause(Cause.die(error))]
  return Effect.logWarning(message, ...stack).pipe(
    Effect.annotateLogs({ attempt_id }),
    Effect.zipRight(report(engineFault({ kind: "handler", name: "onCallEnded", message, attempt_id, cause: error })))
  )
}

/** A sender that calls `onCallEnded` for its webhooks, and sends all others over the network. */
export const callEndedSender = (
  onCallEnded: NonNullable<TrunklineOptions["onCallEnded"]>,
  addresses: Parameters<typeof HttpSenderGuarded.layer>[0]
): Layer.Layer<HttpSender> =>
  Layer.effect(
    HttpSender,
    Effect.map(Effect.all([HttpSender, EngineFaults]), ([{ post }, { report }]) => ({
      post: (request) =>
        request.url === callEndedUrl
          ? Effect.suspend(() => {
            const call: CallEnded = JSON.parse(decoder.decode(request.body))
            return Effect.tryPromise({
              try: async () => onCallEnded(call),
              catch: (cause) => new HandlerFailed({ cause })
            }).pipe(
              Effect.as({ status: 204, headers: {} }),
              Effect.timeoutFail({ duration: request.timeout, onTimeout: () => tookTooLong }),
              Effect.tapError((error) => reportFailure(report, call, error)),
              Effect.catchTag("HandlerFailed", () => new SendFailed({ reason: "onCallEnded rejected" }))
            )
          })
          : post(request)
    }))
  ).pipe(Layer.provide(HttpSenderGuarded.layer(addresses)))
