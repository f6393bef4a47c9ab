import { dialWindow } from "../campaign/Campaign.js"
import { holdUntil } from "./CampaignChecks.js"
import type { Check } from "./Check.js"
import { nextDay } from "./Day.js"
import { hold, refuse } from "./Decision.js"

/** How long somebody who is on the phone is left alone before the campaign looks again. */
export const ON_THE_PHONE_MILLIS = 30_000

/** A completed stop file of the campaign has the number (shapes 13). */
export const stopped: Check = {
  name: "stop files",
  check: ({ now, person }) => person?.stopped === true ? refuse("stopped", now) : null
}

/** The number is on the workspace's do-not-call list (shapes 13). */
export const blocked: Check = {
  name: "do-not-call list",
  check: ({ now, person }) => person?.blocked === true ? refuse("blocked_number", now) : null
}

/**
 * The next attempt is not due yet, for the reason that was given when it was put off: `not_before` is the first moment of
 * the window from then on.
 */
export const due: Check = {
  name: "due time",
  check: ({ campaign, now, person }) =>
    person !== null && person.due_at > now
      ? holdUntil(person.since, campaign, now, person.due_at)
      : null
}

/** The workspace is on the phone with the number, whoever called: it is left alone for half a minute, and looked at again. */
export const onThePhone: Check = {
  name: "on the phone",
  check: ({ now, person }) => person?.onThePhone === true ? hold("on_the_phone", now, now + ON_THE_PHONE_MILLIS) : null
}

/** The workspace has dialled the number as often as it may today: `not_before` is in the window of a later day. */
export const dailyCap: Check = {
  name: "daily cap",
  check: ({ campaign, dailyCap, now, person }) =>
    person !== null && person.dialsToday >= dailyCap
      ? holdUntil("daily_cap", campaign, now, nextDay(dialWindow(campaign.allowed_schedule).timezone, now))
      : null
}
