import { Effect, Option } from "effect"
import type { Attempt } from "../call/Attempt.js"
import type { CallOutcome } from "../call/CallOutcome.js"
import type { PlacedCall } from "../carriers/Carrier.js"
import type { CallNotes } from "../journal/CallJournal.js"
import { endWithTimeout } from "./CallLimits.js"
import type { makeDialler } from "./Dialler.js"

/** True for a conversation that can go on once its provider returns: its log has begun, or nothing was said in it. */
export const canGoOn = ({ conversation, steps }: CallNotes): boolean =>
  steps.length > 0 || (conversation?.transcript ?? []).length === 0

/**
 * Goes on with a call of a process that has stopped, once its provider has connected it to this one. None when it was not:
 * the call is then ended.
 */
export const resumeCall = (
  { awaitAnswer, converse }: Effect.Effect.Success<typeof makeDialler>,
  attempt: Attempt,
  call: PlacedCall,
  knownCall: CallNotes
): Effect.Effect<Option.Option<CallOutcome>> =>
  Effect.matchEffect(awaitAnswer(attempt, call.returned ?? call.answer), {
    onSuccess: (leg) => Effect.asSome(converse(leg, attempt, knownCall)),
    onFailure: () => Effect.as(endWithTimeout(call.cancel), Option.none())
  })
