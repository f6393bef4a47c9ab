import { BusinessTime, type CanaryEnd, type CanaryEndReason, makeCounter } from "@trunkline/kernel"
import { LiveFeed } from "@trunkline/telephony"
import { Context, type DateTime, Effect } from "effect"
import type { Canary } from "../canary/Canary.js"
import { CanaryCounts } from "../canary/CanaryCounts.js"
import { type CanaryFigures, isWorse, shareOf } from "../canary/Evidence.js"
import { Campaign } from "./Campaign.js"
import { runningCanary } from "./CampaignRules.js"
import type { OwnedCampaign } from "./CampaignStore.js"

const ends = makeCounter({
  name: "trunkline_canary_ends_total",
  help:
    "Canaries of campaigns that ended: stopped by their outcomes, stopped by a request, promoted, or ended with their campaign",
  labels: { end: ["worse", "stopped", "promoted", "ended"] }
})

/** A canary that has ended, with its campaign as it is afterwards. */
export interface EndedCanary extends OwnedCampaign {
  readonly canary: Canary & {
    readonly status: CanaryEnd
    readonly ended_at: DateTime.Utc
    readonly end_reason: CanaryEndReason
    readonly end_figures: CanaryFigures
  }
}

/** The fields by which the live event and the webhook tell about an ended canary. */
export const canaryEndedOf = ({ campaign: { campaign_id }, canary }: EndedCanary) => {
  const { app_version, control_version, end_figures, end_reason, ended_at, number, status } = canary
  return {
    type: "canary.ended" as const,
    at: ended_at,
    campaign_id,
    number,
    app_version,
    control_version,
    status,
    end_reason,
    ...end_figures
  }
}

/** Hears of canaries that end; ignores them by default. */
export class CanaryListener extends Context.Reference<CanaryListener>()("@trunkline/campaigns/CanaryListener", {
  defaultValue: (): CanaryListener.Service => ({ onEnd: () => Effect.void, onCommit: Effect.void })
}) {}

export declare namespace CanaryListener {
  /** Listener for the ends of canaries. */
  export interface Service {
    /** Runs inside the transaction that ends the canary, so that its writes commit with the end or not at all. */
    readonly onEnd: (end: EndedCanary) => Effect.Effect<void>
    /** Runs after the transaction has committed. */
    readonly onCommit: Effect.Effect<void>
  }
}

/** End of a canary. */
interface Ending {
  readonly status: CanaryEnd
  readonly end_reason: CanaryEndReason
  readonly figures: CanaryFigures
  /** Label of an API key; null without a request. */
  readonly actor: string | null
}

/**
 * Makes the ends of canaries. `end` makes the record of an ended canary, and `endWithCampaign` that of the canary of a campaign
 * that is over now: stopped when its outcomes are worse, and otherwise ended without a decision; null without a running one. Both
 * join the running transaction, whose caller stores the campaign. `announce` tells about it after the commit.
 */
export const makeCanaryEnds = Effect.gen(function*() {
  const counts = yield* CanaryCounts
  const feed = yield* LiveFeed
  const listener = yield* CanaryListener

  const end = ({ campaign, scope }: OwnedCampaign, canary: Canary, { actor, end_reason, figures, status }: Ending) =>
    Effect.gen(function*() {
      const ended_at = yield* BusinessTime.date
      const app_version = status === "promoted" ? canary.app_version : campaign.app_config.app_version
      const finalCanary: EndedCanary["canary"] = {
        ...canary,
        status,
        ended_at,
        ended_by: actor,
        end_reason,
        end_figures: figures
      }
      const endedCanary: EndedCanary = {
        scope,
        canary: finalCanary,
        campaign: new Campaign({
          ...campaign,
          app_version,
          app_config: { ...campaign.app_config, app_version },
          canary: finalCanary,
          updated_by: actor ?? campaign.updated_by,
          updated_at: ended_at
        })
      }
      yield* listener.onEnd(endedCanary)
      return endedCanary
    })

  return {
    end,
    endWithCampaign: (ownedCampaign: OwnedCampaign, actor: string | null) =>
      Effect.gen(function*() {
        const canary = runningCanary(ownedCampaign.campaign)
        if (canary === null) return null
        const figures = yield* counts.of(ownedCampaign.campaign.campaign_id, canary.number)
        return yield* isWorse(figures, canary)
          ? end(ownedCampaign, canary, { status: "stopped", end_reason: "worse", figures, actor: null })
          : end(ownedCampaign, canary, { status: "ended", end_reason: "campaign", figures, actor })
      }),
    announce: (endedCanary: EndedCanary) =>
      Effect.gen(function*() {
        const { end_reason, status } = endedCanary.canary
        ends.add(1, { end: end_reason === "worse" ? end_reason : status })
        if (end_reason === "worse") yield* Effect.logWarning(stopSentence(endedCanary))
        yield* feed.publish(endedCanary.scope, () => canaryEndedOf(endedCanary))
        yield* listener.onCommit
      })
  }
})

const percentText = (share: number): string => `${(100 * share).toFixed(1)} %`

/** Sentence for the log about a canary that has stopped itself. */
const stopSentence = ({ campaign: { campaign_id }, canary }: EndedCanary): string => {
  const { app_version, control_version, end_figures } = canary
  return `The canary of campaign ${campaign_id} has stopped itself: version ${app_version} reached its aim in ${
    percentText(shareOf(end_figures.canary))
  } of ${end_figures.canary.conversations} conversations, version ${control_version} in ${
    percentText(shareOf(end_figures.control))
  } of ${end_figures.control.conversations}`
}
