import type { AgentVersion, HandOver } from "@trunkline/agents"
import type { CallBrief } from "@trunkline/telephony"

/** A hand-over, and the place of its agent in the team. */
export interface HandOverRoute {
  readonly handOver: HandOver
  readonly to: number
}

/** A version of an agent that may have the call: its brief is that of the call, with its own ids and without overrides. */
export interface TeamMember {
  readonly version: AgentVersion
  readonly brief: CallBrief
  /** Hand-overs that are possible, without those to agents that do not exist. */
  readonly routes: ReadonlyArray<HandOverRoute>
}

/** The agents of a call: the one that begins it, and all to which it may be handed over. */
export type Team = readonly [TeamMember, ...ReadonlyArray<TeamMember>]
