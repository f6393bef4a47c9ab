import { type Invalid, NotFound, RuleViolation } from "@trunkline/errors"
import {
  BusinessTime,
  type CampaignId,
  Ids,
  type PageRequest,
  type Scope,
  Transactions,
  WebhookConfigListener
} from "@trunkline/kernel"
import { Context, Effect, Either, Layer } from "effect"
import { startedCanary } from "../canary/Canary.js"
import {
  actOn,
  type AppConfig,
  Campaign,
  type CampaignAction,
  type CampaignStatus,
  type CreateCampaign,
  isEditable,
  isFinalStatus,
  type PatchCampaign
} from "./Campaign.js"
import { budgetFactsOf, budgetSentence, callsWithin } from "./CampaignBudget.js"
import { checkAgentChange, checkEnd, keepSecret } from "./CampaignRules.js"
import { CampaignSignals } from "./CampaignSignals.js"
import { CampaignSpending } from "./CampaignSpending.js"
import { CampaignStore } from "./CampaignStore.js"
import { makeCanaryEnds } from "./CanaryEnds.js"
import { makeConfigCheck } from "./ConfigCheck.js"
import { RingingCalls } from "./RingingCalls.js"

/** Limits on campaigns, set by the host application. */
export class CampaignLimits extends Context.Reference<CampaignLimits>()("@trunkline/campaigns/CampaignLimits", {
  /** `maxConcurrentCampaigns`: scheduled and active campaigns per workspace; unlimited by default. */
  defaultValue: (): { readonly maxConcurrentCampaigns: number } => ({ maxConcurrentCampaigns: Infinity })
}) {}

/** Manages outbound campaigns. `actor` is the label of the API key that makes the request. */
export class Campaigns extends Context.Tag("@trunkline/campaigns/Campaigns")<Campaigns, {
  /** Creates a campaign; it starts at its `start_timestamp`, or at once when that has passed. */
  readonly create: (
    scope: Scope,
    body: CreateCampaign,
    actor: string
  ) => Effect.Effect<Campaign, Invalid | RuleViolation>
  /** Finds a campaign of the workspace. */
  readonly get: (scope: Scope, id: CampaignId) => Effect.Effect<Campaign, NotFound>
  /** Lists the campaigns of the workspace; a `status` other than null filters. */
  readonly list: (
    scope: Scope,
    page: PageRequest,
    status: CampaignStatus | null
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Campaign>; readonly total: number }>
  /** Changes a campaign. Fails with `RuleViolation` unless it is scheduled or paused. */
  readonly patch: (
    scope: Scope,
    id: CampaignId,
    body: PatchCampaign,
    actor: string
  ) => Effect.Effect<Campaign, NotFound | Invalid | RuleViolation>
  /**
   * Pauses, resumes or cancels a campaign. Fails with `RuleViolation` when its status does not allow that. `cancelRinging`
   * stops its calls that ring; answered ones go on.
   */
  readonly act: (
    scope: Scope,
    id: CampaignId,
    action: CampaignAction,
    actor: string,
    options?: { readonly cancelRinging?: boolean }
  ) => Effect.Effect<Campaign, NotFound | RuleViolation>
}>() {
  static readonly layer = Layer.effect(
    Campaigns,
    Effect.gen(function*() {
      const store = yield* CampaignStore
      const transactions = yield* Transactions
      const signals = yield* CampaignSignals
      const ids = yield* Ids
      const limits = yield* CampaignLimits
      const webhooks = yield* WebhookConfigListener
      const ringing = yield* RingingCalls
      const spending = yield* CampaignSpending

      const find = (scope: Scope, id: CampaignId) =>
        Effect.flatMap(
          store.find(scope, id),
          Effect.mapError(() => new NotFound({ resource: "campaign", id }))
        )

      const notifyConfigured = (scope: Scope, { webhook_config }: AppConfig) =>
        webhook_config === null ? Effect.void : webhooks.onConfigured(scope, webhook_config.url)

      const checkConfig = yield* makeConfigCheck
      const canaryEnds = yield* makeCanaryEnds

      const checkCampaignLimit = (scope: Scope) =>
        Effect.gen(function*() {
          if (limits.maxConcurrentCampaigns === Infinity) return
          const open = (yield* store.open).filter(({ campaign, scope: owner }) =>
            owner.org_id === scope.org_id && owner.workspace_id === scope.workspace_id && campaign.status !== "paused"
          )
          if (open.length >= limits.maxConcurrentCampaigns) {
            return yield* RuleViolation.at(
              ["body"],
              `A workspace may have at most ${limits.maxConcurrentCampaigns} scheduled and active campaigns at once`
            )
          }
        })

      /** Fails to resume a campaign whose budget allows no call, which would be paused again at once. */
      const checkSpend = ({ app_config: { budget }, campaign_id }: Campaign) =>
        budget == null ? Effect.void : Effect.flatMap(spending.of(campaign_id), (spend) => {
          const facts = budgetFactsOf(budget, spend, 0)
          return callsWithin(facts) > 0
            ? Effect.void
            : Effect.fail(RuleViolation.at(["body", "action"], `${budgetSentence(facts)}.`))
        })

      const create = Effect.fn("Campaigns.create")(function*(scope: Scope, body: CreateCampaign, actor: string) {
        const now = yield* BusinessTime.date
        yield* checkEnd(body.start_timestamp, body.end_timestamp, now)
        yield* checkCampaignLimit(scope)
        const { canary, ...given } = body
        const control_version = body.app_config.app_version
        const campaign = new Campaign({
          ...given,
          ...(canary != null && { canary: startedCanary(canary, { control_version, at: now, actor, before: null }) }),
          campaign_id: yield* ids.campaignId,
          status: "scheduled",
          app_id: body.app_config.app_id,
          app_type: "agent",
          app_version: body.app_config.app_version,
          created_by: actor,
          created_at: now,
          updated_by: actor,
          updated_at: now
        })
        yield* store.put(scope, campaign)
        yield* notifyConfigured(scope, campaign.app_config)
        return campaign
      })

      const patch = Effect.fn("Campaigns.patch")(
        function*(scope: Scope, id: CampaignId, body: PatchCampaign, actor: string) {
          const campaign = yield* find(scope, id)
          if (!isEditable(campaign.status)) {
            return yield* RuleViolation.at(
              ["body"],
              `A campaign can only be changed while it is scheduled or paused; this one is ${campaign.status}`
            )
          }
          const { status, ...changes } = body
          if (status != null && status !== campaign.status) {
            return yield* RuleViolation.at(
              ["body", "status"],
              `Is ${campaign.status}; an action pauses, resumes or cancels a campaign`
            )
          }
          if (Object.values(changes).every((value) => value === undefined)) return campaign
          const now = yield* BusinessTime.date
          if (body.end_timestamp != null) yield* checkEnd(campaign.start_timestamp, body.end_timestamp, now)
          const app_config = body.app_config == null ? campaign.app_config : keepSecret(body.app_config, campaign)
          yield* checkAgentChange(app_config, campaign)
          const changedCampaign = new Campaign({
            ...campaign,
            name: body.name ?? campaign.name,
            description: body.description === undefined ? campaign.description : body.description,
            app_id: app_config.app_id,
            app_version: app_config.app_version,
            app_config,
            end_timestamp: body.end_timestamp ?? campaign.end_timestamp,
            allowed_schedule: body.allowed_schedule ?? campaign.allowed_schedule,
            updated_by: actor,
            updated_at: now
          })
          yield* store.put(scope, changedCampaign)
          if (body.app_config != null) yield* notifyConfigured(scope, changedCampaign.app_config)
          return changedCampaign
        }
      )

      const act = Effect.fn("Campaigns.act")(
        function*(scope: Scope, id: CampaignId, action: CampaignAction, actor: string) {
          const campaign = yield* find(scope, id)
          const now = yield* BusinessTime.date
          const isStarted = now.epochMillis >= campaign.start_timestamp.epochMillis
          const status = yield* Either.mapLeft(
            actOn(campaign.status, action, isStarted),
            (message) => RuleViolation.at(["body", "action"], message)
          )
          if (action === "resume") yield* Effect.zipRight(checkCampaignLimit(scope), checkSpend(campaign))
          const changedCampaign = new Campaign({ ...campaign, status, updated_by: actor, updated_at: now })
          const endedCanary = isFinalStatus(status)
            ? yield* canaryEnds.endWithCampaign({ scope, campaign: changedCampaign }, actor)
            : null
          const nextCampaign = endedCanary?.campaign ?? changedCampaign
          yield* store.put(scope, nextCampaign)
          return { campaign: nextCampaign, ended: endedCanary }
        }
      )

      const notify = ({ campaign_id }: Campaign) => signals.notify(campaign_id)

      /** Commits a change and notifies the runner; runs to its end even when the request is interrupted. */
      const commit = <E>(change: Effect.Effect<Campaign, E>) =>
        Effect.uninterruptible(Effect.tap(transactions.run(change), notify))

      /** The same for an action, which may end the canary, too. */
      const committedAction = (action: ReturnType<typeof act>) =>
        Effect.uninterruptible(
          Effect.flatMap(
            transactions.run(action),
            ({ campaign, ended }) =>
              Effect.as(
                Effect.zipRight(notify(campaign), ended === null ? Effect.void : canaryEnds.announce(ended)),
                campaign
              )
          )
        )

      return Campaigns.of({
        create: (scope, body, actor) =>
          Effect.zipRight(checkConfig(scope, body.app_config, body.canary), commit(create(scope, body, actor))),
        get: find,
        list: store.list,
        patch: (scope, id, body, actor) =>
          find(scope, id).pipe(
            Effect.zipRight(body.app_config == null ? Effect.void : checkConfig(scope, body.app_config)),
            Effect.zipRight(commit(patch(scope, id, body, actor)))
          ),
        act: (scope, id, action, actor, { cancelRinging = false } = {}) => {
          const work = committedAction(act(scope, id, action, actor))
          return cancelRinging && action !== "resume"
            ? Effect.uninterruptible(Effect.tap(work, () => ringing.cancel(id, action)))
            : work
        }
      })
    })
  )
}
