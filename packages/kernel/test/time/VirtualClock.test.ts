import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, macroTask, VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Cause, Clock, Deferred, Duration, Effect, Exit, Fiber, Option, Ref, Schedule, TestClock } from "effect"

const noon = 1_780_000_000_000

/** Runs effects that append to a log with their time. */
const logged = <E>(program: (say: (word: string) => Effect.Effect<void>) => Effect.Effect<unknown, E>) =>
  Effect.gen(function*() {
    const log: Array<string> = []
    yield* program((word) => Effect.map(Clock.currentTimeMillis, (now) => void log.push(`${now} ${word}`)))
    return log
  })

describe("VirtualClock", () => {
  virtualTest("starts at the given time and passes only by sleeping", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Clock.currentTimeMillis, noon)
      yield* Effect.yieldNow()
      yield* macroTask
      assert.strictEqual(yield* Clock.currentTimeMillis, noon)
      yield* Effect.sleep("400 days")
      assert.strictEqual(yield* Clock.currentTimeMillis, noon + Duration.toMillis("400 days"))
      assert.strictEqual(yield* BusinessTime.now, yield* Clock.currentTimeMillis)
      assert.strictEqual(yield* Clock.currentTimeNanos, BigInt(yield* Clock.currentTimeMillis) * 1_000_000n)
    }), { start: noon })

  virtualTest(
    "does not wait for a moment in the past, and rounds fractions of a millisecond up",
    () =>
      Effect.gen(function*() {
        yield* BusinessTime.sleepUntil(noon - 1)
        assert.strictEqual(yield* BusinessTime.now, noon)
        yield* Effect.sleep(Duration.micros(1n))
        assert.strictEqual(yield* BusinessTime.now, noon + 1)
      }),
    { start: noon }
  )

  virtualTest("fires timers by time and then by registration", () =>
    Effect.gen(function*() {
      const log = yield* logged((say) =>
        Effect.all([
          say("c").pipe(Effect.delay(20)),
          say("a").pipe(Effect.delay(10)),
          say("d").pipe(Effect.delay(20)),
          say("b").pipe(Effect.delay(10)),
          say("zero").pipe(Effect.delay(0))
        ], { concurrency: "unbounded" })
      )
      assert.deepStrictEqual(log, ["0 zero", "10 a", "10 b", "20 c", "20 d"])
    }))

  virtualTest("finishes all work of a timer before the next one fires", () =>
    Effect.gen(function*() {
      const log = yield* logged((say) =>
        Effect.all([
          Effect.sleep(10).pipe(
            Effect.zipRight(Effect.promise(() => Promise.resolve().then(() => Promise.resolve()))),
            Effect.zipRight(Effect.promise(() => Promise.resolve().then(() => Promise.resolve()))),
            Effect.zipRight(Effect.yieldNow()),
            Effect.zipRight(say("work of the first"))
          ),
          say("second").pipe(Effect.delay(10)),
          say("third").pipe(Effect.delay(11))
        ], { concurrency: "unbounded" })
      )
      assert.deepStrictEqual(log, ["10 work of the first", "10 second", "11 third"])
    }))

  virtualTest("fires 20,000 timers in order", () =>
    Effect.gen(function*() {
      const count = 20_000
      let woken = 0
      let last = 0
      let ordered = true
      const sleeper = (seed: number) =>
        Effect.gen(function*() {
          for (let i = 0; i < 200; i++) {
            yield* Effect.sleep(1 + ((seed * 7_919 + i * 104_729) % 1_000))
            const now = yield* Clock.currentTimeMillis
            ordered = ordered && now >= last
            last = now
            woken++
          }
        })
      yield* Effect.forEach(Array.from({ length: count / 200 }, (_, seed) => seed), sleeper, {
        concurrency: "unbounded",
        discard: true
      })
      assert.strictEqual(woken, count)
      assert.isTrue(ordered)
    }))

  it.live("removes a cancelled sleep from the queue", () =>
    Effect.gen(function*() {
      const program = Effect.gen(function*() {
        const sleeping = yield* Effect.fork(Effect.sleep("10 days"))
        yield* Effect.sleep(5)
        yield* Fiber.interrupt(sleeping)
        return yield* Effect.never
      })
      const exit = yield* Effect.exit(VirtualClock.run(program, { stallTimeout: 1 }))
      assert.isTrue(Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("stalled at 1970-01-01T00:00:00.005Z"))
    }))

  virtualTest("applies to timeouts, races, delays and schedules", () =>
    Effect.gen(function*() {
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(Effect.never, "1 hour")))
      assert.strictEqual(yield* Clock.currentTimeMillis, 3_600_000)
      const winner = yield* Effect.race(Effect.as(Effect.sleep(20), "slow"), Effect.as(Effect.sleep(10), "fast"))
      assert.strictEqual(winner, "fast")
      assert.strictEqual(yield* Clock.currentTimeMillis, 3_600_010)
      yield* Effect.repeat(Effect.void, Schedule.spaced("1 minute").pipe(Schedule.intersect(Schedule.recurs(3))))
      assert.strictEqual(yield* Clock.currentTimeMillis, 3_600_010 + 180_000)
      yield* Effect.retry(Effect.fail("again"), Schedule.exponential(100).pipe(Schedule.intersect(Schedule.recurs(3))))
        .pipe(Effect.ignore)
      assert.strictEqual(yield* Clock.currentTimeMillis, 3_780_010 + 700)
    }))

  virtualTest("applies to forks of forks", () =>
    Effect.gen(function*() {
      const nested = (depth: number): Effect.Effect<number> =>
        depth === 0
          ? Effect.zipRight(Effect.sleep(10), Clock.currentTimeMillis)
          : Effect.fork(nested(depth - 1)).pipe(Effect.flatMap(Fiber.join), Effect.tap(Effect.sleep(10)))
      assert.strictEqual(yield* nested(5), 10)
      assert.strictEqual(yield* Clock.currentTimeMillis, 60)
    }))

  virtualTest("stands still while real work is held", () =>
    Effect.gen(function*() {
      const ticks = yield* Ref.make(0)
      yield* Effect.forkScoped(Effect.repeat(Ref.update(ticks, (n) => n + 1), Schedule.spaced(1)))
      yield* Effect.sleep(10)
      const before = yield* Ref.get(ticks)
      yield* BusinessTime.hold(Effect.repeatN(macroTask, 50))
      assert.strictEqual(yield* Ref.get(ticks), before)
      assert.strictEqual(yield* Clock.currentTimeMillis, 10)
      yield* Effect.sleep(10)
      assert.isAbove(yield* Ref.get(ticks), before)
    }))

  virtualTest("continues after an interrupted hold", () =>
    Effect.gen(function*() {
      const held = yield* Effect.fork(BusinessTime.hold(Effect.never))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(held)
      yield* Effect.sleep(10)
      assert.strictEqual(yield* Clock.currentTimeMillis, 10)
    }))

  virtualTest("waits for outside events when nothing is scheduled", () =>
    Effect.gen(function*() {
      const digest = yield* Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", new Uint8Array(1)))
      assert.strictEqual(digest.byteLength, 32)
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
    }))

  it.live("dies when it waits for an event that never arrives", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(
        VirtualClock.run(Effect.zipRight(Effect.sleep(1_000), Effect.never), { stallTimeout: 1 })
      )
      assert.isTrue(
        Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("virtual time stalled at 1970-01-01T00:00:01.000Z")
      )
    }))

  it.live("dies even if the effect is uninterruptible", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(VirtualClock.run(Effect.uninterruptible(Effect.never), { stallTimeout: 1 }))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
    }))

  it.live("returns values and failures", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* VirtualClock.run(Effect.delay(Effect.succeed(1), "1 day")), 1)
      assert.strictEqual(yield* Effect.flip(VirtualClock.run(Effect.delay(Effect.fail("no"), "1 day"))), "no")
    }))

  it.live("passes an interruption to the effect, whose finalizers still sleep in virtual time", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const cleanedAt = yield* Deferred.make<number>()
      const effect = Deferred.succeed(started, undefined).pipe(
        Effect.zipRight(BusinessTime.hold(Effect.never)),
        Effect.onInterrupt(() =>
          Effect.sleep("1 hour").pipe(
            Effect.zipRight(Clock.currentTimeMillis),
            Effect.flatMap((now) => Deferred.succeed(cleanedAt, now))
          )
        )
      )
      const fiber = yield* Effect.fork(VirtualClock.run(effect))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* Deferred.await(cleanedAt), 3_600_000)
    }))

  it.live("lets a daemon that outlives the effect be interrupted", () =>
    Effect.gen(function*() {
      const daemon = yield* VirtualClock.run(Effect.tap(Effect.forkDaemon(Effect.sleep("1 day")), Effect.yieldNow()))
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(daemon)))
    }))

  it.effect("is independent of the surrounding clock", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(5)
      assert.strictEqual(yield* VirtualClock.run(Effect.zipRight(Effect.sleep(7), Clock.currentTimeMillis)), 7)
      assert.strictEqual(yield* Clock.currentTimeMillis, 5)
    }))

  it.live("repeats the same program identically", () =>
    Effect.gen(function*() {
      const program = logged((say) =>
        Effect.forEach(Array.from({ length: 50 }, (_, i) => i), (i) =>
          Effect.repeat(
            say(`fiber ${i}`),
            Schedule.spaced(1 + (i * 37) % 11).pipe(Schedule.intersect(Schedule.recurs(5)))
          ), {
          concurrency: "unbounded"
        })
      )
      const first = yield* VirtualClock.run(program)
      assert.strictEqual(first.length, 300)
      assert.deepStrictEqual(yield* VirtualClock.run(program), first)
    }))
})
