import { assert, describe, it } from "@effect/vitest"
import { CampaignId, dayNames, isOpen, TimeZone, zonePeriod } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { DateTime, FastCheck, Schema } from "effect"
import { nextDay } from "../src/gate/ContactChecks.js"
import { checks, decide } from "../src/gate/Decide.js"
import type { ContactFacts, GateFacts } from "../src/gate/GateFacts.js"
import {
  AllowedSchedule,
  Campaign,
  dialWindow,
  explain,
  GateReason,
  type GateResult,
  type LineStatus
} from "../src/index.js"
import { campaign as fixture } from "../src/laws/Fixtures.js"

/** Zones with whole and half hours, both ways of summer time, one of half an hour, and none. */
const zones = ["America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kolkata", "America/Santiago", "UTC"]
  .map((zone) => Schema.decodeSync(TimeZone)(zone))

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** A week around a change of clocks somewhere, or any other. */
const weeks = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01", "2026-06-15"]
  .map((date) => Date.parse(`${date}T00:00:00Z`))

const time = FastCheck.integer({ min: 0, max: 24 * 60 - 1 }).map((minutes) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`
)

const schedule = FastCheck.tuple(
  time,
  time,
  FastCheck.subarray([...dayNames], { minLength: 1 }),
  FastCheck.constantFrom(...zones)
).filter(([from, to]) => from !== to).map(([allowed_start_time, allowed_end_time, allowed_days, timezone]) =>
  Schema.decodeUnknownSync(AllowedSchedule)({ allowed_start_time, allowed_end_time, allowed_days, timezone })
)

const moment = FastCheck.tuple(
  FastCheck.constantFrom(...weeks),
  FastCheck.integer({ min: -4 * 24 * 60 * 2, max: 4 * 24 * 60 * 2 })
).map(([week, halfMinutes]) => week + halfMinutes * 30_000)

const campaignOf = (
  allowed_schedule: AllowedSchedule,
  status: Campaign["status"],
  start: number,
  end: number
): Campaign =>
  fixture(CampaignId.make("camp-gate"), {
    allowed_schedule,
    status,
    start_timestamp: DateTime.unsafeMake(start),
    end_timestamp: DateTime.unsafeMake(end)
  })

const contact: FastCheck.Arbitrary<(now: number) => ContactFacts> = FastCheck.record({
  due: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: -day, max: 3 * day })),
  since: FastCheck.constantFrom<GateReason>("new", "retry_interval"),
  stopped: rarely(),
  blocked: rarely(),
  onThePhone: rarely(),
  dialsToday: FastCheck.nat(4)
}).map(({ due, ...facts }) => (now) => ({ ...facts, due_at: now + due }))

function rarely() {
  return FastCheck.integer({ min: 0, max: 5 }).map((chance) => chance === 0)
}

const free = (): LineStatus => ({ _tag: "Free" })

const facts: FastCheck.Arbitrary<GateFacts> = FastCheck.record({
  now: moment,
  schedule,
  status: FastCheck.constantFrom<Campaign["status"]>(
    "active",
    "active",
    "active",
    "scheduled",
    "paused",
    "ended",
    "cancelled"
  ),
  start: FastCheck.integer({ min: -7 * day, max: 2 * day }),
  length: FastCheck.integer({ min: hour, max: 30 * day }),
  agentCommitted: FastCheck.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
  line: FastCheck.constantFrom<(now: number) => LineStatus>(
    free,
    free,
    free,
    () => ({ _tag: "Missing" }),
    () => ({ _tag: "Busy" }),
    (now) => ({ _tag: "Paused", until: now + 30_000 })
  ),
  wait: FastCheck.constantFrom(-1, 0, 250),
  dailyCap: FastCheck.constantFrom(Infinity, 1, 3),
  contact: FastCheck.option(contact)
}).map(({ dailyCap, agentCommitted, length, line, now, contact, schedule, start, status, wait }) => ({
  now,
  campaign: campaignOf(schedule, status, now + start, now + start + length),
  agentCommitted,
  dailyCap,
  line: line(now),
  nextDialAt: now + wait,
  contact: contact === null ? null : contact(now)
}))

const mayDial = ({ campaign, now }: GateFacts) =>
  isOpen(dialWindow(campaign.allowed_schedule), now) && now >= campaign.start_timestamp.epochMillis &&
  now < campaign.end_timestamp.epochMillis

describe("the gate", () => {
  it.prop("allows no call outside the window and the dates of a campaign, in any zone", [facts], ([given]) => {
    if (decide(given).verdict === "allow") {
      assert.isTrue(mayDial(given))
      assert.strictEqual(given.campaign.status, "active")
      assert.strictEqual(given.line._tag, "Free")
      assert.isAtMost(given.nextDialAt, given.now)
    }
  }, { fastCheck: { numRuns: propertyRuns(2_000) } })

  it.prop("allows a call when no check objects", [facts], ([given]) => {
    const { agentCommitted, campaign, dailyCap, line, nextDialAt, now, contact } = given
    const nothing = mayDial(given) && campaign.status === "active" && agentCommitted && line._tag === "Free" &&
      nextDialAt <= now && (contact === null || (!contact.stopped && !contact.blocked && !contact.onThePhone &&
        contact.due_at <= now && contact.dialsToday < dailyCap))
    assert.strictEqual(decide(given).verdict === "allow", nothing)
  }, { fastCheck: { numRuns: propertyRuns(2_000) } })

  it.prop("gives the reason of the first check that objects", [facts], ([given]) => {
    const found = checks.map(({ check }) => check(given)).find((decision) => decision !== null)
    assert.deepStrictEqual(
      decide(given),
      found ?? { verdict: "allow", reason: "allowed", at: given.now, not_before: null }
    )
  }, { fastCheck: { numRuns: propertyRuns(500) } })

  it.prop("never allows a call again after the verdict never", [facts, FastCheck.nat(40 * day)], ([given, later]) => {
    if (decide(given).verdict !== "never") return
    assert.strictEqual(decide({ ...given, now: given.now + later }).verdict, "never")
  }, { fastCheck: { numRuns: propertyRuns(1_000) } })

  it.prop(
    "names the earliest moment of a call, inside the window",
    [facts],
    ([given]) => {
      const decision = decide(given)
      const from = decision.not_before
      if (from === null) return
      assert.isTrue(from > given.now || decision.reason === "campaign_scheduled", "only a start may be now")
      const next = { ...given, now: from, nextDialAt: from, campaign: started(given.campaign) }
      if (["campaign_scheduled", "outside_window", "retry_interval", "new", "daily_cap"].includes(decision.reason)) {
        assert.isTrue(mayDial(next), "the moment is in the window")
      }
      const check = checks.find((one) => one.check(given)?.reason === decision.reason)
      assert.notStrictEqual(
        check?.check({ ...next, contact: fresh(next) })?.reason,
        decision.reason,
        "it holds no longer then"
      )
      for (const part of [0.1, 0.5, 0.9, 0.999]) {
        const before = Math.floor(given.now + (from - given.now) * part)
        const earlier = { ...given, now: before, nextDialAt: Math.max(given.nextDialAt, before) }
        const still = decide({ ...earlier, contact: given.contact })
        if (decision.reason !== "on_the_phone" && decision.reason !== "daily_cap") {
          assert.notStrictEqual(still.verdict, "allow", "no call before")
        }
      }
    },
    { fastCheck: { numRuns: propertyRuns(2_000) } }
  )

  it.prop("postpones a number at its daily cap to the next day in the campaign's zone", [facts], ([given]) => {
    const decision = decide(given)
    if (decision.reason !== "daily_cap" || decision.not_before === null) return
    const { timezone } = given.campaign.allowed_schedule
    const date = (at: number) => Math.floor((at + zonePeriod(timezone, at).offset) / day)
    assert.isAbove(date(decision.not_before), date(given.now))
  }, { fastCheck: { numRuns: propertyRuns(1_500) } })

  it("explains every reason, with the moment where it is known", () => {
    for (const reason of GateReason.literals) {
      assert.match(explain({ reason, not_before: null }), /^[A-Z][^.;]*\.$/)
      assert.match(explain({ reason, not_before: 0 }), /; not before 1970-01-01T00:00:00\.000Z\.$/)
    }
  })
})

/** The campaign once it has started. */
const started = (campaign: Campaign): Campaign =>
  campaign.status === "scheduled" ? new Campaign({ ...campaign, status: "active" }) : campaign

/** The same contact on another day: not in a call, and without dials on that day. */
const fresh = ({ contact }: GateFacts): GateFacts["contact"] =>
  contact && { ...contact, onThePhone: false, dialsToday: 0 }

describe("decide", () => {
  const open = Schema.decodeUnknownSync(AllowedSchedule)({
    allowed_start_time: "09:00",
    allowed_end_time: "18:00",
    allowed_days: ["Monday", "Tuesday"],
    timezone: "Asia/Kolkata"
  })
  const [monday, tuesday] = [Date.parse("2026-06-15T04:30:00Z"), Date.parse("2026-06-16T04:30:00Z")]
  const dueContact: ContactFacts = {
    due_at: 0,
    since: "new",
    stopped: false,
    blocked: false,
    onThePhone: false,
    dialsToday: 0
  }
  const given: GateFacts = {
    now: monday,
    campaign: campaignOf(open, "active", monday - day, monday + 7 * day),
    agentCommitted: true,
    line: { _tag: "Free" },
    nextDialAt: 0,
    dailyCap: 2,
    contact: dueContact
  }
  const status = (name: Campaign["status"]) => ({ campaign: campaignOf(open, name, monday - day, monday + 7 * day) })
  const withContact = (change: Partial<ContactFacts>) => ({ contact: { ...dueContact, ...change } })
  const table: ReadonlyArray<readonly [string, Partial<GateFacts>, GateResult["verdict"], GateReason, number | null]> =
    [
      ["is allowed", {}, "allow", "allowed", null],
      ["knows cancelled campaigns", status("cancelled"), "never", "campaign_cancelled", null],
      ["knows ended campaigns", status("ended"), "never", "campaign_ended", null],
      ["knows campaigns at their end", { now: monday + 7 * day }, "never", "campaign_ended", null],
      ["knows paused campaigns", status("paused"), "not_before", "campaign_paused", null],
      ["knows campaigns to come", status("scheduled"), "not_before", "campaign_scheduled", monday],
      [
        "waits for the start and then for the window",
        { campaign: campaignOf(open, "scheduled", monday + 10 * hour, monday + 7 * day) },
        "not_before",
        "campaign_scheduled",
        Date.parse("2026-06-16T03:30:00Z")
      ],
      ["waits for the window", { now: monday + 10 * hour }, "not_before", "outside_window", tuesday - hour],
      [
        "rules a call out when no window opens before the end",
        { now: tuesday + 10 * hour, campaign: campaignOf(open, "active", monday - day, tuesday + day) },
        "never",
        "past_end",
        null
      ],
      ["waits for the agent's version", { agentCommitted: false }, "not_before", "agent_version", null],
      [
        "rules a call out without a committed agent when no window opens before the end",
        {
          agentCommitted: false,
          now: tuesday + 10 * hour,
          campaign: campaignOf(open, "active", monday - day, tuesday + day)
        },
        "never",
        "past_end",
        null
      ],
      ["keeps the stopped out", withContact({ stopped: true, blocked: true }), "never", "stopped", null],
      [
        "keeps the blocked out",
        { ...withContact({ blocked: true }), ...status("paused") },
        "never",
        "blocked_number",
        null
      ],
      [
        "waits for a retry",
        withContact({ due_at: monday + hour, since: "retry_interval" }),
        "not_before",
        "retry_interval",
        monday + hour
      ],
      [
        "moves a retry into the window",
        withContact({ due_at: monday + 9 * hour, since: "retry_interval" }),
        "not_before",
        "retry_interval",
        tuesday - hour
      ],
      [
        "rules out a retry that comes too late",
        {
          ...withContact({ due_at: monday + 6 * day, since: "retry_interval" }),
          campaign: campaignOf(open, "active", monday - day, monday + 6 * day + hour)
        },
        "never",
        "past_end",
        null
      ],
      [
        "postpones a contact in another call",
        withContact({ onThePhone: true }),
        "not_before",
        "on_the_phone",
        monday + 30_000
      ],
      ["keeps the daily cap", withContact({ dialsToday: 2 }), "not_before", "daily_cap", tuesday - hour],
      ["knows missing lines", { line: { _tag: "Missing" } }, "not_before", "line_missing", null],
      [
        "waits until a paused line is probed",
        { line: { _tag: "Paused", until: monday + minute } },
        "not_before",
        "line_paused",
        monday + minute
      ],
      ["forgets pauses that are over", { line: { _tag: "Paused", until: monday } }, "allow", "allowed", null],
      ["knows busy lines", { line: { _tag: "Busy" } }, "not_before", "no_capacity", null],
      ["keeps the rate", { nextDialAt: monday + 500 }, "not_before", "rate", monday + 500]
    ]
  for (const [name, change, verdict, reason, not_before] of table) {
    it(`it ${name}`, () => {
      const facts = { ...given, ...change }
      assert.deepStrictEqual(decide(facts), { verdict, reason, at: facts.now, not_before })
    })
  }
})

describe("nextDay", () => {
  it.prop(
    "begins when the local date changes",
    [moment, FastCheck.constantFrom(...zones)],
    ([at, zone]) => {
      const date = (moment: number) => Math.floor((moment + zonePeriod(zone, moment).offset) / day)
      const next = nextDay(zone, at)
      assert.isAbove(next, at)
      assert.isAtMost(next, at + 25.5 * hour)
      assert.isAbove(date(next), date(at))
      assert.strictEqual(date(next - 1), date(at))
    },
    { fastCheck: { numRuns: propertyRuns(2_000) } }
  )
})
