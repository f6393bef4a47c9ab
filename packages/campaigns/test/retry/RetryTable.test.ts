import { assert, describe, it } from "@effect/vitest"
import type { NextActionStatus } from "@trunkline/kernel"
import { type CallOutcome, notConnected } from "@trunkline/telephony"
import { Schema } from "effect"
import { RetryConfig, type RetryCounters } from "../../src/index.js"
import { nextAction } from "../../src/retry/RetryTable.js"
import { counters, minute, now, talked } from "./PolicyFixtures.js"

const callBack = now + 77 * minute

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

type Counter = Exclude<keyof RetryCounters, "measured" | "messages">

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
