import { NotFound, RuleViolation } from "@trunkline/errors"
import { BusinessTime, type CampaignId, findOne, makeCounter, type Scope, Transactions } from "@trunkline/kernel"
import { agentIssues, AgentVersions, failOnIssues, LiveFeed } from "@trunkline/telephony"
import { Cause, Context, Effect, Layer, Option } from "effect"
import { type Canary, type CanaryAction, type CanarySettings, startedCanary } from "../canary/Canary.js"
import { CanaryCounts } from "../canary/CanaryCounts.js"
import { type CanaryFigures, isWorse, noFigures, shareOf } from "../canary/Evidence.js"
import { Campaign, isFinalStatus } from "./Campaign.js"
import { checkCanaryVersion, runningCanary } from "./CampaignRules.js"
import { CampaignSignals } from "./CampaignSignals.js"
import { CampaignStore, type OwnedCampaign } from "./CampaignStore.js"

const ends = makeCounter({
  name: "trunkline_canary_ends_total",
  help: "Canaries of campaigns that ended: stopped by their outcomes, stopped by a request, or promoted",
  labels: { end: ["worse", "stopped", "promoted"] }
})

/**
 * Starts, stops and promotes canaries of campaigns. A canary is `running` from its start until it is `stopped`, by a request or
 * by itself, or `promoted`; then another one may start. Each decision is made in a transaction that reads the campaign again,
 * so that only one of several processes ends a canary.
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
   * Stops the running canary of a campaign when its outcomes are worse beyond chance. Call it after the end of each of its calls;
   * a failure is logged, and the next call decides again.
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
      const feed = yield* LiveFeed

      const find = (scope: Scope, id: CampaignId) =>
        Effect.flatMap(
          store.find(scope, id),
          Option.match({
            onNone: () => Effect.fail(new NotFound({ resource: "campaign", id })),
            onSome: Effect.succeed
          })
        )

      const startOnce = (scope: Scope, id: CampaignId, settings: CanarySettings, actor: string) =>
        Effect.gen(function*() {
          const campaign = yield* find(scope, id)
          if (isFinalStatus(campaign.status)) return yield* refused(`The campaign is ${campaign.status}`)
          if (runningCanary(campaign) !== null) {
            return yield* refused("The campaign has a canary that runs: stop or promote it first")
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

      /** Ends a running canary in the running transaction. */
      const end = (
        { campaign, scope }: OwnedCampaign,
        canary: Canary,
        { actor, figures, status }: {
          readonly status: "stopped" | "promoted"
          readonly figures: CanaryFigures
          /** Null when it stops itself. */
          readonly actor: string | null
        }
      ) =>
        Effect.gen(function*() {
          const ended_at = yield* BusinessTime.date
          const ended: Canary = {
            ...canary,
            status,
            ended_at,
            ended_by: actor,
            end_reason: actor === null ? "worse" : "request",
            end_figures: figures
          }
          const app_version = status === "promoted" ? canary.app_version : campaign.app_config.app_version
          const changed = new Campaign({
            ...campaign,
            app_version,
            app_config: { ...campaign.app_config, app_version },
            canary: ended,
            updated_by: actor ?? campaign.updated_by,
            updated_at: ended_at
          })
          yield* store.put(scope, changed)
          return { scope, campaign_id: campaign.campaign_id, canary: ended }
        })

      const actOnce = (scope: Scope, id: CampaignId, action: CanaryAction, actor: string) =>
        Effect.gen(function*() {
          const campaign = yield* find(scope, id)
          const canary = runningCanary(campaign)
          if (canary === null) {
            return yield* refused(
              campaign.canary == null ? "The campaign has no canary" : `The canary is already ${campaign.canary.status}`
            )
          }
          if (isFinalStatus(campaign.status)) return yield* refused(`The campaign is ${campaign.status}`)
          const figures = yield* counts.of(id, canary.number)
          const status = action === "stop" ? "stopped" as const : "promoted" as const
          return yield* end({ scope, campaign }, canary, { status, figures, actor })
        })

      /** Stops the canary if it runs and is worse; none when it goes on, or has been ended meanwhile. */
      const stopIfWorse = (id: CampaignId) =>
        Effect.gen(function*() {
          const owned = Option.getOrNull(yield* findOne(store.findOwnedMany, id))
          const canary = owned && runningCanary(owned.campaign)
          if (owned === null || canary === null) return null
          const figures = yield* counts.of(id, canary.number)
          if (!isWorse(figures, canary)) return null
          return yield* end(owned, canary, { status: "stopped", figures, actor: null })
        })

      /** Tells about an ended canary after the commit. */
      const announce = ({ campaign_id, canary, scope }: EndedCanary) =>
        Effect.gen(function*() {
          const { app_version, control_version, end_figures, end_reason, number } = canary
          const status = canary.status === "promoted" ? "promoted" : "stopped"
          ends.add(1, { end: end_reason === "worse" ? "worse" : status })
          yield* signals.notify(campaign_id)
          const at = yield* BusinessTime.date
          yield* feed.publish(scope, () => ({
            type: "canary.ended",
            at: canary.ended_at ?? at,
            campaign_id,
            number,
            app_version,
            control_version,
            status,
            end_reason: end_reason ?? "request",
            ...(end_figures ?? { control: null, canary: null })
          }))
        })

      const judge = (id: CampaignId) =>
        Effect.gen(function*() {
          // A look without a transaction first, since nearly always the canary goes on.
          const owned = Option.getOrNull(yield* findOne(store.findOwnedMany, id))
          const canary = owned && runningCanary(owned.campaign)
          if (canary === null || !isWorse(yield* counts.of(id, canary.number), canary)) return
          const stopped = yield* transactions.run(stopIfWorse(id))
          if (stopped === null) return
          yield* Effect.logWarning(stopSentence(stopped))
          yield* announce(stopped)
        })

      return Canaries.of({
        start: (scope, id, settings, actor) =>
          Effect.gen(function*() {
            const { app_id } = yield* find(scope, id)
            yield* failOnIssues(yield* agentIssues(agents, scope, { ...settings, app_id, loc: ["body"] }))
            const started = transactions.run(startOnce(scope, id, settings, actor))
            return yield* Effect.uninterruptible(Effect.tap(started, () => signals.notify(id)))
          }),
        act: (scope, id, action, actor) =>
          Effect.uninterruptible(
            Effect.tap(
              transactions.run(actOnce(scope, id, action, actor)),
              announce
            ).pipe(Effect.map(({ canary }) => canary))
          ),
        judge: (id) =>
          Effect.catchAllCause(
            Effect.uninterruptible(judge(id)),
            (cause) => Effect.logWarning(`The canary of campaign ${id} could not be judged`, Cause.squash(cause))
          )
      })
    })
  )
}

/** A canary that has ended, with the campaign and the workspace that it belongs to. */
interface EndedCanary {
  readonly scope: Scope
  readonly campaign_id: CampaignId
  readonly canary: Canary
}

const refused = (message: string) => Effect.fail(RuleViolation.at(["body"], message))

const percentText = (share: number): string => `${(100 * share).toFixed(1)} %`

/** Sentence for the log about a canary that has stopped itself. */
const stopSentence = ({ campaign_id, canary: { app_version, control_version, end_figures } }: EndedCanary): string => {
  const { canary, control } = end_figures ?? noFigures
  return `The canary of campaign ${campaign_id} has stopped itself: version ${app_version} reached its aim in ${
    percentText(shareOf(canary))
  } of ${canary.conversations} conversations, version ${control_version} in ${
    percentText(shareOf(control))
  } of ${control.conversations}`
}
