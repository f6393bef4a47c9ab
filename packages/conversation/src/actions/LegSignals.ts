import { expectedPhrases } from "@trunkline/agents"
import type { Leg } from "@trunkline/telephony"
import { Effect } from "effect"
import { isSecret } from "../state/ActionState.js"
import type { CallPlan, CallState, FlowEvent } from "../state/CallState.js"
import { withoutDigits } from "./DigitKeys.js"
import { instructionsOf } from "./ModelRequests.js"
import { planOf } from "./Team.js"

/** Tells a leg what it needs to know of a conversation beside its words. */
export interface LegSignals {
  /**
   * Tells what has changed, before the next command: the agent whose voice speaks and its instructions, whether entries are secret,
   * and what a script expects to hear.
   */
  readonly before: (state: CallState) => Effect.Effect<void>
  /** True when the leg was told last that what the caller enters is secret. */
  readonly isSecret: () => boolean
  /** The event as a log may have it: without digits that are secret. */
  readonly withoutSecrets: (event: FlowEvent) => FlowEvent
}

/** Makes the signals of a conversation. */
export const makeLegSignals = (leg: Leg, plan: CallPlan): LegSignals => {
  let agent = 0
  let isHidden = false
  let step: string | null = null
  let instructions = ""
  const tellAgent = (state: CallState): Effect.Effect<void> => {
    if (state.actions.agent === agent) return Effect.void
    agent = state.actions.agent
    const { app_id, app_version } = planOf(plan, state).brief
    return leg.speakAs?.({ app_id, app_version }) ?? Effect.void
  }
  const tellSecrecy = ({ actions }: CallState): Effect.Effect<void> => {
    if (isSecret(actions) === isHidden) return Effect.void
    isHidden = !isHidden
    return leg.secrecy?.(isHidden) ?? Effect.void
  }
  const tellPhrases = (state: CallState): Effect.Effect<void> => {
    const { script } = planOf(plan, state).version
    if (leg.expect === undefined || script === undefined || state.script.step === step) return Effect.void
    step = state.script.step
    return leg.expect(expectedPhrases(script, state.script))
  }
  const tellInstructions = (state: CallState): Effect.Effect<void> => {
    if (leg.instruct === undefined) return Effect.void
    const now = instructionsOf(planOf(plan, state), state)
    if (now === instructions) return Effect.void
    instructions = now
    return leg.instruct(now)
  }
  return {
    before: (state) =>
      Effect.suspend(() =>
        tellAgent(state).pipe(
          Effect.zipRight(tellInstructions(state)),
          Effect.zipRight(tellSecrecy(state)),
          Effect.zipRight(tellPhrases(state))
        )
      ),
    isSecret: () => isHidden,
    withoutSecrets: (event) =>
      isHidden && event._tag === "Heard" ? { ...event, heard: withoutDigits(event.heard) } : event
  }
}
