import { assert, describe, it } from "@effect/vitest"
import { nextClaim } from "@trunkline/webhooks"
import { FastCheck } from "effect"

const origins = ["a", "b", "c", "d"]
const origin = FastCheck.constantFrom(...origins)
const limits = FastCheck.record({
  total: FastCheck.integer({ min: 1, max: 20 }),
  perOrigin: FastCheck.integer({ min: 1, max: 6 })
})

describe("nextClaim", () => {
  it("asks for a receiver's share when nothing runs, and for no more than is left in all", () => {
    assert.deepStrictEqual(nextClaim(new Map(), { total: 256, perOrigin: 10 }), { limit: 10, exceptOrigins: [] })
    assert.strictEqual(nextClaim(new Map([["a", 3]]), { total: 256, perOrigin: 10 }).limit, 7)
    assert.strictEqual(nextClaim(new Map([["a", 10], ["b", 5]]), { total: 16, perOrigin: 10 }).limit, 1)
  })

  it("passes over a receiver whose share is used up, and goes on with the others", () => {
    const plan = nextClaim(new Map([["a", 10], ["b", 1]]), { total: 256, perOrigin: 10 })
    assert.deepStrictEqual(plan, { limit: 9, exceptOrigins: ["a"] })
  })

  it.prop(
    "no limit is ever exceeded, whatever is waiting and whatever ends when",
    [limits, FastCheck.array(FastCheck.record({ waiting: FastCheck.array(origin, { maxLength: 12 }), ends: origin }))],
    ([limits, steps]) => {
      const inFlight = new Map<string, number>()
      const change = (origin: string, by: number) => {
        const running = Math.max(0, (inFlight.get(origin) ?? 0) + by)
        if (running === 0) inFlight.delete(origin)
        else inFlight.set(origin, running)
      }
      for (const { ends, waiting } of steps) {
        const { exceptOrigins, limit } = nextClaim(inFlight, limits)
        for (const origin of waiting.filter((origin) => !exceptOrigins.includes(origin)).slice(0, limit)) {
          change(origin, 1)
        }
        const running = [...inFlight.values()]
        assert.isAtMost(Math.max(0, ...running), limits.perOrigin)
        assert.isAtMost(running.reduce((sum, count) => sum + count, 0), limits.total)
        change(ends, -1)
      }
    }
  )

  it.prop("while there is room for a receiver, something may be claimed", [limits, FastCheck.array(origin)], (
    [limits, running]
  ) => {
    const inFlight = new Map<string, number>()
    for (const origin of running) inFlight.set(origin, Math.min(limits.perOrigin, (inFlight.get(origin) ?? 0) + 1))
    const total = [...inFlight.values()].reduce((sum, count) => sum + count, 0)
    FastCheck.pre(total <= limits.total)
    assert.strictEqual(nextClaim(inFlight, limits).limit > 0, total < limits.total)
  })
})
