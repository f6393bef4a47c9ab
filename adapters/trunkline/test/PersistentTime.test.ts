import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, VirtualClock } from "@trunkline/kernel"
import { propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import { BusinessWatermark } from "@trunkline/storage-kysely"
import { Clock, Effect, Exit, FastCheck, Fiber, Layer, Scope } from "effect"
import { persistentTime } from "../src/assembly/PersistentTime.js"

const minute = 60_000
const hour = 60 * minute

/** A mark that outlives those who write it: what it is now, and how often it was written. */
interface Mark {
  at: number | null
  saves: number
}

const makeMark = (): Mark => ({ at: null, saves: 0 })

/** The mark as a process writes it, which takes it a moment, for as long as it is alive. */
const watermarkOf = (mark: Mark, process: { readonly isAlive: boolean }) =>
  Layer.succeed(BusinessWatermark, {
    load: Effect.sync(() => mark.at),
    save: (at) =>
      Effect.andThen(Effect.sleep(5), () => {
        if (!process.isAlive) return
        mark.at = at
        mark.saves += 1
      })
  })

/** Runs an effect as a process does that keeps the mark; it crashes at the end, or stops as it should. */
const asProcess = <A, E>(
  mark: Mark,
  { end = "stop", speed }: { readonly speed: number; readonly end?: "crash" | "stop" },
  effect: Effect.Effect<A, E, BusinessTime>
) =>
  Effect.gen(function*() {
    const process = { isAlive: true }
    const scope = yield* Scope.make()
    const time = yield* Scope.extend(
      Layer.build(Layer.provide(persistentTime(speed), watermarkOf(mark, process))),
      scope
    )
    const result = yield* Effect.provide(effect, time)
    process.isAlive = end === "stop"
    yield* Scope.close(scope, Exit.void)
    return result
  })

/** Lead of the mark over business time, in business milliseconds. */
const leadOf = (mark: Mark) => Effect.map(BusinessTime.now, (now) => (mark.at ?? 0) - now)

describe("the mark of business time", () => {
  for (const [speed, seconds] of [[1, 0.6], [60, 2]] as const) {
    virtualTest(
      `is at most ${seconds} seconds ahead with readers at speed ${speed}, and is written each time when half of them have passed`,
      () => {
        const mark = makeMark()
        return asProcess(
          mark,
          { speed },
          Effect.gen(function*() {
            for (let askedCount = 0; askedCount < 100; askedCount++) {
              yield* Effect.sleep(100)
              const lead = yield* leadOf(mark)
              assert.isAbove(lead, 0)
              assert.isAtMost(lead, 1_000 * seconds * speed)
            }
            assert.isAtMost(mark.saves, 10 / (seconds / 2) + 1)
          })
        )
      },
      { start: hour }
    )

    virtualTest(`is rarely written without readers at speed ${speed}`, () => {
      const mark = makeMark()
      return asProcess(
        mark,
        { speed },
        Effect.gen(function*() {
          yield* Effect.sleep("1 minute")
          const before = mark.saves
          yield* Effect.sleep("1 hour")
          assert.isAtMost(mark.saves - before, 3600 / 15)
        })
      )
    }, { start: hour })
  }

  virtualTest("is not written without readers at real time, and is written at once for a reader", () => {
    const mark = makeMark()
    return asProcess(
      mark,
      { speed: 1 },
      Effect.gen(function*() {
        yield* Effect.sleep("1 minute")
        const before = mark.saves
        yield* Effect.sleep("1 hour")
        assert.strictEqual(mark.saves, before)
        yield* BusinessTime.now
        yield* Effect.sleep(10)
        assert.isAbove(yield* leadOf(mark), 0)
      })
    )
  }, { start: hour })

  virtualTest("is at most 16 seconds ahead, and not beyond the next timer", () => {
    const mark = makeMark()
    return asProcess(
      mark,
      { speed: 60 },
      Effect.gen(function*() {
        const start = yield* BusinessTime.now
        yield* Effect.fork(BusinessTime.sleepUntil(start + 2 * hour))
        for (let second = 0; second < 115; second++) {
          yield* Effect.sleep("1 second")
          const at = mark.at ?? 0
          assert.isAtMost(at, start + 2 * hour)
          assert.isAtMost(at, start + second * minute + 17 * minute)
        }
        yield* Effect.sleep("1 minute")
        assert.isAbove(mark.at ?? 0, start + 2 * hour)
      })
    )
  }, { start: hour })

  virtualTest("returns to two seconds ahead when it is read after a pause", () => {
    const mark = makeMark()
    return asProcess(
      mark,
      { speed: 60 },
      Effect.gen(function*() {
        yield* Effect.sleep("1 minute")
        assert.isAbove(yield* leadOf(mark), 2 * minute)
        yield* Effect.sleep(10)
        assert.isAtMost(yield* leadOf(mark), 2 * minute)
      })
    )
  }, { start: hour })

  virtualTest("is exact after a clean stop", () => {
    const mark = makeMark()
    return Effect.gen(function*() {
      const stopped = yield* asProcess(
        mark,
        { speed: 60 },
        Effect.zipRight(Effect.sleep("10 seconds"), BusinessTime.now)
      )
      yield* asProcess(
        mark,
        { speed: 60 },
        Effect.gen(function*() {
          const now = yield* BusinessTime.now
          assert.isAtLeast(now, stopped)
          assert.isAtMost(now, stopped + minute)
        })
      )
    })
  }, { start: hour })

  virtualTest("is not held back by an interrupted timer", () => {
    const mark = makeMark()
    return asProcess(
      mark,
      { speed: 60 },
      Effect.gen(function*() {
        const start = yield* BusinessTime.now
        const waiting = yield* Effect.fork(BusinessTime.sleepUntil(start + 5 * minute))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(waiting)
        yield* Effect.sleep("10 seconds")
        assert.isAbove(mark.at ?? 0, start + 12 * minute)
      })
    )
  }, { start: hour })

  it.effect.prop(
    "never moves backwards over a crash",
    [FastCheck.array(FastCheck.tuple(FastCheck.nat(40_000), FastCheck.nat(3)), { minLength: 1, maxLength: 8 })],
    ([lives]) => {
      const mark = makeMark()
      return VirtualClock.run(
        Effect.gen(function*() {
          let last = 0
          const look = Effect.map(BusinessTime.now, (now) => {
            assert.isAtLeast(now, last)
            last = now
          })
          for (const [rest, looks] of lives) {
            const life = Effect.zipRight(
              Effect.replicateEffect(Effect.zipRight(look, Effect.sleep(300)), looks),
              Effect.zipRight(Effect.sleep(rest), look)
            )
            yield* asProcess(mark, { speed: 60, end: "crash" }, life)
          }
          assert.isAbove(yield* Clock.currentTimeMillis, hour)
        }),
        { start: hour }
      )
    },
    { fastCheck: { numRuns: propertyRuns(30) } }
  )
})
