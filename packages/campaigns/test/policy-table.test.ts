import { assert, describe, it } from "@effect/vitest"
import { InteractionId, isOpen, type NextActionStatus } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { type CallOutcome, type CallReport, notConnected } from "@trunkline/telephony"
import { DateTime, FastCheck, Schema } from "effect"
import { type Campaign, dialWindow, type GateReason, noRetries, RetryConfig, type RetryCounters } from "../src/index.js"
import { campaign as fixture } from "../src/laws/Fixtures.js"
import { concludeAttempt } from "../src/retry/Conclusion.js"
import { nextAction } from "../src/retry/RetryTable.js"

const now = Date.parse("2026-06-15T06:00:00Z")
const minute = 60_000
const callBack = now + 77 * minute

const talked = (seconds: number, report: Partial<CallReport>): CallOutcome => ({
  _tag: "Connected",
  interaction_id: InteractionId.make("20260615-x"),
  started_at: now - seconds * 1000,
  ended_at: now,
  report: {
    agent_done: false,
    ended_by: "user",
    language_name: null,
    transcript: [],
    final_agent_variables: {},
    output_agent_variables: {},
    average_agent_response_seconds: null,
    average_user_response_seconds: null,
    business_retry: false,
    reschedule_at: null,
    fault: null,
    ...report
  }
})

/** A situation that the retry table distinguishes. */
interface Situation {
  readonly name: string
  readonly outcome: CallOutcome
  readonly is: ReadonlySet<
    "fault" | "provider" | "busy" | "no_answer" | "failed" | "connected" | "call back" | "again" | "short"
  >
}

const conversations = [0, 1, 2, 3, 4, 5, 6, 7].map((bits): Situation => {
  const [promised, again, short] = [(bits & 1) > 0, (bits & 2) > 0, (bits & 4) > 0]
  return {
    name: `a talk${short ? ", short" : ""}${promised ? ", with a call back" : ""}${again ? ", to be tried again" : ""}`,
    outcome: talked(short ? 12 : 40, { reschedule_at: promised ? callBack : null, business_retry: again }),
    is: new Set([
      "connected",
      ...(promised ? ["call back" as const] : []),
      ...(again ? ["again" as const] : []),
      ...(short ? ["short" as const] : [])
    ])
  }
})

const situations: ReadonlyArray<Situation> = [
  { name: "a fault before the call", outcome: notConnected("internal", "internal: x"), is: new Set(["fault"]) },
  {
    name: "a fault during a short call, with all promises",
    outcome: talked(3, { fault: "internal: x", reschedule_at: callBack, business_retry: true }),
    is: new Set(["fault"])
  },
  { name: "a provider error", outcome: notConnected("provider_error", "p: x"), is: new Set(["provider", "failed"]) },
  { name: "busy", outcome: notConnected("busy", null), is: new Set(["busy"]) },
  { name: "no answer", outcome: notConnected("no_answer", null), is: new Set(["no_answer"]) },
  { name: "failed", outcome: notConnected("failed", "p: invalid"), is: new Set(["failed"]) },
  { name: "unknown", outcome: notConnected("unknown", "unknown: x"), is: new Set() },
  { name: "blocked", outcome: notConnected("blocked", "blocked_number"), is: new Set() },
  ...conversations
]

type Key = "internal_error" | "provider_error" | "busy" | "no_answer" | "failed" | "short_duration"
type Counter = keyof RetryCounters

/** A row of the retry table as documented: its condition, key, counter and due time. */
interface Row {
  readonly when: (situation: Situation) => boolean
  readonly key: ((situation: Situation) => Key) | null
  readonly counter: Counter | null
  readonly status: NextActionStatus
  readonly due: number
}

const intervals = { main: [11, 23], provider: 5, internal: 7 }

const table = (usedMain: number): ReadonlyArray<Row> => {
  const main = now + (intervals.main[Math.min(usedMain, 1)] ?? 0) * minute
  const [busy, silent, failed] = (["busy", "no_answer", "failed"] as const).map((key): Row => ({
    when: ({ is }) => is.has(key),
    key: () => key,
    counter: "main",
    status: "retry",
    due: main
  }))
  return [
    {
      when: ({ is }) => is.has("fault"),
      key: () => "internal_error",
      counter: "internal",
      status: "internal_error_retry",
      due: now + intervals.internal * minute
    },
    {
      when: ({ is }) => is.has("provider"),
      key: () => "provider_error",
      counter: "provider",
      status: "provider_error_retry",
      due: now + intervals.provider * minute
    },
    ...[busy, silent, failed].flatMap((row) => row ?? []),
    { when: ({ is }) => is.has("call back"), key: null, counter: null, status: "reschedule", due: callBack },
    { when: ({ is }) => is.has("again"), key: null, counter: "main", status: "business_retry", due: main },
    {
      when: ({ is }) => is.has("short"),
      key: () => "short_duration",
      counter: "main",
      status: "short_duration_retry",
      due: main
    }
  ]
}

const keys: ReadonlyArray<Key> = ["internal_error", "provider_error", "busy", "no_answer", "failed", "short_duration"]
const limits = { main: 2, provider: 3, internal: 4 }

/** Every combination of enabled keys, and no policy. */
const policies: ReadonlyArray<ReadonlySet<Key> | null> = [
  null,
  ...Array.from(
    { length: 2 ** keys.length },
    (_, bits) => new Set(keys.filter((_key, index) => (bits >> index) % 2 === 1))
  )
]

const policyOf = (enabled: ReadonlySet<Key>): RetryConfig => {
  const on = (key: Key) => ({ enabled: enabled.has(key) })
  return Schema.decodeUnknownSync(RetryConfig)({
    max_retries: limits.main,
    retry_interval_minutes: intervals.main,
    retry_on: {
      busy: on("busy"),
      no_answer: on("no_answer"),
      failed: on("failed"),
      short_duration: { ...on("short_duration"), threshold_seconds: 20 },
      provider_error: {
        ...on("provider_error"),
        max_retries: limits.provider,
        retry_interval_minutes: intervals.provider
      },
      internal_error: {
        ...on("internal_error"),
        max_retries: limits.internal,
        retry_interval_minutes: intervals.internal
      }
    }
  })
}

/** Counters at zero, one below the limit, and at the limit. */
const counters: ReadonlyArray<RetryCounters> = [0, 1, 2].flatMap((main) =>
  [0, 2, 3].flatMap((provider) => [0, 3, 4].map((internal) => ({ main, provider, internal })))
)

/** The first row that applies; undefined without one. */
const oracle = (situation: Situation, enabled: ReadonlySet<Key> | null, used: RetryCounters) => {
  const row = table(used.main).find(({ counter, key, when }) =>
    when(situation) &&
    (key === null || enabled?.has(key(situation)) === true) &&
    (counter === null || (enabled !== null && used[counter] < limits[counter]))
  )
  if (row === undefined) return null
  const { counter, due, status } = row
  return { status, due, counters: counter === null ? used : { ...used, [counter]: used[counter] + 1 } }
}

describe("the retry table", () => {
  for (const situation of situations) {
    it(`after ${situation.name}: follows the retry table, for every policy and all counters`, () => {
      for (const enabled of policies) {
        const policy = enabled && policyOf(enabled)
        for (const used of counters) {
          assert.deepStrictEqual(
            nextAction({ outcome: situation.outcome, policy, counters: used, now }),
            oracle(situation, enabled, used),
            JSON.stringify({ enabled: enabled && [...enabled], used })
          )
        }
      }
    })
  }
})

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
const busy = notConnected("busy", null)

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
