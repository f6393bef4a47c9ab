import type { AppId, Scope } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { type Agent, versionOf } from "./Agent.js"
import type { AgentVersion } from "./AgentVersion.js"

/** Which agents a workspace has. */
export class AgentCatalog extends Context.Tag("@trunkline/agents/AgentCatalog")<AgentCatalog, {
  /** The agent of this id, when the workspace has it. */
  readonly find: (scope: Scope, app_id: AppId) => Effect.Effect<Option.Option<Agent>>
  /** One version of an agent, committed or not. */
  readonly version: (
    scope: Scope,
    app_id: AppId,
    app_version: number
  ) => Effect.Effect<Option.Option<AgentVersion>>
}>() {
  /** The given agents, in every workspace. */
  static readonly layerOf = (agents: ReadonlyArray<Agent>) => {
    const byId = new Map(agents.map((agent) => [agent.app_id, agent]))
    const find = (app_id: AppId) => Option.fromNullable(byId.get(app_id))
    return Layer.succeed(AgentCatalog, {
      find: (_scope, app_id) => Effect.succeed(find(app_id)),
      version: (_scope, app_id, app_version) =>
        Effect.succeed(Option.flatMap(find(app_id), (agent) => versionOf(agent, app_version)))
    })
  }
}
