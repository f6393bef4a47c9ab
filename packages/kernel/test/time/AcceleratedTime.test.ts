import { assert, describe, it } from "@effect/vitest"
import { AcceleratedTime, BusinessTime, macroTask, VirtualClock } from "@trunkline/kernel"
import { propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import { Clock, Effect, FastCheck, Fiber, Stream } from "effect"

const start = 1_780_000_000_000

/** Runs on business time paced by the virtual clock, which stands in for real time and starts at 0. */
const accelerated = <A, E, R>(effect: Effect.Effect<A, E, R>, speed = 60) =>
  Effect.provide(effect, AcceleratedTime.layer({ speed, start }))

/** The surrounding clock with stalls: `block` makes it jump ahead as if the process had been busy. */
const stalling = Effect.map(Effect.clock, (clock) => {
  let lostCount = 0
  const unsafeCurrentTimeMillis = () => clock.unsafeCurrentTimeMillis() + lostCount
  const unsafeCurrentTimeNanos = () => BigInt(unsafeCurrentTimeMillis()) * 1_000_000n
  return {
    block: (millis: number) => Effect.sync(() => void (lostCount += millis)),
    clock: {
      ...clock,
      unsafeCurrentTimeMillis,
      unsafeCurrentTimeNanos,
      currentTimeMillis: Effect.sync(unsafeCurrentTimeMillis),
      currentTimeNanos: Effect.sync(unsafeCurrentTimeNanos)
    }
  }
})

/** The current moment, in business and in real milliseconds since the start. */
const moment = Effect.zipWith(BusinessTime.now, Clock.currentTimeMillis, (now, real) => [now - start, real] as const)

const together = { concurrency: "unbounded" } as const

describe("AcceleratedTime", () => {
  virtualTest(
    "fires an event when its share of real time has passed, at exactly its moment",
    () =>
      accelerated(Effect.gen(function*() {
        const at = (millis: number) => Effect.zipRight(BusinessTime.sleepUntil(start + millis), moment)
        const seen = yield* Effect.all([at(120_000), at(60_000), at(90_001)], together)
        assert.deepStrictEqual(seen, [[120_000, 2_000], [60_000, 1_000], [90_001, 1_501]])
      }))
  )

  virtualTest(
    "moves with real time between events, up to the earliest pending event",
    () =>
      accelerated(Effect.gen(function*() {
        yield* Effect.sleep(500)
        assert.deepStrictEqual(yield* moment, [30_000, 500])
        yield* Effect.fork(BusinessTime.sleep("31 seconds"))
        yield* Effect.sleep(500)
        assert.deepStrictEqual(yield* moment, [60_000, 1_000])
      }))
  )

  virtualTest(
    "takes a lower speed while it runs, for what waits already too",
    () =>
      Effect.provide(
        Effect.gen(function*() {
          const waits = yield* Effect.fork(Effect.zipRight(BusinessTime.sleep("90 seconds"), moment))
          yield* Effect.sleep(1_000)
          assert.deepStrictEqual(yield* moment, [60_000, 1_000])
          yield* Effect.sleep(10_000)
          assert.deepStrictEqual(yield* moment, [70_000, 11_000])
          assert.deepStrictEqual(yield* Fiber.join(waits), [90_000, 31_000])
        }),
        AcceleratedTime.layer({
          speed: 60,
          start,
          speeds: Stream.fromEffect(Effect.delay(Effect.succeed(1), "1 second"))
        })
      )
  )

  virtualTest("fires an earlier event first even if it is registered later", () =>
    accelerated(Effect.gen(function*() {
      const late = yield* Effect.fork(Effect.zipRight(BusinessTime.sleep("1 hour"), moment))
      yield* Effect.sleep(1)
      yield* BusinessTime.sleep("1 second")
      assert.deepStrictEqual(yield* moment, [1_060, 18])
      assert.deepStrictEqual(yield* Fiber.join(late), [3_600_000, 60_000])
    })))

  virtualTest("is not held up by a cancelled event", () =>
    accelerated(Effect.gen(function*() {
      const sleeping = yield* Effect.fork(BusinessTime.sleep("1 minute"))
      yield* Effect.sleep(100)
      yield* Fiber.interrupt(sleeping)
      yield* Effect.sleep(1_900)
      assert.deepStrictEqual(yield* moment, [120_000, 2_000])
    })))

  virtualTest("does not wait for a moment in the past", () =>
    accelerated(Effect.gen(function*() {
      yield* BusinessTime.sleepUntil(start - 1)
      assert.deepStrictEqual(yield* moment, [0, 0])
    })))

  virtualTest("fires events of one moment in order of registration", () =>
    accelerated(Effect.gen(function*() {
      const order: Array<number> = []
      yield* Effect.forEach([3, 1, 2], (name) =>
        Effect.zipRight(BusinessTime.sleepUntil(start + 600), Effect.sync(() => order.push(name))), together)
      assert.deepStrictEqual(order, [3, 1, 2])
    })))

  virtualTest("stands still and fires nothing during a hold", () =>
    accelerated(Effect.gen(function*() {
      const event = yield* Effect.fork(Effect.zipRight(BusinessTime.sleep("1 minute"), moment))
      yield* Effect.sleep(500)
      const work = (millis: number) => BusinessTime.hold(Effect.zipRight(Effect.sleep(millis), BusinessTime.now))
      assert.deepStrictEqual(yield* Effect.all([work(1_000), work(5_000)], together), [start + 30_000, start + 30_000])
      assert.deepStrictEqual(yield* moment, [30_000, 5_500])
      assert.deepStrictEqual(yield* Fiber.join(event), [60_000, 6_000])
    })))

  virtualTest(
    "lets the work of an event schedule its follow-up before the next event fires, however late both are",
    () =>
      Effect.gen(function*() {
        const { block, clock } = yield* stalling
        yield* accelerated(Effect.gen(function*() {
          const order: Array<readonly [string, number]> = []
          const say = (word: string) => Effect.map(BusinessTime.now, (now) => void order.push([word, now - start]))
          const call = (name: string, at: number) =>
            BusinessTime.sleepUntil(start + at).pipe(
              Effect.zipRight(say(`${name} rings`)),
              Effect.zipRight(block(10_000)),
              Effect.zipRight(BusinessTime.sleep(100)),
              Effect.zipRight(say(`${name} answers`))
            )
          yield* Effect.all([call("b", 1_050), call("a", 1_000)], together)
          assert.deepStrictEqual(order, [
            ["a rings", 1_000],
            ["b rings", 1_050],
            ["a answers", 1_100],
            ["b answers", 1_150]
          ])
        })).pipe(Effect.withClock(clock))
      })
  )

  virtualTest(
    "restarts its pace after a stall: events do not bunch up, and business time stays behind",
    () =>
      Effect.gen(function*() {
        const { block, clock } = yield* stalling
        yield* accelerated(Effect.gen(function*() {
          const at = (millis: number) => Effect.zipRight(BusinessTime.sleepUntil(start + millis), moment)
          const seen = yield* Effect.all([
            Effect.zipRight(at(60_000), block(5_000)),
            at(66_000),
            at(120_000),
            at(180_000)
          ], together)
          assert.deepStrictEqual(seen.slice(1), [[66_000, 6_000], [120_000, 6_900], [180_000, 7_900]])
        })).pipe(Effect.withClock(clock))
      })
  )

  virtualTest("is real time offset to its start at speed 1", () =>
    Effect.gen(function*() {
      yield* Effect.sleep(5)
      yield* accelerated(
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* moment, [0, 5])
          yield* BusinessTime.sleep("40 days")
          assert.deepStrictEqual(yield* moment, [3_456_000_000, 3_456_000_005])
          yield* BusinessTime.hold(Effect.sleep(10))
          assert.deepStrictEqual(yield* moment, [3_456_000_010, 3_456_000_015])
        }),
        1
      )
    }))

  it.effect.prop(
    "never goes backwards and never passes a pending event",
    [
      FastCheck.array(
        FastCheck.record({
          begin: FastCheck.nat(300),
          sleep: FastCheck.nat(20_000),
          block: FastCheck.nat(200),
          hold: FastCheck.nat(100)
        }),
        { maxLength: 8 }
      ),
      FastCheck.constantFrom(2, 60, 3_600)
    ],
    ([scripts, speed]) => VirtualClock.run(anyScript(scripts, speed)),
    { fastCheck: { numRuns: propertyRuns(50) } }
  )
})

interface Script {
  readonly begin: number
  readonly sleep: number
  readonly block: number
  readonly hold: number
}

const anyScript = (scripts: ReadonlyArray<Script>, speed: number) =>
  Effect.gen(function*() {
    const { block, clock } = yield* stalling
    const waiting = new Set<{ readonly due: number }>()
    let last = start
    const observe = Effect.map(BusinessTime.now, (now) => {
      assert.isAtLeast(now, last)
      for (const { due } of waiting) assert.isAtMost(now, due)
      last = now
    })
    const play = (script: Script) =>
      Effect.gen(function*() {
        yield* Effect.sleep(script.begin)
        yield* observe
        const entry = { due: (yield* BusinessTime.now) + script.sleep }
        waiting.add(entry)
        yield* BusinessTime.sleepUntil(entry.due)
        waiting.delete(entry)
        assert.strictEqual(yield* BusinessTime.now, entry.due)
        yield* block(script.block)
        yield* observe
        yield* BusinessTime.hold(Effect.zipRight(Effect.sleep(script.hold), observe))
        yield* macroTask
        yield* observe
      })
    const watch = Effect.forever(Effect.zipRight(Effect.sleep(3), observe))
    yield* Effect.raceFirst(Effect.forEach(scripts, play, together), watch).pipe(
      Effect.provide(AcceleratedTime.layer({ speed, start })),
      Effect.withClock(clock)
    )
  })
