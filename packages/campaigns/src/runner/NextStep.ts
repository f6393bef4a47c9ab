import { isOpen, nextOpening } from "@trunkline/kernel"
import type { Effect } from "effect"
import { dialWindow } from "../campaign/AllowedSchedule.js"
import { type Campaign, type CampaignStatus, isFinalStatus } from "../campaign/Campaign.js"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { DialRound } from "../dispatch/Dialler.js"
import { nextDialAt, type Pace, paceAt } from "../dispatch/Pace.js"
import type { Blocker } from "../gate/Blocker.js"

/**
 * Everything that the next step of a campaign depends on. A look at the campaign knows only the required facts; the steps
 * that follow add the others, until one of them calls for a new look. Moments are epoch milliseconds of business time.
 */
export interface CampaignFacts {
  readonly now: number
  /** Null when the campaign is gone. */
  readonly ownedCampaign: OwnedCampaign | null
  readonly pace: Pace
  /** True when the campaign ends by itself once all its contacts are finished. */
  readonly endWhenExhausted: boolean
  /** State of the stop files: `unread` before this look has read a batch, `more` when another batch follows it. */
  readonly stopFiles: "unread" | "more" | "read"
  /** True after a rest until the next dial: the campaign dials again without a new look. */
  readonly isAfterRest?: boolean
  /** Due time of the waiting contact that is due first; null when none waits. */
  readonly nextDue?: number | null
  /** True when the roster had no contacts to enrol. */
  readonly isRosterEmpty?: boolean
  /** True when contacts or cohorts are left, so that the campaign does not end yet. */
  readonly hasContactsLeft?: boolean
  /** Result of the last round of dialling. */
  readonly lastRound?: Omit<DialRound, "pace">
}

/** The one thing to do next. */
export type CampaignStep =
  /** Stops the worker. */
  | { readonly _tag: "Stop" }
  /** Looks at the campaign again. */
  | { readonly _tag: "Look" }
  | { readonly _tag: "ReadStopFiles" }
  | { readonly _tag: "SetStatus"; readonly from: CampaignStatus; readonly to: CampaignStatus }
  | { readonly _tag: "ReadNextDue" }
  | { readonly _tag: "Enrol" }
  | { readonly _tag: "EndIfExhausted" }
  | { readonly _tag: "Dial" }
  /** Pauses the campaign, whose budget allows no further call, or waits for the calls that run. */
  | { readonly _tag: "PauseForBudget"; readonly until: number }
  /** Rests until the rate allows the next dial. */
  | { readonly _tag: "Rest"; readonly until: number }
  /** Waits until a moment, a signal, or a line becomes free. */
  | {
    readonly _tag: "Wait"
    readonly until: number
    readonly lineVacancy: Effect.Effect<void> | null
    readonly warning: string | null
  }

/** Delay before a campaign looks again for a missing connection or an uncommitted agent version. */
const missingMillis = 60_000

/** Longest wait for the end of running calls, which other processes may carry, before the budget is looked at again. */
const budgetMillis = 5_000

const look: CampaignStep = { _tag: "Look" }

/** Decides the next step of a campaign: a pure function of the facts. */
export const nextStep = (facts: CampaignFacts): CampaignStep => {
  const { ownedCampaign, isAfterRest = false, stopFiles } = facts
  if (ownedCampaign === null || isFinalStatus(ownedCampaign.campaign.status)) return { _tag: "Stop" }
  if (stopFiles === "unread") return { _tag: "ReadStopFiles" }
  const step = isAfterRest ? { _tag: "Dial" } as const : stepOf(facts, ownedCampaign.campaign)
  return stopFiles === "more" && (step._tag === "Wait" || step._tag === "Rest") ? look : step
}

const stepOf = (facts: CampaignFacts, campaign: Campaign): CampaignStep => {
  const { lastRound, now } = facts
  const { status } = campaign
  const end = campaign.end_timestamp.epochMillis
  const start = campaign.start_timestamp.epochMillis
  if (lastRound !== undefined) return stepAfterDial(facts, campaign, lastRound)
  if (now >= end) return { _tag: "SetStatus", from: status, to: "ended" }
  if (status === "paused") return waitUntil(end)
  if (now < start) return waitUntil(start)
  return status === "active" ? stepOfActive(facts, campaign) : { _tag: "SetStatus", from: "scheduled", to: "active" }
}

const stepOfActive = (facts: CampaignFacts, campaign: Campaign): CampaignStep => {
  const { nextDue, now, pace, isRosterEmpty = false } = facts
  const end = campaign.end_timestamp.epochMillis
  const window = dialWindow(campaign.allowed_schedule)
  if (!isOpen(window, now)) return endOrWait(facts, Math.min(nextOpening(window, now), end))
  const dialAt = nextDialAt(paceAt(pace, now), campaign.app_config.attempts_per_second)
  if (dialAt > now) return { _tag: "Rest", until: dialAt }
  if (nextDue === undefined) return { _tag: "ReadNextDue" }
  if (nextDue !== null && nextDue <= now) return { _tag: "Dial" }
  if (!isRosterEmpty) return { _tag: "Enrol" }
  return nextDue === null ? endOrWait(facts, end) : waitUntil(Math.min(nextDue, end))
}

/** Ends the campaign when all its contacts are finished, and waits otherwise. */
const endOrWait = ({ endWhenExhausted, hasContactsLeft = false }: CampaignFacts, until: number): CampaignStep =>
  endWhenExhausted && !hasContactsLeft ? { _tag: "EndIfExhausted" } : waitUntil(until)

const stepAfterDial = (
  { now, pace }: CampaignFacts,
  campaign: Campaign,
  { blocker, placedCalls }: Omit<DialRound, "pace">
): CampaignStep => {
  if (placedCalls === 0) return stepAfterBlocker(blocker, campaign, now)
  return { _tag: "Rest", until: nextDialAt(pace, campaign.app_config.attempts_per_second) }
}

const stepAfterBlocker = (blocker: Blocker | null, campaign: Campaign, now: number): CampaignStep => {
  const { campaign_id, end_timestamp } = campaign
  const end = end_timestamp.epochMillis
  const soon = Math.min(now + missingMillis, end)
  switch (blocker?._tag) {
    case undefined:
    case "NoneDue":
      return look
    case "Rate":
      return { _tag: "Rest", until: blocker.at }
    case "Gate":
      if (blocker.result.reason === "budget_reached") {
        return { _tag: "PauseForBudget", until: Math.min(now + budgetMillis, end) }
      }
      return blocker.result.reason === "agent_version"
        ? waitUntil(soon, { warning: `Campaign ${campaign_id}: the version of its agent is not committed` })
        : look
    case "Line":
      return blocker.status._tag === "Missing"
        ? waitUntil(soon, { warning: `Campaign ${campaign_id}: none of its connections is configured` })
        : waitUntil(Math.min(blocker.until, end), { lineVacancy: blocker.vacancy })
  }
}

const waitUntil = (
  until: number,
  options: Partial<Pick<Extract<CampaignStep, { readonly _tag: "Wait" }>, "lineVacancy" | "warning">> = {}
): CampaignStep => ({ _tag: "Wait", until, lineVacancy: null, warning: null, ...options })
