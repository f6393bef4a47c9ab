import { BusinessTime } from "@trunkline/kernel"
import { CallFault, CallHandler, type CallReport } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import type { Provider } from "./Provider.js"

/**
 * Agent that listens until either side hangs up, and records the conversation. Conversations are chosen at random when
 * their calls are created.
 */
export const agentLayer = (provider: Provider): Layer.Layer<CallHandler> =>
  Layer.succeed(CallHandler, {
    handle: (leg, { agent_variables, attempt_id }) =>
      Effect.gen(function*() {
        const { world } = provider
        const call = provider.talking(attempt_id)
        if (call === undefined) return yield* Effect.die("there is no such call")
        const { business, done, fault, rescheduleIn, seconds, calleeHangsUp } = call.talk
        const listen = leg.listen(Duration.seconds(20)).pipe(Effect.repeat({ until: () => false }), Effect.ignore)
        const tired = leg.listen(Duration.seconds(seconds)).pipe(Effect.ignore, Effect.zipRight(leg.hangUp))
        yield* calleeHangsUp ? listen : tired
        const now = yield* BusinessTime.now
        const reschedule = rescheduleIn === null ? null : now + rescheduleIn * 60_000
        world.add({ kind: "talked", attempt: attempt_id, done, reschedule, business, fault })
        if (fault) return yield* new CallFault({ reason: "internal: the model did not answer" })
        return {
          agent_done: done && call.end === "talked",
          ended_by: calleeHangsUp ? "user" : "agent",
          language_name: "English",
          transcript: [],
          final_agent_variables: agent_variables,
          output_agent_variables: {},
          average_agent_response_seconds: null,
          average_user_response_seconds: null,
          business_retry: business,
          reschedule_at: reschedule,
          fault: null
        } satisfies CallReport
      })
  })
