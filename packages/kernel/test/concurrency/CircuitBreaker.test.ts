import { assert, describe, it } from "@effect/vitest"
import { CircuitBreaker, type CircuitBreakerOptions, SlidingWindow } from "@trunkline/kernel"

const options: CircuitBreakerOptions = { minimumCalls: 4, window: "30 seconds", openFor: "15 seconds" }

/** Makes calls that end at once, all with the same outcome. */
const calls = (breaker: CircuitBreaker, outcome: "success" | "failure", count: number, now = 0) => {
  for (let call = 0; call < count; call++) breaker.settle(breaker.enter(now), outcome, now)
}

const opened = (more: CircuitBreakerOptions = {}) => {
  const breaker = new CircuitBreaker({ ...options, ...more })
  calls(breaker, "failure", 4)
  return breaker
}

describe("a circuit breaker", () => {
  it("opens when enough calls in the window failed", () => {
    const breaker = new CircuitBreaker(options)
    calls(breaker, "failure", 3)
    assert.strictEqual(breaker.wait(0), 0)
    calls(breaker, "failure", 1)
    assert.strictEqual(breaker.wait(1_000), 14_000)
    assert.deepStrictEqual(breaker.openedAfter, { calls: 4, failures: 4 })
  })

  it("stays closed for a share of failures below the threshold", () => {
    const breaker = new CircuitBreaker(options)
    calls(breaker, "success", 5)
    calls(breaker, "failure", 4)
    assert.strictEqual(breaker.wait(0), 0)
    calls(breaker, "failure", 1)
    assert.isAbove(breaker.wait(0), 0)
  })

  it("forgets calls that have left the window", () => {
    const breaker = new CircuitBreaker(options)
    calls(breaker, "failure", 3)
    calls(breaker, "failure", 3, 30_000)
    assert.strictEqual(breaker.wait(30_000), 0)
  })

  it("lets one probe through at a time and closes when it succeeds", () => {
    const breaker = opened()
    const probe = breaker.enter(15_000)
    assert.strictEqual(breaker.wait(15_000), 15_000)
    breaker.settle(probe, "success", 16_000)
    assert.strictEqual(breaker.wait(16_000), 0)
    assert.isNull(breaker.openedAfter)
  })

  it("opens again when a probe fails, twice as long each time up to the maximum", () => {
    const breaker = opened({ maximumOpenFor: "50 seconds" })
    let now = 0
    const waits = [1, 2, 3, 4].map(() => {
      const wait = breaker.wait(now)
      now += wait
      breaker.settle(breaker.enter(now), "failure", now)
      return wait
    })
    assert.deepStrictEqual(waits, [15_000, 30_000, 50_000, 50_000])
  })

  it("starts with the shortest open time after it has closed", () => {
    const breaker = opened({ maximumOpenFor: "60 seconds" })
    breaker.settle(breaker.enter(15_000), "failure", 15_000)
    breaker.settle(breaker.enter(45_000), "success", 45_000)
    calls(breaker, "failure", 4, 45_000)
    assert.strictEqual(breaker.wait(45_000), 15_000)
  })

  it("lets the next probe through at once after an ignored one, or after the probe timeout", () => {
    const breaker = opened({ probeTimeout: "2 minutes" })
    breaker.settle(breaker.enter(15_000), "ignored", 16_000)
    assert.strictEqual(breaker.wait(16_000), 0)
    breaker.enter(16_000)
    assert.strictEqual(breaker.wait(16_000), 120_000)
    assert.strictEqual(breaker.wait(136_000), 0)
  })

  it("does not count calls that began before it last opened or closed", () => {
    const breaker = new CircuitBreaker(options)
    const early = breaker.enter(0)
    calls(breaker, "failure", 4)
    breaker.settle(early, "success", 1_000)
    assert.strictEqual(breaker.wait(1_000), 14_000)
    breaker.settle(breaker.enter(15_000), "success", 15_000)
    for (let call = 0; call < 4; call++) breaker.settle(early, "failure", 15_000)
    assert.strictEqual(breaker.wait(15_000), 0)
  })
})

describe("a sliding window", () => {
  it("counts calls and failures until they are as old as the window", () => {
    const window = new SlidingWindow(10_000)
    window.add(500, true)
    window.add(5_000, false)
    assert.deepStrictEqual(window.totals(9_999), { calls: 2, failures: 1 })
    assert.deepStrictEqual(window.totals(10_000), { calls: 1, failures: 0 })
    window.clear()
    assert.deepStrictEqual(window.totals(10_000), { calls: 0, failures: 0 })
  })
})
