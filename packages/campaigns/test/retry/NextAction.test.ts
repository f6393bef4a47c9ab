import { assert, describe, it } from "@effect/vitest"
import { InteractionId } from "@trunkline/kernel"
import { type CallOutcome, type CallReport, notConnected } from "@trunkline/telephony"
import { FastCheck, Schema } from "effect"
import { noRetries, RetryConfig, type RetryCounters } from "../../src/index.js"
import { type NextAction, nextAction } from "../../src/retry/RetryTable.js"

const now = 1_700_000_000_000
const minutes = (count: number) => now + count * 60_000

const policy = (input: unknown = {}) => Schema.decodeUnknownSync(RetryConfig)(input)

const talked = (seconds: number, report: Partial<CallReport> = {}): CallOutcome => ({
  _tag: "Connected",
  interaction_id: InteractionId.make("20231114-x"),
  started_at: now - seconds * 1000,
  ended_at: now,
  report: {
    agent_done: true,
    ended_by: "agent",
    language_name: "English",
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

const decide = (outcome: CallOutcome, config: RetryConfig | null = policy(), counters: RetryCounters = noRetries) =>
  nextAction({ outcome, policy: config, counters, now })

const expectAction = (action: NextAction | null, status: NextAction["status"] | null, due?: number) => {
  assert.strictEqual(action?.status ?? null, status)
  if (due !== undefined) assert.strictEqual(action?.due, due)
}

const on = { enabled: true }
const off = { enabled: false }
const busy = notConnected("busy", null)
const noAnswer = notConnected("no_answer", null)
const failed = notConnected("failed", "simulator: invalid_number")
const providerError = notConnected("provider_error", "simulator: service unavailable")
const internal = notConnected("internal", "internal: the call broke off")

describe("nextAction", () => {
  it("retries an internal error on its own counter, before or during the call", () => {
    expectAction(decide(internal), "internal_error_retry", minutes(5))
    expectAction(decide(talked(40, { fault: "internal: model" })), "internal_error_retry", minutes(5))
    assert.deepStrictEqual(decide(internal)?.counters, { main: 0, provider: 0, internal: 1 })
    expectAction(decide(internal, policy(), { main: 0, provider: 0, internal: 3 }), null)
    expectAction(decide(internal, policy({ retry_on: { internal_error: off } })), null)
  })

  it("retries a provider error on its own counter", () => {
    expectAction(decide(providerError), "provider_error_retry", minutes(5))
    const own = policy({ retry_on: { provider_error: { enabled: true, max_retries: 1, retry_interval_minutes: 7 } } })
    expectAction(decide(providerError, own), "provider_error_retry", minutes(7))
    expectAction(decide(providerError, own, { main: 0, provider: 1, internal: 0 }), null)
  })

  it("treats a provider error without retries left as failed", () => {
    const config = policy({ retry_on: { failed: on, provider_error: off } })
    expectAction(decide(providerError, config), "retry", minutes(30))
    expectAction(decide(providerError, config, { main: 3, provider: 0, internal: 0 }), null)
  })

  it("retries busy and no answer by default, and failed only when enabled", () => {
    expectAction(decide(busy), "retry", minutes(30))
    expectAction(decide(noAnswer), "retry", minutes(30))
    expectAction(decide(failed), null)
    expectAction(decide(failed, policy({ retry_on: { failed: on } })), "retry", minutes(30))
    expectAction(decide(busy, policy({ retry_on: { busy: off } })), null)
    expectAction(decide(noAnswer, policy({ retry_on: { no_answer: off } })), null)
  })

  it("waits item k of the intervals before retry k + 1, and repeats the last item", () => {
    const config = policy({ max_retries: 4, retry_interval_minutes: [1, 10] })
    const waits = [0, 1, 2, 3].map((main) => decide(busy, config, { main, provider: 0, internal: 0 })?.due)
    assert.deepStrictEqual(waits, [minutes(1), minutes(10), minutes(10), minutes(10)])
    expectAction(decide(busy, config, { main: 4, provider: 0, internal: 0 }), null)
  })

  it("keeps a promised callback at its time without a counter, even without a retry policy", () => {
    const promised = talked(60, { reschedule_at: minutes(90), business_retry: true })
    expectAction(decide(promised, policy(), { main: 3, provider: 3, internal: 3 }), "reschedule", minutes(90))
    expectAction(decide(promised, null), "reschedule", minutes(90))
    assert.deepStrictEqual(decide(promised)?.counters, noRetries)
  })

  it("charges another try that the agent asks for to the main counter", () => {
    const again = talked(60, { business_retry: true })
    expectAction(decide(again), "business_retry", minutes(30))
    assert.deepStrictEqual(decide(again)?.counters.main, 1)
    expectAction(decide(again, policy(), { main: 3, provider: 0, internal: 0 }), null)
  })

  it("retries a conversation below the threshold when that is enabled", () => {
    const config = policy({ retry_on: { short_duration: { enabled: true, threshold_seconds: 20 } } })
    expectAction(decide(talked(19.9, { agent_done: false }), config), "short_duration_retry", minutes(30))
    expectAction(decide(talked(20), config), null)
    expectAction(decide(talked(5)), null)
    expectAction(decide(talked(5), policy({ retry_on: { short_duration: on } })), "short_duration_retry", minutes(30))
  })

  it("finishes after a complete conversation and after an unknown dial", () => {
    expectAction(decide(talked(60)), null)
    expectAction(decide(notConnected("unknown", "unknown")), null)
  })

  it("retries nothing without a retry policy", () => {
    for (const outcome of [busy, noAnswer, failed, providerError, internal, talked(1)]) {
      expectAction(decide(outcome, null), null)
    }
  })

  it.prop(
    "never exceeds the limits of a policy, and charges each retry to one counter",
    [
      FastCheck.constantFrom(
        busy,
        noAnswer,
        failed,
        providerError,
        internal,
        talked(5),
        talked(90, { business_retry: true })
      ),
      FastCheck.record({
        main: FastCheck.nat({ max: 25 }),
        provider: FastCheck.nat({ max: 25 }),
        internal: FastCheck.nat({ max: 25 })
      }),
      FastCheck.nat({ max: 20 }),
      FastCheck.boolean()
    ],
    ([outcome, counters, max_retries, enabled]) => {
      const own = { enabled, max_retries, retry_interval_minutes: 3 }
      const config = policy({
        max_retries,
        retry_on: { failed: { enabled }, short_duration: { enabled }, provider_error: own, internal_error: own }
      })
      const action = decide(outcome, config, counters)
      if (action === null) return
      const spent = action.counters.main + action.counters.provider + action.counters.internal -
        (counters.main + counters.provider + counters.internal)
      assert.strictEqual(spent, 1)
      assert.isTrue(action.counters.main <= Math.max(max_retries, counters.main))
      assert.isTrue(action.counters.provider <= Math.max(max_retries, counters.provider))
      assert.isTrue(action.counters.internal <= Math.max(max_retries, counters.internal))
      assert.isAbove(action.due, now)
    }
  )
})
