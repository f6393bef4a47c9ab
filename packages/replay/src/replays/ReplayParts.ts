import type { AgentVersion } from "@trunkline/agents"
import type { AppId, Scope } from "@trunkline/kernel"
import type { Model } from "@trunkline/models"
import type { ToolAnswer } from "./RestOfTrace.js"

/** Answers for tools that a trace does not answer; null leaves a tool without one. */
export interface ToolMock {
  (request: { readonly name: string; readonly arguments: string }): ToolAnswer | null
}

/** The agent for a replay, and what answers it after its trace. */
export interface ReplayParts {
  readonly scope: Scope
  readonly version: AgentVersion
  /** Its id; that of the trace by default. */
  readonly app_id?: AppId
  /** Model for what the trace does not answer; null stops the replay there. */
  readonly model: Model | null
  readonly toolMock?: ToolMock
}
