import type { AppId, Scope } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"

/** Which agent versions may take calls: telephony's view of the agents. */
export class AgentVersions extends Context.Tag("@trunkline/telephony/AgentVersions")<AgentVersions, {
  /** Whether the workspace has this version of the agent, and it is committed (shapes 2.1). */
  readonly isCommitted: (scope: Scope, app_id: AppId, app_version: number) => Effect.Effect<boolean>
}>() {
  /** Every version of every agent. */
  static readonly layerAny = Layer.succeed(AgentVersions, { isCommitted: () => Effect.succeed(true) })
}
