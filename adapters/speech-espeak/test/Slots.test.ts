import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck, Fiber, FiberId, Scheduler } from "effect"
import { makeSlots } from "../src/Slots.js"

const longWait = 60_000

/** Acquires a slot, logs that, and keeps it until it is interrupted. */
const holding = ({ acquire }: ReturnType<typeof makeSlots>, name: string, log: Array<string>) =>
  Effect.fork(Effect.scoped(Effect.zipRight(
    Effect.tap(acquire, () => void log.push(name)),
    Effect.never
  )))

/** Runs every fiber as far as it gets. */
const settle = Effect.repeatN(Effect.yieldNow(), 20)

/** Runs a fiber, and interrupts it once, after so many steps. */
const interruptingAfter = (steps: number): Scheduler.Scheduler => {
  let remaining = steps
  return {
    scheduleTask: (task, priority) => Scheduler.defaultScheduler.scheduleTask(task, priority),
    shouldYield: (fiber) => {
      if (remaining-- === 0) fiber.unsafeInterruptAsFork(FiberId.none)
      return false
    }
  }
}

/** Number of steps after which each caller is interrupted. */
const visits = FastCheck.array(FastCheck.nat(60), { minLength: 1, maxLength: 12 })

describe("slots", () => {
  it.effect("are limited in number, and pass to waiting callers in order of arrival", () =>
    Effect.gen(function*() {
      const slots = makeSlots({ size: 2, waiting: 9, waitMillis: longWait })
      const log: Array<string> = []
      const one = yield* holding(slots, "one", log)
      const two = yield* holding(slots, "two", log)
      yield* holding(slots, "three", log)
      const four = yield* holding(slots, "four", log)
      yield* holding(slots, "five", log)
      yield* settle
      assert.deepStrictEqual(log, ["one", "two"])
      yield* Fiber.interrupt(two)
      yield* settle
      assert.deepStrictEqual(log, ["one", "two", "three"])
      yield* Fiber.interrupt(four)
      yield* Fiber.interrupt(one)
      yield* settle
      assert.deepStrictEqual(log, ["one", "two", "three", "five"])
    }))

  it.effect("can be released before the scope ends, once only", () =>
    Effect.gen(function*() {
      const slots = makeSlots({ size: 1, waiting: 9, waitMillis: longWait })
      const log: Array<string> = []
      yield* Effect.scoped(Effect.gen(function*() {
        const release = yield* slots.acquire
        release()
        release()
        yield* holding(slots, "next", log)
        yield* settle
        assert.deepStrictEqual(log, ["next"])
      }))
      yield* holding(slots, "last", log)
      yield* settle
      assert.deepStrictEqual(log, ["next"])
    }))

  it.scoped("are not lost when a caller is interrupted as it gets one", () =>
    Effect.gen(function*() {
      const slots = makeSlots({ size: 1, waiting: 9, waitMillis: longWait })
      const log: Array<string> = []
      const release = yield* slots.acquire
      const two = yield* holding(slots, "two", log)
      yield* settle
      release()
      two.unsafeInterruptAsFork(FiberId.none)
      yield* Fiber.await(two)
      yield* holding(slots, "three", log)
      yield* settle
      assert.deepStrictEqual(log.at(-1), "three")
    }))

  it.effect.prop(
    "are all free again after interruptions at any step",
    [visits],
    ([visits]) =>
      Effect.gen(function*() {
        const size = 2
        const slots = makeSlots({ size, waiting: 9, waitMillis: longWait })
        const visit = Effect.scoped(Effect.zipRight(slots.acquire, Effect.yieldNow()))
        const fibers = yield* Effect.forEach(
          visits,
          (steps) => Effect.fork(Effect.withScheduler(visit, interruptingAfter(steps)))
        )
        yield* Effect.forEach(fibers, Fiber.await)
        const log: Array<string> = []
        const names = ["one", "two", "three"]
        const stayers = yield* Effect.forEach(names, (name) => holding(slots, name, log))
        yield* settle
        assert.deepStrictEqual(log, names.slice(0, size))
        yield* Fiber.interruptAll(stayers)
      }),
    { fastCheck: { numRuns: propertyRuns(100) } }
  )

  it.effect("are refused at once when too many wait, with a time to retry", () =>
    Effect.gen(function*() {
      const slots = makeSlots({ size: 1, waiting: 1, waitMillis: longWait })
      const log: Array<string> = []
      yield* holding(slots, "one", log)
      const two = yield* holding(slots, "two", log)
      yield* settle
      const refusal = yield* Effect.flip(Effect.scoped(slots.acquire))
      assert.strictEqual(refusal._tag, "ModelUnavailable")
      assert.isDefined(refusal.retryAfter)
      yield* Fiber.interrupt(two)
      yield* holding(slots, "three", log)
      yield* settle
      assert.deepStrictEqual(log, ["one"])
    }))

  it.live("are refused after the time limit, and are not lost by it", () =>
    Effect.gen(function*() {
      const slots = makeSlots({ size: 1, waiting: 9, waitMillis: 5 })
      const log: Array<string> = []
      const one = yield* holding(slots, "one", log)
      yield* settle
      assert.strictEqual((yield* Effect.flip(Effect.scoped(slots.acquire)))._tag, "ModelUnavailable")
      yield* Fiber.interrupt(one)
      yield* holding(slots, "two", log)
      yield* settle
      assert.deepStrictEqual(log, ["one", "two"])
    }))
})
