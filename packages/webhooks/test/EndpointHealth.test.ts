import { assert, describe, it } from "@effect/vitest"
import {
  afterTry,
  breaker,
  disabledError,
  type EndpointHealth,
  type EndpointSignal,
  healthy,
  overdueBefore,
  pauseError,
  startProbe
} from "@trunkline/webhooks"
import { Duration, FastCheck } from "effect"

const fails = (health: EndpointHealth, now: number, started_at = now) =>
  afterTry(health, { sign: "fails", started_at, now })

const failing = (times: number, now: number) => {
  let health = healthy
  for (let count = 0; count < times; count++) health = fails(health, now)
  return health
}

/** Health after failed probes, each as early as possible. */
const probed = (times: number) => {
  let health = failing(breaker.failures, 0)
  for (let count = 0; count < times; count++) {
    const at = health.paused_until
    health = fails(startProbe(health, at, 60_000), at + 1, at)
  }
  return health
}

const step = FastCheck.record({
  sign: FastCheck.constantFrom<EndpointSignal>("works", "fails", "gone"),
  after: FastCheck.integer({ min: 0, max: 100_000 }),
  began: FastCheck.integer({ min: 0, max: 15_000 }),
  probes: FastCheck.boolean()
})

describe("the health of an endpoint", () => {
  it("is not paused before the fifth consecutive failure, and a success resets the count", () => {
    assert.strictEqual(failing(4, 10).paused_until, 0)
    assert.strictEqual(failing(5, 10).paused_until, 30_010)
    assert.deepStrictEqual(afterTry(failing(4, 10), { sign: "works", started_at: 0, now: 11 }), healthy)
    assert.deepStrictEqual(afterTry(probed(3), { sign: "works", started_at: 0, now: 11 }), healthy)
  })

  it("is paused for 30 seconds, then twice as long after each failed probe, up to ten minutes", () => {
    const pauses = Array.from({ length: 8 }, (_, times) => {
      const { failed_at, paused_until } = probed(times)
      return (paused_until - (failed_at ?? 0)) / 1000
    })
    assert.deepStrictEqual(pauses, [30, 60, 120, 240, 480, 600, 600, 600])
  })

  it("does not extend the pause for tries that began before it", () => {
    const paused = failing(5, 100)
    const later = fails(paused, 9_000, 90)
    assert.deepStrictEqual([later.paused_until, later.pauses, later.failures], [30_100, 1, 6])
  })

  it("gives up nothing while it is not paused", () => {
    assert.isNull(overdueBefore(failing(4, 10)))
    assert.strictEqual(overdueBefore(failing(5, 10)), 10 - Duration.toMillis(Duration.days(4)))
  })

  it("reports why webhooks wait, and until when", () => {
    assert.isNull(pauseError(failing(4, 0)))
    assert.strictEqual(
      pauseError(failing(5, 0)),
      "The receiver failed 5 times in a row: from 1970-01-01T00:00:30.000Z on, one webhook at a time is tried"
    )
    assert.include(disabledError, "HTTP 410")
  })

  it.prop(
    "pauses for at most ten minutes, recovers after any success, and stays disabled",
    [FastCheck.array(step)],
    ([steps]) => {
      let health = healthy
      let now = 1_000_000
      for (const { after, began, probes, sign } of steps) {
        now += after
        const before = health
        if (probes && health.pauses > 0) health = startProbe(health, now, 60_000)
        health = afterTry(health, { sign, started_at: probes ? now : now - began, now })
        assert.isAtMost(health.paused_until - now, Duration.toMillis(breaker.maxPause))
        if (sign === "works") assert.deepStrictEqual({ ...health, disabled_at: null }, healthy)
        if (before.disabled_at !== null) assert.strictEqual(health.disabled_at, before.disabled_at)
        if (sign === "fails") assert.isTrue(health.failures < breaker.failures || health.pauses > 0)
      }
    }
  )
})
