import { AgentCatalog, declaredVariables } from "@trunkline/agents"
import { CampaignSignals, CampaignStore, isFinalStatus } from "@trunkline/campaigns"
import { type CohortOwner, CohortOwners } from "@trunkline/cohorts"
import { NotFound, RuleViolation } from "@trunkline/errors"
import { type AppId, CampaignId, DeploymentId, type Scope } from "@trunkline/kernel"
import { DeploymentStore } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"

/** Owners of cohorts: deployments, and campaigns that are not over. */
export const cohortOwnersLayer = Layer.effect(
  CohortOwners,
  Effect.gen(function*() {
    const deployments = yield* DeploymentStore
    const campaigns = yield* CampaignStore
    const agents = yield* AgentCatalog
    const bell = yield* CampaignSignals

    const variablesOf = (scope: Scope, app_id: AppId, app_version: number) =>
      Effect.map(
        agents.version(scope, app_id, app_version),
        (version) => Option.getOrNull(Option.flatMapNullable(version, declaredVariables))
      )

    const notFound = ({ id, kind }: CohortOwner) => Effect.fail(new NotFound({ resource: kind, id }))
    const findDeployment = (scope: Scope, owner: CohortOwner) =>
      Effect.flatMap(
        deployments.find(scope, DeploymentId.make(owner.id)),
        Option.match({ onNone: () => notFound(owner), onSome: Effect.succeed })
      )
    const findCampaign = (scope: Scope, owner: CohortOwner) =>
      Effect.flatMap(
        campaigns.find(scope, CampaignId.make(owner.id)),
        Option.match({ onNone: () => notFound(owner), onSome: Effect.succeed })
      )

    return CohortOwners.of({
      require: (scope, owner) =>
        owner.kind === "deployment"
          ? Effect.asVoid(findDeployment(scope, owner))
          : Effect.asVoid(findCampaign(scope, owner)),
      admit: (scope, owner) =>
        Effect.gen(function*() {
          if (owner.kind === "deployment") {
            const { app_id, app_version } = yield* findDeployment(scope, owner)
            return { declaredVariables: yield* variablesOf(scope, app_id, app_version), requiresRows: false }
          }
          const { allowed_schedule, app_config, status } = yield* findCampaign(scope, owner)
          if (isFinalStatus(status)) {
            return yield* RuleViolation.at(
              ["path", "campaign_id"],
              `The campaign is ${status}; no contacts can be added`
            )
          }
          return {
            declaredVariables: yield* variablesOf(scope, app_config.app_id, app_config.app_version),
            requiresRows: true,
            timezone: allowed_schedule.timezone
          }
        }),
      completed: (_scope, owner) =>
        owner.kind === "campaign" ? bell.cohortCompleted(CampaignId.make(owner.id)) : Effect.void
    })
  })
)
