import { AgentCatalog, declaredVariables } from "@trunkline/agents"
import { CampaignBell, CampaignStore, isOver } from "@trunkline/campaigns"
import { type CohortOwner, CohortOwners } from "@trunkline/cohorts"
import { NotFound, RuleViolation } from "@trunkline/errors"
import { type AppId, CampaignId, DeploymentId, type Scope } from "@trunkline/kernel"
import { DeploymentStore } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"

/** The cohorts' view of deployments and campaigns: who may have people added, and for which agent. */
export const ownersForCohorts = Layer.effect(
  CohortOwners,
  Effect.gen(function*() {
    const deployments = yield* DeploymentStore
    const campaigns = yield* CampaignStore
    const agents = yield* AgentCatalog
    const bell = yield* CampaignBell

    const variablesOf = (scope: Scope, app_id: AppId, app_version: number) =>
      Effect.map(
        agents.version(scope, app_id, app_version),
        (version) => Option.getOrNull(Option.flatMapNullable(version, declaredVariables))
      )

    const missing = ({ id, kind }: CohortOwner) => Effect.fail(new NotFound({ resource: kind, id }))
    const deployment = (scope: Scope, owner: CohortOwner) =>
      Effect.flatMap(
        deployments.find(scope, DeploymentId.make(owner.id)),
        Option.match({ onNone: () => missing(owner), onSome: Effect.succeed })
      )
    const campaign = (scope: Scope, owner: CohortOwner) =>
      Effect.flatMap(
        campaigns.find(scope, CampaignId.make(owner.id)),
        Option.match({ onNone: () => missing(owner), onSome: Effect.succeed })
      )

    return CohortOwners.of({
      require: (scope, owner) =>
        owner.kind === "deployment" ? Effect.asVoid(deployment(scope, owner)) : Effect.asVoid(campaign(scope, owner)),
      admit: (scope, owner) =>
        Effect.gen(function*() {
          if (owner.kind === "deployment") {
            const { app_id, app_version } = yield* deployment(scope, owner)
            return { declaredVariables: yield* variablesOf(scope, app_id, app_version), requiresRows: false }
          }
          const { app_config, status } = yield* campaign(scope, owner)
          if (isOver(status)) {
            return yield* RuleViolation.at(["path", "campaign_id"], `The campaign is ${status}; nobody can be added`)
          }
          return {
            declaredVariables: yield* variablesOf(scope, app_config.app_id, app_config.app_version),
            requiresRows: true
          }
        }),
      completed: (_scope, owner) =>
        owner.kind === "campaign" ? bell.cohortCompleted(CampaignId.make(owner.id)) : Effect.void
    })
  })
)
