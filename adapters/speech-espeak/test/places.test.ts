import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck, Fiber, FiberId, Scheduler } from "effect"
import { makePlaces } from "../src/engine/Places.js"

const forLong = 60_000

/** Notes when it begins, and stays until it is interrupted. */
const staying = ({ enter }: ReturnType<typeof makePlaces>, name: string, log: Array<string>) =>
  Effect.fork(Effect.scoped(Effect.zipRight(
    Effect.tap(enter, () => void log.push(name)),
    Effect.never
  )))

/** Lets every fiber go as far as it can. */
const settle = Effect.repeatN(Effect.yieldNow(), 20)

/** Runs a fiber, and interrupts it once, after so many steps. */
const interruptingAfter = (steps: number): Scheduler.Scheduler => {
  let left = steps
  return {
    scheduleTask: (task, priority) => Scheduler.defaultScheduler.scheduleTask(task, priority),
    shouldYield: (fiber) => {
      if (left-- === 0) fiber.unsafeInterruptAsFork(FiberId.none)
      return false
    }
  }
}

/** Those who come: after how many steps each is interrupted. */
const visits = FastCheck.array(FastCheck.nat(60), { minLength: 1, maxLength: 12 })

describe("places", () => {
  it.effect("are for so many at a time, and go to the others in the order in which they came", () =>
    Effect.gen(function*() {
      const places = makePlaces({ size: 2, waiting: 9, patience: forLong })
      const log: Array<string> = []
      const one = yield* staying(places, "one", log)
      const two = yield* staying(places, "two", log)
      yield* staying(places, "three", log)
      const four = yield* staying(places, "four", log)
      yield* staying(places, "five", log)
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

  it.effect("are given back before the scope ends where wanted, and once only", () =>
    Effect.gen(function*() {
      const places = makePlaces({ size: 1, waiting: 9, patience: forLong })
      const log: Array<string> = []
      yield* Effect.scoped(Effect.gen(function*() {
        const leave = yield* places.enter
        leave()
        leave()
        yield* staying(places, "next", log)
        yield* settle
        assert.deepStrictEqual(log, ["next"])
      }))
      yield* staying(places, "last", log)
      yield* settle
      assert.deepStrictEqual(log, ["next"])
    }))

  it.scoped("are not lost when somebody goes at the moment of getting one", () =>
    Effect.gen(function*() {
      const places = makePlaces({ size: 1, waiting: 9, patience: forLong })
      const log: Array<string> = []
      const leave = yield* places.enter
      const two = yield* staying(places, "two", log)
      yield* settle
      leave()
      two.unsafeInterruptAsFork(FiberId.none)
      yield* Fiber.await(two)
      yield* staying(places, "three", log)
      yield* settle
      assert.deepStrictEqual(log.at(-1), "three")
    }))

  it.effect.prop(
    "are all free again, whoever is interrupted at any step",
    [visits],
    ([visits]) =>
      Effect.gen(function*() {
        const size = 2
        const places = makePlaces({ size, waiting: 9, patience: forLong })
        const visit = Effect.scoped(Effect.zipRight(places.enter, Effect.yieldNow()))
        const fibers = yield* Effect.forEach(
          visits,
          (steps) => Effect.fork(Effect.withScheduler(visit, interruptingAfter(steps)))
        )
        yield* Effect.forEach(fibers, Fiber.await)
        const log: Array<string> = []
        const names = ["one", "two", "three"]
        const stayers = yield* Effect.forEach(names, (name) => staying(places, name, log))
        yield* settle
        assert.deepStrictEqual(log, names.slice(0, size))
        yield* Fiber.interruptAll(stayers)
      }),
    { fastCheck: { numRuns: propertyRuns(100) } }
  )

  it.effect("are refused at once when too many wait, with when to try again", () =>
    Effect.gen(function*() {
      const places = makePlaces({ size: 1, waiting: 1, patience: forLong })
      const log: Array<string> = []
      yield* staying(places, "one", log)
      const two = yield* staying(places, "two", log)
      yield* settle
      const refusal = yield* Effect.flip(Effect.scoped(places.enter))
      assert.strictEqual(refusal._tag, "ModelUnavailable")
      assert.isDefined(refusal.retryAfter)
      yield* Fiber.interrupt(two)
      yield* staying(places, "three", log)
      yield* settle
      assert.deepStrictEqual(log, ["one"])
    }))

  it.live("are refused when it takes too long, and are not lost by it", () =>
    Effect.gen(function*() {
      const places = makePlaces({ size: 1, waiting: 9, patience: 5 })
      const log: Array<string> = []
      const one = yield* staying(places, "one", log)
      yield* settle
      assert.strictEqual((yield* Effect.flip(Effect.scoped(places.enter)))._tag, "ModelUnavailable")
      yield* Fiber.interrupt(one)
      yield* staying(places, "two", log)
      yield* settle
      assert.deepStrictEqual(log, ["one", "two"])
    }))
})
