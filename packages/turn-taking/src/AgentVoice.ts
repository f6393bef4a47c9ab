import type { Reference, SpeechFailure } from "@trunkline/speech"
import type { CallBrief } from "@trunkline/telephony"
import { Context, Effect, type Scope } from "effect"

/** A voice to speak with. */
export interface ChosenVoice {
  /** The saved voice; null for the engine's own. */
  readonly reference: Reference | null
  /** Speaking rate, 0.5 to 2, where 1 is natural; engines that do not control the pace ignore it. */
  readonly pace: number
}

/** The engine's own voice at its natural pace. */
const ownVoice: ChosenVoice = { reference: null, pace: 1 }

/** Looks up the voice of the agent of a call. By default, all agents speak with the engine's own voice. */
export class AgentVoice extends Context.Reference<AgentVoice>()("@trunkline/turn-taking/AgentVoice", {
  defaultValue: (): AgentVoice.Service => ({ of: () => Effect.succeed(ownVoice) })
}) {}

export declare namespace AgentVoice {
  /** Service of the reference. */
  export interface Service {
    /** The voice of the agent, for the duration of the scope. */
    readonly of: (brief: CallBrief) => Effect.Effect<ChosenVoice, SpeechFailure, Scope.Scope>
  }
}
