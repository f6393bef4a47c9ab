import { assert, describe, it } from "@effect/vitest"
import { isOpen } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { type CallOutcome, notConnected } from "@trunkline/telephony"
import { DateTime, FastCheck, Schema } from "effect"
import { type Campaign, dialWindow, type GateReason, noRetries, RetryConfig } from "../../src/index.js"
import { concludeAttempt } from "../../src/retry/Conclusion.js"
import { campaign as fixture } from "../../src/testing/Fixtures.js"
import { busy, minute, now, talked } from "./PolicyFixtures.js"

const hour = 60 * minute

const daily = (change: Partial<Campaign> = {}) =>
  fixture("camp-conclusion", {
    status: "active",
    start_timestamp: DateTime.unsafeMake(now - 24 * hour),
    end_timestamp: DateTime.unsafeMake(now + 72 * hour),
    allowed_schedule: {
      allowed_start_time: "09:00",
      allowed_end_time: "18:00",
      allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday"],
      timezone: "Asia/Kolkata"
    },
    ...change
  })

const retrying = (minutes: number, change: Partial<Campaign> = {}) => {
  const campaign = daily(change)
  const retry_config = Schema.decodeSync(RetryConfig)({ retry_interval_minutes: minutes, max_retries: 1 })
  return daily({ ...change, app_config: { ...campaign.app_config, retry_config } })
}

/** A campaign that calls again after talks of less than 20 seconds, unless it is changed. */
const shortTalks = (change: typeof RetryConfig.Encoded) => {
  const again = { retry_on: { short_duration: { enabled: true, threshold_seconds: 20 } } }
  const retry_config = Schema.decodeSync(RetryConfig)({ ...again, ...change })
  return daily({ app_config: { ...daily().app_config, retry_config } })
}

describe("concludeAttempt", () => {
  const conclude = (outcome: CallOutcome, campaign: Campaign, counters = noRetries) =>
    concludeAttempt({ outcome, campaign, counters, now })

  it("schedules a retry in the window after its interval", () => {
    assert.deepStrictEqual(conclude(busy, retrying(30)), {
      status: "retry",
      decision: { verdict: "not_before", reason: "retry_interval", at: now, not_before: now + 30 * minute },
      next: { due_at: now + 30 * minute, counters: { main: 1, provider: 0, internal: 0 } }
    })
  })

  it("moves a retry outside the window to the next opening", () => {
    const opening = Date.parse("2026-06-16T03:30:00Z")
    assert.strictEqual(conclude(busy, retrying(9 * 60)).next?.due_at, opening)
    const promised = talked(60, { reschedule_at: Date.parse("2026-06-15T20:00:00Z") })
    assert.strictEqual(conclude(promised, daily()).next?.due_at, opening)
  })

  it("schedules no retry at or past the end", () => {
    for (const late of [60, 61]) {
      const ending = retrying(late, { end_timestamp: DateTime.unsafeMake(now + 60 * minute) })
      const { decision, next, status } = conclude(busy, ending)
      assert.deepStrictEqual([next, status, decision.verdict, decision.reason], [null, null, "never", "past_end"])
    }
    const before = retrying(59, { end_timestamp: DateTime.unsafeMake(now + 60 * minute) })
    assert.strictEqual(conclude(busy, before).status, "retry")
  })

  const ends: ReadonlyArray<readonly [string, CallOutcome, Campaign, GateReason]> = [
    ["a talk", talked(60, { agent_done: true }), retrying(1), "done"],
    ["a talk that broke off", talked(60, {}), retrying(1), "done"],
    [
      "no retry left",
      busy,
      fixture("camp-x", { status: "active", app_config: { ...daily().app_config, retry_config: null } }),
      "retries_exhausted"
    ],
    [
      "another try that is not left",
      talked(60, { business_retry: true }),
      fixture("camp-x", { status: "active", app_config: { ...daily().app_config, retry_config: null } }),
      "retries_exhausted"
    ],
    [
      "a short talk that may not be repeated any more",
      talked(12, {}),
      shortTalks({ max_retries: 0 }),
      "retries_exhausted"
    ],
    ["a short talk where those count", talked(12, {}), shortTalks({ retry_on: {} }), "done"],
    ["a talk as long as the threshold", talked(20, {}), shortTalks({ max_retries: 0 }), "done"],
    ["a dial with an unknown outcome", notConnected("unknown", "unknown: x"), retrying(1), "outcome_unknown"],
    ["a blocked number", notConnected("blocked", "blocked_number"), retrying(1), "blocked_number"],
    ["a campaign that was cancelled", busy, retrying(1, { status: "cancelled" }), "campaign_cancelled"],
    ["a campaign that has ended", busy, retrying(1, { status: "ended" }), "campaign_ended"]
  ]
  for (const [name, outcome, campaign, reason] of ends) {
    it(`${name} finishes the contact with ${reason}`, () => {
      const decision = { verdict: "never", reason, at: now, not_before: null } as const
      assert.deepStrictEqual(conclude(outcome, campaign), { status: null, decision, next: null })
    })
  }

  it("schedules the retries of a paused campaign", () => {
    assert.strictEqual(conclude(busy, retrying(1, { status: "paused" })).status, "retry")
  })

  it.prop(
    "schedules every next attempt in the window, after its interval and before the end",
    [
      FastCheck.integer({ min: 1, max: 10_080 }),
      FastCheck.integer({ min: 1, max: 200 }),
      FastCheck.integer({ min: 0, max: 23 }),
      FastCheck.integer({ min: 0, max: 7 * 24 * 60 })
    ],
    ([interval, hoursLeft, startHour, shift]) => {
      const at = now + shift * minute
      const allowed_start_time = `${String(startHour).padStart(2, "0")}:00`
      const campaign = retrying(interval, {
        end_timestamp: DateTime.unsafeMake(at + hoursLeft * hour),
        allowed_schedule: {
          allowed_start_time,
          allowed_end_time: `${String((startHour + 5) % 24).padStart(2, "0")}:30`,
          allowed_days: ["Sunday", "Tuesday"],
          timezone: "America/New_York"
        }
      })
      const { next, status } = concludeAttempt({ outcome: busy, campaign, counters: noRetries, now: at })
      assert.strictEqual(status === null, next === null)
      if (next === null) return
      assert.isTrue(isOpen(dialWindow(campaign.allowed_schedule), next.due_at))
      assert.isAtLeast(next.due_at, at + interval * minute)
      assert.isBelow(next.due_at, campaign.end_timestamp.epochMillis)
    },
    { fastCheck: { numRuns: propertyRuns(500) } }
  )
})
