import { assert, describe, it } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { meterReading, virtualTest } from "@trunkline/kernel/testing"
import { type Importance, Load, type LoadLimits } from "@trunkline/rate-limits"
import { type Clock, Deferred, Duration, Effect, Fiber, Layer } from "effect"

const importances: ReadonlyArray<Importance> = ["batch", "records", "conversation", "calls"]

/** Priorities that are admitted now. */
const admitted = Effect.gen(function*() {
  const load = yield* Load
  const results = yield* Effect.forEach(
    importances,
    (importance) => Effect.match(load.admit(importance), { onFailure: () => [], onSuccess: () => [importance] })
  )
  return results.flat()
})

const live = (limits: LoadLimits) => Layer.provideMerge(Load.layer(limits), Transactions.layerMemory)

/** Runs the given number of tasks until the scope ends. */
const working = (count: number) =>
  Effect.gen(function*() {
    const load = yield* Load
    yield* Effect.forEach(Array.from({ length: count }), () => Effect.forkScoped(load.track(Effect.never)))
    yield* Effect.yieldNow()
  })

/** A clock whose sleeps end late by a configurable time. */
const lateClock = (clock: Clock.Clock, delay: () => number): Clock.Clock =>
  Object.create(clock, {
    sleep: { value: (duration: Duration.Duration) => clock.sleep(Duration.sum(duration, Duration.millis(delay()))) }
  })

/** Sends a request at a fixed interval for the given seconds. */
const requests = (seconds: number, every: number) =>
  Effect.repeatN(Effect.zipRight(admitted, Effect.sleep(every)), (seconds * 1_000) / every - 1)

/** Sends the first request and waits for the end of the startup period. */
const started = Effect.zipRight(admitted, Effect.sleep("5 seconds"))

describe("Load", () => {
  it.scoped("admits everything under low load", () =>
    Effect.gen(function*() {
      yield* working(9)
      assert.deepStrictEqual(yield* admitted, importances)
    }).pipe(Effect.provide(live({ inFlight: 10 }))))

  it.scoped("sheds lower priorities first as more is in flight, and never calls", () =>
    Effect.gen(function*() {
      const shed = () => meterReading("trunkline_shed_requests_total", { importance: "batch" })
      const before = shed()
      yield* working(10)
      assert.deepStrictEqual(yield* admitted, ["records", "conversation", "calls"])
      assert.strictEqual(shed(), before + 1)
      yield* working(5)
      assert.deepStrictEqual(yield* admitted, ["conversation", "calls"])
      yield* working(5)
      assert.deepStrictEqual(yield* admitted, ["calls"])
      yield* working(1_000)
      assert.deepStrictEqual(yield* admitted, ["calls"])
    }).pipe(Effect.provide(live({ inFlight: 10 }))))

  it.scoped("stops counting work that completes, fails or is interrupted", () =>
    Effect.gen(function*() {
      const load = yield* Load
      yield* load.track(Effect.void)
      yield* Effect.exit(load.track(Effect.die("broken")))
      yield* Effect.flatMap(Effect.fork(load.track(Effect.never)), (fiber) =>
        Effect.zipRight(Effect.yieldNow(), Fiber.interrupt(fiber)))
      assert.strictEqual(yield* load.pressure, 0)
    }).pipe(Effect.provide(live({ inFlight: 1 }))))

  it.scoped("sheds when many transactions wait for the stores", () =>
    Effect.gen(function*() {
      const { run } = yield* Transactions
      const go = yield* Deferred.make<void>()
      yield* Effect.replicateEffect(Effect.forkScoped(run(Deferred.await(go))), 4)
      yield* Effect.yieldNow()
      assert.deepStrictEqual(yield* admitted, ["records", "conversation", "calls"])
      yield* Deferred.succeed(go, undefined)
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      assert.deepStrictEqual(yield* admitted, importances)
    }).pipe(Effect.provide(live({ waiting: 3 }))))

  virtualTest(
    "sheds under constant event-loop lag, not after a single pause, and recovers within six seconds",
    () =>
      Effect.gen(function*() {
        const clock = yield* Effect.clock
        let delay = 0
        const late = lateClock(clock, () => delay)
        const load = yield* Effect.withClock(Layer.build(live({ lag: "100 millis" })), late)
        yield* Effect.gen(function*() {
          yield* started
          yield* requests(5, 50)
          delay = 2_000
          yield* admitted
          yield* Effect.sleep("50 millis")
          delay = 0
          yield* requests(4, 50)
          assert.deepStrictEqual(yield* admitted, importances)
          delay = 120
          yield* requests(10, 50)
          assert.deepStrictEqual(yield* admitted, ["records", "conversation", "calls"])
          delay = 300
          yield* requests(10, 50)
          assert.deepStrictEqual(yield* admitted, ["calls"])
          delay = 0
          yield* Effect.sleep("6 seconds")
          assert.deepStrictEqual(yield* admitted, importances)
        }).pipe(Effect.provide(load))
      }).pipe(Effect.scoped)
  )

  virtualTest(
    "ignores lag before the first request and in the five seconds after it",
    () =>
      Effect.gen(function*() {
        const clock = yield* Effect.clock
        let delay = 300
        const late = lateClock(clock, () => delay)
        const load = yield* Effect.withClock(Layer.build(live({ lag: "100 millis" })), late)
        yield* Effect.gen(function*() {
          yield* Effect.sleep("20 seconds")
          assert.deepStrictEqual(yield* admitted, importances)
          yield* Effect.sleep("4900 millis")
          delay = 0
          yield* Effect.repeatN(
            Effect.zipRight(
              Effect.sleep("100 millis"),
              Effect.map(admitted, (letIn) => assert.deepStrictEqual(letIn, importances))
            ),
            200
          )
        }).pipe(Effect.provide(load))
      }).pipe(Effect.scoped)
  )

  virtualTest(
    "sheds one request per second under constant event-loop lag",
    () =>
      Effect.gen(function*() {
        const late = lateClock(yield* Effect.clock, () => 300)
        const load = yield* Effect.withClock(Layer.build(live({ lag: "100 millis" })), late)
        yield* Effect.gen(function*() {
          yield* started
          yield* requests(6, 1_000)
          assert.deepStrictEqual(yield* admitted, ["calls"])
        }).pipe(Effect.provide(load))
      }).pipe(Effect.scoped)
  )

  virtualTest(
    "does not shed for a single pause after an idle period",
    () =>
      Effect.gen(function*() {
        let delay = 2_000
        const late = lateClock(yield* Effect.clock, () => delay)
        const load = yield* Effect.withClock(Layer.build(live({ lag: "100 millis" })), late)
        yield* Effect.gen(function*() {
          yield* started
          yield* Effect.sleep("1 hour")
          yield* admitted
          yield* Effect.sleep("2.1 seconds")
          delay = 0
          assert.deepStrictEqual(yield* admitted, importances)
        }).pipe(Effect.provide(load))
      }).pipe(Effect.scoped)
  )

  virtualTest(
    "does not wake while idle and measures once for concurrent requests",
    () =>
      Effect.gen(function*() {
        let sleeps = 0
        const counting = lateClock(yield* Effect.clock, () => {
          sleeps += 1
          return 0
        })
        const load = yield* Effect.withClock(Layer.build(live({})), counting)
        yield* Effect.provide(started, load)
        yield* Effect.sleep("1 hour")
        assert.strictEqual(sleeps, 0)
        yield* Effect.replicateEffect(Effect.provide(admitted, load), 100)
        yield* Effect.sleep("1 hour")
        assert.strictEqual(sleeps, 1)
      }).pipe(Effect.scoped)
  )

  it.scoped("reports a retry time to shed requests", () =>
    Effect.gen(function*() {
      yield* working(1)
      const { _tag, retryAfter } = yield* Effect.flip((yield* Load).admit("batch"))
      assert.deepStrictEqual([_tag, Duration.toSeconds(retryAfter)], ["Overloaded", 5])
    }).pipe(Effect.provide(live({ inFlight: 1 }))))

  it.effect("admits everything without limits", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* (yield* Load).track(admitted), importances)
    }).pipe(Effect.provide(Load.layerUnlimited)))
})
