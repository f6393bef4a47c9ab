import { isOpen, nextOpening } from "@trunkline/kernel"
import { type Campaign, dialWindow } from "../campaign/Campaign.js"
import type { Check } from "./Check.js"
import { type Decision, type GateReason, hold, refuse } from "./Decision.js"

/** The first moment from `from` on at which a campaign may dial by its window and its end; null when there is none. */
export const nextDialMoment = (campaign: Campaign, from: number): number | null => {
  const opening = nextOpening(
    dialWindow(campaign.allowed_schedule),
    Math.max(from, campaign.start_timestamp.epochMillis)
  )
  return opening < campaign.end_timestamp.epochMillis ? opening : null
}

/** Holds somebody until the campaign dials again from `from` on, or for good when it ends before. */
export const holdUntil = (reason: GateReason, campaign: Campaign, now: number, from: number): Decision => {
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

/** The campaign is paused; nobody knows for how long. */
export const paused: Check = {
  name: "paused",
  check: ({ campaign, now }) => campaign.status === "paused" ? hold("campaign_paused", now, null) : null
}

/** The campaign has not started: `not_before` is its first moment in the window. */
export const scheduled: Check = {
  name: "scheduled",
  check: ({ campaign, now }) => {
    const start = campaign.start_timestamp.epochMillis
    return campaign.status === "scheduled" || now < start
      ? holdUntil("campaign_scheduled", campaign, now, Math.max(now, start))
      : null
  }
}

/** The campaign's window is shut: `not_before` is its next opening. */
export const window: Check = {
  name: "window",
  check: ({ campaign, now }) =>
    isOpen(dialWindow(campaign.allowed_schedule), now) ? null : holdUntil("outside_window", campaign, now, now)
}

/** The agent's version was taken back; for good where the campaign could not dial again anyway. */
export const agentVersion: Check = {
  name: "agent version",
  check: ({ agentCommitted, campaign, now }) => {
    if (agentCommitted) return null
    return nextDialMoment(campaign, now) === null ? refuse("past_end", now) : hold("agent_version", now, null)
  }
}
