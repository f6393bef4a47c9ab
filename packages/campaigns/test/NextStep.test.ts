import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Campaign } from "../src/campaign/Campaign.js"
import { hold } from "../src/contacts/GateResult.js"
import { initialPace } from "../src/dispatch/Pace.js"
import type { Blocker } from "../src/gate/Blocker.js"
import { type CampaignFacts, type CampaignStep, nextStep } from "../src/runner/NextStep.js"
import { at, campaign, scopeOf } from "../src/testing/Fixtures.js"

/** Saturday 31 January 2026, 12:00 in UTC. */
const now = at(0).epochMillis
const minute = 60_000
const hour = 60 * minute
const end = at(3600 * 24 * 7)
const opening = at(3600 * 6).epochMillis

const always = {
  ...campaign("any").allowed_schedule,
  allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  allowed_start_time: "00:00",
  allowed_end_time: "23:59"
} as const

const active = { status: "active", start_timestamp: at(-60), end_timestamp: end, allowed_schedule: always } as const
const owned = (change: Partial<Campaign> = {}) => ({
  scope: scopeOf("steps"),
  campaign: campaign("camp-steps", { ...active, ...change })
})

const given: CampaignFacts = {
  now,
  ownedCampaign: owned(),
  pace: initialPace(null),
  endWhenExhausted: true,
  stopFiles: "read"
}

/** A schedule whose next opening is 18:00 in UTC. */
const evening = { allowed_schedule: { ...always, timezone: "UTC", allowed_start_time: "18:00" } } as const

const recentDial = { ...initialPace(null), beat: now - 500 }
const blocked = (blocker: Blocker | null): Partial<CampaignFacts> => ({ lastRound: { placedCalls: 0, blocker } })
const line = (status: Extract<Blocker, { readonly _tag: "Line" }>["status"], until: number): Blocker => ({
  _tag: "Line",
  status,
  vacancy: Effect.never,
  until
})
const wait = (until: number, lineVacancy: Effect.Effect<void> | null = null): CampaignStep => ({
  _tag: "Wait",
  until,
  lineVacancy,
  warning: null
})
const warning = (text: string): CampaignStep => ({
  _tag: "Wait",
  until: now + minute,
  lineVacancy: null,
  warning: `Campaign camp-steps: ${text}`
})

const table: ReadonlyArray<readonly [title: string, facts: Partial<CampaignFacts>, step: CampaignStep]> = [
  ["stops when the campaign is gone", { ownedCampaign: null }, { _tag: "Stop" }],
  ["stops when it has ended", { ownedCampaign: owned({ status: "ended" }) }, { _tag: "Stop" }],
  ["stops when it is cancelled, stop files or not", {
    ownedCampaign: owned({ status: "cancelled" }),
    stopFiles: "unread"
  }, {
    _tag: "Stop"
  }],
  ["reads stop files first", { stopFiles: "unread", nextDue: now }, { _tag: "ReadStopFiles" }],
  ["reads stop files while it is paused", { ownedCampaign: owned({ status: "paused" }), stopFiles: "unread" }, {
    _tag: "ReadStopFiles"
  }],
  ["ends at its end", { now: end.epochMillis }, { _tag: "SetStatus", from: "active", to: "ended" }],
  ["ends at its end while it is paused", { now: end.epochMillis, ownedCampaign: owned({ status: "paused" }) }, {
    _tag: "SetStatus",
    from: "paused",
    to: "ended"
  }],
  ["waits for its end while it is paused", { ownedCampaign: owned({ status: "paused" }) }, wait(end.epochMillis)],
  [
    "waits for its start",
    { ownedCampaign: owned({ status: "scheduled", start_timestamp: at(9) }) },
    wait(at(9).epochMillis)
  ],
  ["starts at its start", { ownedCampaign: owned({ status: "scheduled" }) }, {
    _tag: "SetStatus",
    from: "scheduled",
    to: "active"
  }],
  ["tries to end outside its hours", { ownedCampaign: owned(evening) }, { _tag: "EndIfExhausted" }],
  [
    "waits for its hours when contacts are left",
    { ownedCampaign: owned(evening), hasContactsLeft: true },
    wait(opening)
  ],
  [
    "waits for its hours when it never ends by itself",
    { ownedCampaign: owned(evening), endWhenExhausted: false },
    wait(opening)
  ],
  ["rests until the rate allows a dial", { pace: recentDial }, { _tag: "Rest", until: now + 1500 }],
  ["looks up the next due contact when it may dial", {}, { _tag: "ReadNextDue" }],
  ["dials a contact that is due", { nextDue: now }, { _tag: "Dial" }],
  ["enrols contacts when none is due", { nextDue: now + hour }, { _tag: "Enrol" }],
  ["enrols contacts when none waits", { nextDue: null }, { _tag: "Enrol" }],
  ["waits for the next due contact when the roster is empty", { nextDue: now + hour, isRosterEmpty: true }, {
    ...wait(now + hour)
  }],
  ["tries to end when no contact waits and the roster is empty", { nextDue: null, isRosterEmpty: true }, {
    _tag: "EndIfExhausted"
  }],
  [
    "waits for its end while calls are in progress",
    { nextDue: null, isRosterEmpty: true, hasContactsLeft: true },
    wait(end.epochMillis)
  ],
  ["rests after a dial", { lastRound: { placedCalls: 1, blocker: null }, pace: recentDial }, {
    _tag: "Rest",
    until: now + 1500
  }],
  ["dials without a look after a rest", { isAfterRest: true, pace: recentDial }, { _tag: "Dial" }],
  ["looks again when nothing blocks it", blocked(null), { _tag: "Look" }],
  ["looks again when no contact was due", blocked({ _tag: "NoneDue" }), { _tag: "Look" }],
  ["rests when the rate allows no dial", blocked({ _tag: "Rate", at: now + 40 }), { _tag: "Rest", until: now + 40 }],
  [
    "looks again when the gate holds the campaign",
    blocked({ _tag: "Gate", result: hold("campaign_paused", now, null) }),
    {
      _tag: "Look"
    }
  ],
  [
    "warns of an uncommitted agent version and looks again in a minute",
    blocked({ _tag: "Gate", result: hold("agent_version", now, null) }),
    warning("the version of its agent is not committed")
  ],
  [
    "warns of missing connections and looks again in a minute",
    blocked(line({ _tag: "Missing" }, Infinity)),
    warning("none of its connections is configured")
  ],
  ["waits for a busy line until the campaign ends", blocked(line({ _tag: "Busy", limits: [] }, Infinity)), {
    ...wait(end.epochMillis, Effect.never)
  }],
  [
    "waits until a paused line is probed",
    blocked(line({ _tag: "Paused", until: now + 30_000 }, now + 30_000)),
    wait(now + 30_000, Effect.never)
  ],
  ["looks again instead of waiting while stop files have more", {
    stopFiles: "more",
    ownedCampaign: owned({ status: "paused" })
  }, { _tag: "Look" }],
  ["looks again instead of resting while stop files have more", { stopFiles: "more", pace: recentDial }, {
    _tag: "Look"
  }],
  ["dials between batches of stop files", { stopFiles: "more", nextDue: now }, { _tag: "Dial" }]
]

describe("nextStep", () => {
  for (const [title, facts, step] of table) {
    it(`${title}`, () => assert.deepStrictEqual(nextStep({ ...given, ...facts }), step))
  }
})
