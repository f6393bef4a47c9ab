import { advance, type Localized, type Script } from "@trunkline/agents"
import { Duration } from "effect"
import { callbackDelay } from "./CallbackTime.js"
import { type CallPlan, type CallState, keep, type Step } from "./CallState.js"
import { close, say, wordsFor } from "./Moves.js"
import { phrases } from "./Phrases.js"

/** What the agent opens with, when the call or the version says so. */
export const openingOf = (plan: CallPlan): Localized | undefined =>
  plan.brief.app_overrides.initial_bot_message ?? plan.version.first_message

/** The next turn of an agent that follows a script; `heard` is null when the call begins. */
export const scriptTurn = (
  plan: CallPlan,
  state: CallState,
  { at, heard, script }: { readonly at: number; readonly heard: string | null; readonly script: Script }
): Step => {
  const move = advance(script, state.script, heard)
  const after = keep(plan, { ...state, script: move.state }, move.set)
  const lines = heard === null ? opened(plan, move.say) : move.say
  switch (move.next) {
    case "listen":
      return say(plan, after, at, { say: lines })
    case "goodbye":
      return close(plan, after, at, { why: "done", say: [...lines, wordsFor(plan, "goodbye")] })
    case "business_retry":
      return close(plan, { ...after, businessRetry: true }, at, {
        why: "done",
        say: [...lines, wordsFor(plan, "goodbye")]
      })
    case "reschedule":
      return close(plan, { ...after, rescheduleAt: at + Duration.toMillis(callbackDelay(heard ?? "")) }, at, {
        why: "done",
        say: [...lines, phrases.callBack]
      })
  }
}

/** A greeting of the version comes before the first step; one of the call takes the place of the agent's first words. */
const opened = (plan: CallPlan, steps: ReadonlyArray<Localized>): ReadonlyArray<Localized> => {
  const opening = openingOf(plan)
  if (opening === undefined) return steps
  return [opening, ...(plan.version.first_message === undefined ? steps.slice(1) : steps)]
}
