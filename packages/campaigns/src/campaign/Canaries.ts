import { NotFound, RuleViolation } from "@trunkline/errors"
import { BusinessTime, type CampaignId, findOne, type Scope, Transactions } from "@trunkline/kernel"
import { AgentVersions, failOnIssues } from "@trunkline/telephony"
import { Cause, Context, Effect, Layer, Option } from "effect"
import { type Canary, type CanaryAction, type CanarySettings, startedCanary } from "../canary/Canary.js"
import { CanaryCounts } from "../canary/CanaryCounts.js"
import { isWorse } from "../canary/Evidence.js"
import { Campaign, isFinalStatus } from "./Campaign.js"
import { checkCanaryVersion, runningCanary } from "./CampaignRules.js"
import { CampaignSignals } from "./CampaignSignals.js"
import { CampaignStore } from "./CampaignStore.js"
import { canaryIssues } from "./CanaryCheck.js"
import { type EndedCanary, makeCanaryEnds } from "./CanaryEnds.js"

/**
 * Starts, stops and promotes canaries of campaigns. A canary is `running` from its start until it is `stopped`, by a request or
 * by itself, or `promoted`; then another one may start. It is `ended` with its campaign at the latest. Each decision is made in a
 * transaction that reads the campaign again, so that only one of several processes ends a canary.
 */
export class Canaries extends Context.Tag("@trunkline/campaigns/Canaries")<Canaries, {
  /** Starts a canary in a campaign that is not over; fails with `RuleViolation` while another one runs. */
  readonly start: (
    scope: Scope,
    id: CampaignId,
    settings: CanarySettings,
    actor: string
  ) => Effect.Effect<Canary, NotFound | RuleViolation>
  /**
   * Stops the running canary, or promotes it, which makes its version that of the campaign. Calls that go on end with the
   * version that they have. Fails with `RuleViolation` without a running canary.
   */
  readonly act: (
    scope: Scope,
    id: CampaignId,
    action: CanaryAction,
    actor: string
  ) => Effect.Effect<Canary, NotFound | RuleViolation>
  /**
   * Stops the running canary of a campaign when its outcomes are worse beyond chance. Call it after the end of each call of either
   * arm, and when a process begins to run the campaign, since the one before may have died in between. A failure is logged, and the
   * next call decides again.
   */
  readonly judge: (id: CampaignId) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    Canaries,
    Effect.gen(function*() {
      const store = yield* CampaignStore
      const counts = yield* CanaryCounts
      const agents = yield* AgentVersions
      const transactions = yield* Transactions
      const signals = yield* CampaignSignals
      const { announce, end } = yield* makeCanaryEnds

      /** Stores the campaign of an ended canary in the running transaction. */
      const persist = (canaryEnd: Effect.Effect<EndedCanary>) =>
        Effect.tap(canaryEnd, ({ campaign, scope }) => store.put(scope, campaign))

      const find = (scope: Scope, id: CampaignId) =>
        Effect.flatMap(
          store.find(scope, id),
          Effect.mapError(() => new NotFound({ resource: "campaign", id }))
        )

      const startOnce = (scope: Scope, id: CampaignId, settings: CanarySettings, actor: string) =>
        Effect.gen(function*() {
          const campaign = yield* find(scope, id)
          if (isFinalStatus(campaign.status)) return yield* refuse(`The campaign is ${campaign.status}`)
          if (runningCanary(campaign) !== null) {
            return yield* refuse("The campaign has a canary that runs: stop or promote it first")
          }
          yield* checkCanaryVersion(settings.app_version, campaign.app_config, ["body"])
          const at = yield* BusinessTime.date
          const canary = startedCanary(settings, {
            control_version: campaign.app_config.app_version,
            at,
            actor,
            before: campaign.canary ?? null
          })
          yield* store.put(scope, new Campaign({ ...campaign, canary, updated_by: actor, updated_at: at }))
          return canary
        })

      const actOnce = (scope: Scope, id: CampaignId, action: CanaryAction, actor: string) =>
        Effect.gen(function*() {
          const campaign = yield* find(scope, id)
          const canary = runningCanary(campaign)
          if (canary === null) {
            return yield* refuse(
              campaign.canary == null ? "The campaign has no canary" : `The canary is already ${campaign.canary.status}`
            )
          }
          if (isFinalStatus(campaign.status)) return yield* refuse(`The campaign is ${campaign.status}`)
          const figures = yield* counts.of(id, canary.number)
          const status = action === "stop" ? "stopped" as const : "promoted" as const
          return yield* persist(
            end({ scope, campaign }, canary, { status, end_reason: "request", figures, actor })
          )
        })

      /** Stops the canary if it runs and is worse; none when it goes on, or has been ended meanwhile. */
      const stopIfWorse = (id: CampaignId) =>
        Effect.gen(function*() {
          const ownedCampaign = Option.getOrNull(yield* findOne(store.findOwnedMany, id))
          const canary = ownedCampaign && runningCanary(ownedCampaign.campaign)
          if (ownedCampaign === null || canary === null) return null
          const figures = yield* counts.of(id, canary.number)
          if (!isWorse(figures, canary)) return null
          return yield* persist(
            end(ownedCampaign, canary, { status: "stopped", end_reason: "worse", figures, actor: null })
          )
        })

      /** Tells about an ended canary after the commit. */
      const tell = (endedCanary: EndedCanary) =>
        Effect.zipRight(signals.notify(endedCanary.campaign.campaign_id), announce(endedCanary))

      const judge = (id: CampaignId) =>
        Effect.gen(function*() {
          // A look without a transaction first, since nearly always the canary goes on.
          const ownedCampaign = Option.getOrNull(yield* findOne(store.findOwnedMany, id))
          const canary = ownedCampaign && runningCanary(ownedCampaign.campaign)
          if (canary === null || !isWorse(yield* counts.of(id, canary.number), canary)) return
          const stoppedCanary = yield* transactions.run(stopIfWorse(id))
          if (stoppedCanary !== null) yield* tell(stoppedCanary)
        })

      const turn = Effect.unsafeMakeSemaphore(1)
      /** Campaigns that wait for a judgement, which sees all calls that end before it begins. */
      const waiting = new Set<CampaignId>()

      /** Judges soon: of calls that end meanwhile, one judgement sees all. */
      const judgeInTurn = (id: CampaignId) =>
        Effect.suspend(() => {
          if (waiting.has(id)) return Effect.void
          waiting.add(id)
          return turn.withPermits(1)(Effect.suspend(() => {
            waiting.delete(id)
            return judge(id)
          }))
        })

      return Canaries.of({
        start: (scope, id, settings, actor) =>
          Effect.gen(function*() {
            const { app_config } = yield* find(scope, id)
            yield* failOnIssues(yield* canaryIssues(agents, scope, settings, { ...app_config, loc: ["body"] }))
            const start = transactions.run(startOnce(scope, id, settings, actor))
            return yield* Effect.uninterruptible(Effect.tap(start, () => signals.notify(id)))
          }),
        act: (scope, id, action, actor) =>
          Effect.uninterruptible(
            Effect.tap(
              transactions.run(actOnce(scope, id, action, actor)),
              tell
            ).pipe(Effect.map(({ canary }) => canary))
          ),
        judge: (id) =>
          Effect.catchAllCause(
            Effect.uninterruptible(judgeInTurn(id)),
            (cause) => Effect.logWarning(`The canary of campaign ${id} could not be judged`, Cause.squash(cause))
          )
      })
    })
  )
}

const refuse = (message: string) => Effect.fail(RuleViolation.at(["body"], message))
