import { CampaignId, dayNames, TimeZone } from "@trunkline/kernel"
import { DateTime, FastCheck, Schema } from "effect"
import type { BudgetFacts } from "../../src/campaign/CampaignBudget.js"
import type { ContactFacts, GateFacts } from "../../src/gate/GateFacts.js"
import { AllowedSchedule, type Campaign, type GateReason, type LineStatus } from "../../src/index.js"
import { campaign as fixture } from "../../src/testing/Fixtures.js"

/** Zones with whole and half hours, both ways of summer time, one of half an hour, and none. */
export const zones = [
  "America/New_York",
  "Europe/London",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "America/Santiago",
  "UTC"
]
  .map((zone) => Schema.decodeSync(TimeZone)(zone))

export const minute = 60_000

export const hour = 60 * minute

export const day = 24 * hour

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

export const moment = FastCheck.tuple(
  FastCheck.constantFrom(...weeks),
  FastCheck.integer({ min: -4 * 24 * 60 * 2, max: 4 * 24 * 60 * 2 })
).map(([week, halfMinutes]) => week + halfMinutes * 30_000)

export const campaignOf = (
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

/** A budget of 1, of which a tenth is set aside for each of the running calls. */
export const budgetOf = (change: Partial<BudgetFacts>): BudgetFacts => ({
  currency: "USD",
  limit: 1_000_000,
  spent: 0,
  reserve: 100_000,
  running: 0,
  ...change
})

export const contact: FastCheck.Arbitrary<(now: number) => ContactFacts> = FastCheck.record({
  due: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: -day, max: 3 * day })),
  since: FastCheck.constantFrom<GateReason>("new", "retry_interval"),
  isStopped: rarely(),
  isBlocked: rarely(),
  isOnThePhone: rarely(),
  dialsToday: FastCheck.nat(4)
}).map(({ due, ...facts }) => (now) => ({ ...facts, due_at: now + due }))

function rarely() {
  return FastCheck.integer({ min: 0, max: 5 }).map((chance) => chance === 0)
}

const free = (): LineStatus => ({ _tag: "Free" })

export const facts: FastCheck.Arbitrary<GateFacts> = FastCheck.record({
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
  isAgentCommitted: FastCheck.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
  line: FastCheck.constantFrom<(now: number) => LineStatus>(
    free,
    free,
    free,
    () => ({ _tag: "Missing" }),
    () => ({ _tag: "Busy", limits: [] }),
    (now) => ({ _tag: "Paused", until: now + 30_000 })
  ),
  wait: FastCheck.constantFrom(-1, 0, 250),
  dailyCap: FastCheck.constantFrom(Infinity, 1, 3),
  budget: FastCheck.constantFrom(null, null, ...[0, 900_000, 1_000_000].map((spent) => budgetOf({ spent }))),
  contact: FastCheck.option(contact)
}).map(({ budget, dailyCap, isAgentCommitted, length, line, now, contact, schedule, start, status, wait }) => ({
  now,
  campaign: campaignOf(schedule, status, now + start, now + start + length),
  isAgentCommitted,
  dailyCap,
  budget,
  line: line(now),
  nextDialAt: now + wait,
  contact: contact === null ? null : contact(now)
}))
