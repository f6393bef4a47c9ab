import { BusinessTime } from "@trunkline/kernel"
import { CallFault, CallHandler, type CallReport } from "@trunkline/telephony"
import { Duration, Effect, Layer } from "effect"
import type { Provider } from "./Provider.js"

/**
 * An agent that listens until somebody hangs up, and remembers what was said. Its conversations are settled by chance
 * when their calls are made.
 */
export const agentLayer = (provider: Provider): Layer.Layer<CallHandler> =>
  Layer.succeed(CallHandler, {
    handle: (leg, { agent_variables, attempt_id }) =>
      Effect.gen(function*() {
        const { world } = provider
        const call = provider.talking(attempt_id)
        if (call === undefined) return yield* Effect.die("there is no such call")
        const { business, done, fault, rescheduleIn, seconds, theyHangUp } = call.talk
        const listen = leg.listen(Duration.seconds(20)).pipe(Effect.repeat({ until: () => false }), Effect.ignore)
        const tired = leg.listen(Duration.seconds(seconds)).pipe(Effect.ignore, Effect.zipRight(leg.hangUp))
        yield* theyHangUp ? listen : tired
        const now = yield* BusinessTime.now
        const reschedule = rescheduleIn === null ? null : now + rescheduleIn * 60_000
        world.add({ kind: "talked", attempt: attempt_id, done, reschedule, business, fault })
        if (fault) return yield* new CallFault({ reason: "internal: the model did not answer" })
        return {
          agent_done: done && call.end === "talked",
          ended_by: theyHangUp ? "user" : "agent",
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
