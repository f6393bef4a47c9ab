import { type TimeZone, zonePeriod } from "@trunkline/kernel"
import { dialWindow } from "../campaign/AllowedSchedule.js"
import { hold, refuse } from "../contacts/GateResult.js"
import { holdUntil } from "./CampaignChecks.js"
import type { Check } from "./GateFacts.js"

/** Delay before a contact that is in another call with the workspace is considered again. */
const onThePhoneMillis = 30_000

const dayMillis = 24 * 60 * 60_000

/** The local date in a zone, as days since 1970-01-01. */
const localDay = (zone: TimeZone, at: number): number => Math.floor((at + zonePeriod(zone, at).offset) / dayMillis)

/** The first moment after `at` that belongs to a later local date in a zone. */
export const nextDay = (zone: TimeZone, at: number): number => {
  const today = localDay(zone, at)
  for (let moment = at;;) {
    const { offset, until } = zonePeriod(zone, moment)
    const midnight = Math.max(moment, (today + 1) * dayMillis - offset)
    if (midnight < until) return midnight
    moment = until
  }
}

/** The first moment of the local date of `at` in a zone. */
export const dayStart = (zone: TimeZone, at: number): number => {
  let start = at - 2 * dayMillis
  for (let next = nextDay(zone, start); next <= at; next = nextDay(zone, start)) start = next
  return start
}

/** A completed stop file of the campaign has the number. */
export const stopped: Check = {
  name: "stop files",
  check: ({ contact, now }) => contact?.isStopped === true ? refuse("stopped", now) : null
}

/** The number is on the workspace's do-not-call list. */
export const blocked: Check = {
  name: "do-not-call list",
  check: ({ contact, now }) => contact?.isBlocked === true ? refuse("blocked_number", now) : null
}

/** The next attempt is not due yet, for the stored reason: `not_before` is the first moment in the window from then on. */
export const due: Check = {
  name: "due time",
  check: ({ campaign, contact, now }) =>
    contact !== null && contact.due_at > now
      ? holdUntil(contact.since, campaign, now, contact.due_at)
      : null
}

/** The workspace is in a call with the number, in either direction: the contact is considered again after 30 seconds. */
export const onThePhone: Check = {
  name: "on the phone",
  check: ({ contact, now }) => contact?.isOnThePhone === true ? hold("on_the_phone", now, now + onThePhoneMillis) : null
}

/** The number has reached the workspace's daily limit of dials: `not_before` is in the window of a later day. */
export const dailyCap: Check = {
  name: "daily cap",
  check: ({ campaign, contact, dailyCap, now }) =>
    contact !== null && contact.dialsToday >= dailyCap
      ? holdUntil("daily_cap", campaign, now, nextDay(dialWindow(campaign.allowed_schedule).timezone, now))
      : null
}
