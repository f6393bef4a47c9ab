import { logFailure } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { Attempt } from "../call/Attempt.js"
import type { CallHandler } from "../call/CallHandler.js"
import type { CallOutcome, Connected } from "../call/CallOutcome.js"
import type { CallNotes } from "../journal/CallJournal.js"
import type { CallLimits } from "./CallLimits.js"
import { briefOf } from "./Conversations.js"
import { engineStopped } from "./Dialler.js"

/** Outcome of a call during which the engine stopped: connected where it is known to have been answered. */
const cutOff = ({ agent_variables }: Attempt, { conversation, resumed_at }: CallNotes): CallOutcome => {
  if (conversation === null) return engineStopped
  const { interaction_id, started_at, transcript } = conversation
  return {
    _tag: "Connected",
    interaction_id,
    started_at,
    ended_at: transcript.reduce((latest, { at }) => Math.max(latest, at), started_at),
    report: {
      agent_done: false,
      ended_by: "agent",
      language_name: transcript.findLast(({ language_name }) => language_name !== null)?.language_name ?? null,
      transcript,
      final_agent_variables: agent_variables,
      output_agent_variables: {},
      average_agent_response_seconds: null,
      average_user_response_seconds: null,
      business_retry: false,
      reschedule_at: null,
      fault: null
    },
    ...(engineStopped.reason !== null && { cut: engineStopped.reason }),
    ...(resumed_at.length > 0 && { resumed_at })
  } satisfies Connected
}

/** Makes the brief of a call that nobody goes on with: its log is read and not written. */
const closedBrief = (attempt: Attempt, { steps }: CallNotes, limits: CallLimits) => ({
  ...briefOf(attempt, limits),
  log: {
    past: steps,
    note: () => {},
    keep: () => Effect.void,
    stay: <A, E, R>(effect: Effect.Effect<A, E, R>) => effect
  }
})

/**
 * Outcome of a call that has ended, and whose process stopped before that was stored. A conversation that had come to its end by
 * its log has its report; any other one was cut off, as is one whose log cannot be read, which is logged.
 */
export const stoppedOutcome =
  ({ conclude }: typeof CallHandler.Service, limits: CallLimits) =>
  (attempt: Attempt, knownCall: CallNotes): Effect.Effect<CallOutcome> => {
    const { conversation, resumed_at, steps } = knownCall
    if (conclude === undefined || conversation === null || steps.length === 0) {
      return Effect.succeed(cutOff(attempt, knownCall))
    }
    const { interaction_id, started_at } = conversation
    return conclude(closedBrief(attempt, knownCall, limits)).pipe(
      Effect.catchAllCause((cause) =>
        Effect.as(logFailure("The end of a call could not be read from its log", cause), Option.none())
      ),
      Effect.map((end): CallOutcome =>
        Option.isNone(end) ? cutOff(attempt, knownCall) : {
          _tag: "Connected",
          interaction_id,
          started_at,
          ...end.value,
          ...(resumed_at.length > 0 && { resumed_at })
        }
      ),
      Effect.annotateLogs({ attempt_id: attempt.attempt_id })
    )
  }
