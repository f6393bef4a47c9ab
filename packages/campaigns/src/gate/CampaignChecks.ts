import { isOpen, nextOpening } from "@trunkline/kernel"
import { dialWindow } from "../campaign/AllowedSchedule.js"
import type { Campaign } from "../campaign/Campaign.js"
import { budgetSentence, callsWithin } from "../campaign/CampaignBudget.js"
import { type GateReason, type GateResult, hold, refuse } from "../contacts/GateResult.js"
import type { Check } from "./GateFacts.js"

/** The first moment at or after `from` at which the window of a campaign is open before its end; null without one. */
export const nextDialMoment = (campaign: Campaign, from: number): number | null => {
  const opening = nextOpening(
    dialWindow(campaign.allowed_schedule),
    Math.max(from, campaign.start_timestamp.epochMillis)
  )
  return opening < campaign.end_timestamp.epochMillis ? opening : null
}

/** Postpones a call to the first such moment at or after `from`, or rules it out when the campaign ends before. */
export const holdUntil = (reason: GateReason, campaign: Campaign, now: number, from: number): GateResult => {
  const not_before = nextDialMoment(campaign, from)
  return not_before === null ? refuse("past_end", now) : hold(reason, now, not_before)
}

/** The campaign was cancelled. */
export const cancelled: Check = {
  name: "cancelled",
  check: ({ campaign, now }) => campaign.status === "cancelled" ? refuse("campaign_cancelled", now) : null
}

/** The campaign has ended, by itself or at its end. */
export const ended: Check = {
  name: "ended",
  check: ({ campaign, now }) =>
    campaign.status === "ended" || now >= campaign.end_timestamp.epochMillis ? refuse("campaign_ended", now) : null
}

/** The campaign's budget allows no further call, for an unknown time: running calls may leave some of what is set aside. */
export const budget: Check = {
  name: "budget",
  check: ({ budget, now }) =>
    budget !== null && callsWithin(budget) === 0 ? hold("budget_reached", now, null, budgetSentence(budget)) : null
}

/** The campaign is paused, for an unknown time. */
export const paused: Check = {
  name: "paused",
  check: ({ campaign, now }) => campaign.status === "paused" ? hold("campaign_paused", now, null) : null
}

/** The campaign has not started: `not_before` is the first opening of its window. */
export const scheduled: Check = {
  name: "scheduled",
  check: ({ campaign, now }) => {
    const start = campaign.start_timestamp.epochMillis
    return campaign.status === "scheduled" || now < start
      ? holdUntil("campaign_scheduled", campaign, now, Math.max(now, start))
      : null
  }
}

/** The campaign's window is closed: `not_before` is its next opening. */
export const window: Check = {
  name: "window",
  check: ({ campaign, now }) =>
    isOpen(dialWindow(campaign.allowed_schedule), now) ? null : holdUntil("outside_window", campaign, now, now)
}

/** The agent's version is no longer committed; final when the window does not open again before the campaign's end. */
export const agentVersion: Check = {
  name: "agent version",
  check: ({ isAgentCommitted, campaign, now }) => {
    if (isAgentCommitted) return null
    return nextDialMoment(campaign, now) === null ? refuse("past_end", now) : hold("agent_version", now, null)
  }
}

/** None of the campaign's connections is configured. */
export const lineMissing: Check = {
  name: "line configured",
  check: ({ line, now }) => line._tag === "Missing" ? hold("line_missing", now, null) : null
}

/** The circuit breakers of all configured lines are open: `not_before` is when the first one is probed. */
export const linePaused: Check = {
  name: "line health",
  check: ({ line, now }) => line._tag === "Paused" && line.until > now ? hold("line_paused", now, line.until) : null
}

/** Sentence about the limits that keep all lines busy; undefined where none is known. */
const busyDetail = (limits: ReadonlyArray<string>): string | undefined =>
  limits.length === 0 ? undefined : `All lines are in use: ${Array.from(new Set(limits)).join("; ")}`

/** All lines are in use, for an unknown time. */
export const capacity: Check = {
  name: "capacity",
  check: ({ line, now }) => line._tag === "Busy" ? hold("no_capacity", now, null, busyDetail(line.limits)) : null
}

/** The rate allows no dial yet. */
export const rate: Check = {
  name: "rate",
  check: ({ nextDialAt, now }) => nextDialAt > now ? hold("rate", now, nextDialAt) : null
}
