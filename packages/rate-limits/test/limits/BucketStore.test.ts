import { assert, describe, it } from "@effect/vitest"
import { type Buckets, BucketStore } from "@trunkline/rate-limits"
import { bucketStoreLaws } from "@trunkline/rate-limits/testing"
import { Context, Effect, FastCheck, Layer } from "effect"
import { JumpingClock } from "./JumpingClock.js"

bucketStoreLaws("memory", BucketStore.layerMemory)

/** The same store, asked at once. */
const immediate = Layer.effect(
  BucketStore,
  Effect.map(BucketStore, ({ takeNow }) => ({
    take: (buckets: Buckets, cost: number) =>
      Effect.suspend(() => {
        const result = takeNow(buckets, cost)
        return result === undefined ? Effect.dieMessage("It has to wait") : Effect.succeed(result)
      }),
    takeNow
  }))
)

bucketStoreLaws("memory, at once", Layer.provide(immediate, BucketStore.layerMemory))

/** A step: elapsed milliseconds, a clock jump in milliseconds, or a request for units. */
const events = FastCheck.array(
  FastCheck.oneof(
    FastCheck.record({ kind: FastCheck.constant("wait"), by: FastCheck.integer({ min: 0, max: 50 }) }),
    FastCheck.record({ kind: FastCheck.constant("jump"), by: FastCheck.integer({ min: -100_000, max: 100_000 }) }),
    FastCheck.record({ kind: FastCheck.constant("ask"), by: FastCheck.integer({ min: 1, max: 3 }) })
  ),
  { maxLength: 80 }
)
const figures = FastCheck.record({
  interval: FastCheck.integer({ min: 1, max: 40_000 }),
  burst: FastCheck.integer({ min: 3, max: 9 })
})

describe("BucketStore in memory, when the clock jumps", () => {
  it.effect.prop(
    "admits at most the burst and the refill in any period, plus a burst per forward jump",
    [figures, events],
    ([{ burst, interval }, events]) => {
      const clock = new JumpingClock()
      return Effect.gen(function*() {
        const store = yield* BucketStore
        /** Times of admitted units in real microseconds, with the number of forward jumps before. */
        const plan: Array<{ readonly at: number; readonly jumps: number; readonly cost: number }> = []
        let [at, jumps] = [0, 0]
        for (const { by, kind } of events) {
          if (kind === "wait") at += by * 1000
          if (kind === "jump" && by > 0) jumps += 1
          if (kind !== "ask") clock.now += by
          else if ((yield* store.take([{ owner: "acme", name: "chat", interval, burst }], by)).isAdmitted) {
            plan.push({ at, jumps, cost: by })
          }
        }
        plan.forEach((first, index) => {
          let units = 0
          for (const { at, cost, jumps } of plan.slice(index)) {
            units += cost
            assert.isAtMost(units * interval, burst * interval * (1 + jumps - first.jumps) + at - first.at)
          }
        })
      }).pipe(Effect.provide(BucketStore.layerMemory), Effect.withClock(clock))
    }
  )

  it.effect.prop(
    "rejects for no longer than a bucket takes to fill",
    [figures, events],
    ([{ burst, interval }, events]) => {
      const clock = new JumpingClock()
      return Effect.gen(function*() {
        const store = yield* BucketStore
        const ask = (cost: number) => store.take([{ owner: "acme", name: "chat", interval, burst }], cost)
        for (const { by, kind } of events) {
          if (kind !== "ask") clock.now += by
          else assert.isAtMost((yield* ask(by)).retryAfter, burst * interval)
        }
        yield* ask(burst)
        clock.now += Math.ceil(burst * interval / 1000)
        assert.isTrue((yield* ask(burst)).isAdmitted)
      }).pipe(Effect.provide(BucketStore.layerMemory), Effect.withClock(clock))
    }
  )
})

/** One or two buckets, and whether a decision is made at once or by the effect. */
const asks = FastCheck.array(
  FastCheck.record({
    pause: FastCheck.integer({ min: 0, max: 50 }),
    cost: FastCheck.integer({ min: 1, max: 3 }),
    width: FastCheck.constantFrom(1, 2),
    atOnce: FastCheck.boolean()
  }),
  { maxLength: 80 }
)

describe("BucketStore in memory, asked at once", () => {
  it.effect.prop("decides what the effect decides, in any mixture of both", [figures, asks], ([figures, asks]) => {
    const clock = new JumpingClock()
    const opened = Effect.map(Layer.build(BucketStore.layerMemory), Context.get(BucketStore))
    return Effect.gen(function*() {
      const [mixed, effects] = [yield* opened, yield* opened]
      const first = { owner: "acme", name: "chat", ...figures }
      const second = { ...first, name: "chat_core", burst: figures.burst + 2 }
      for (const { atOnce, cost, pause, width } of asks) {
        clock.now += pause
        const buckets: Buckets = width === 1 ? [first] : [first, second]
        const result = atOnce ? mixed.takeNow(buckets, cost) : yield* mixed.take(buckets, cost)
        assert.deepStrictEqual(result, yield* effects.take(buckets, cost))
      }
    }).pipe(Effect.scoped, Effect.withClock(clock))
  })
})
