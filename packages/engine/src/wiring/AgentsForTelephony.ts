import { AgentCatalog, isCommitted } from "@trunkline/agents"
import { AgentVersions } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"

/** Telephony's and the campaigns' view of the agents: which versions are committed. */
export const agentsForTelephony: Layer.Layer<AgentVersions, never, AgentCatalog> = Layer.effect(
  AgentVersions,
  Effect.map(AgentCatalog, (catalog) =>
    AgentVersions.of({
      isCommitted: (scope, app_id, app_version) =>
        Effect.map(catalog.find(scope, app_id), Option.exists((agent) => isCommitted(agent, app_version)))
    }))
)
