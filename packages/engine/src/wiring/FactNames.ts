import { AgentCatalog } from "@trunkline/agents"
import { CampaignStore } from "@trunkline/campaigns"
import { CohortStore } from "@trunkline/cohorts"
import type { Scope } from "@trunkline/kernel"
import { type Fact, Names } from "@trunkline/warehouse"
import { Cache, Data, Duration, Effect, Layer, Option } from "effect"

/** How long a name is taken for granted: a renaming shows on the facts of calls after that. */
const remembered = Duration.seconds(10)

interface Asked extends Pick<Fact, "app_id" | "campaign_id" | "cohort_id" | "deployment_id"> {
  readonly scope: Scope
}

/** What people call the things that facts point to: agents by the catalog, campaigns and cohorts by their stores. */
export const factNames = Layer.effect(
  Names,
  Effect.gen(function*() {
    const agents = yield* AgentCatalog
    const campaigns = yield* CampaignStore
    const cohorts = yield* CohortStore

    const cohortName = ({ campaign_id, cohort_id, deployment_id, scope }: Asked) => {
      if (cohort_id === null) return Effect.succeedNone
      const owner = campaign_id !== null
        ? { kind: "campaign" as const, id: campaign_id }
        : deployment_id !== null
        ? { kind: "deployment" as const, id: deployment_id }
        : null
      return owner === null
        ? Effect.succeedNone
        : Effect.map(cohorts.find(scope, owner, cohort_id), Option.map(({ name }) => name))
    }

    const lookUp = (asked: Asked) =>
      Effect.all({
        app_name: Effect.map(agents.find(asked.scope, asked.app_id), Option.map(({ name }) => name ?? asked.app_id)),
        campaign_name: asked.campaign_id === null
          ? Effect.succeedNone
          : Effect.map(campaigns.find(asked.scope, asked.campaign_id), Option.map(({ name }) => name)),
        cohort_name: cohortName(asked)
      }).pipe(Effect.map((names) => ({
        app_name: Option.getOrNull(names.app_name),
        campaign_name: Option.getOrNull(names.campaign_name),
        cohort_name: Option.getOrNull(names.cohort_name)
      })))

    const cache = yield* Cache.make({ capacity: 1_000, timeToLive: remembered, lookup: lookUp })
    return {
      of: (scope: Scope, { app_id, campaign_id, cohort_id, deployment_id }: Omit<Asked, "scope">) =>
        cache.get(Data.struct({ scope, app_id, campaign_id, cohort_id, deployment_id }))
    }
  })
)
