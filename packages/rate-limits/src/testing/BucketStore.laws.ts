import { assert, layer } from "@effect/vitest"
import { Array, type Duration, Effect, type Layer, Order, TestClock } from "effect"
import { BucketStore } from "../limits/BucketStore.js"
import type { Bucket, TakeResult } from "../limits/Gcra.js"
import { ExactBucket } from "./ExactBucket.js"

/** A bucket that does not refill during a law. */
const slow = (owner: string, burst: number, name = "laws"): Bucket => ({ owner, name, burst, interval: 3_600_000_000 })

/** A bucket that refills during a law: one unit in about the given milliseconds. */
const quick = (owner: string, burst: number, millis: number): Bucket => ({
  owner,
  name: `laws ${millis}`,
  burst,
  interval: millis * 1000 + 1
})

const exactly = ({ burst, interval }: Bucket) => ({
  burst,
  exact: new ExactBucket({ units: 1n, micros: BigInt(interval) }, burst)
})

/** A fixed sequence of costs from 1 to 3 and pauses from 0 to 13 milliseconds. */
const requests = Array.makeBy(60, (index) => ({ cost: 1 + (index * 7 + 3) % 11 % 3, pause: index * index % 14 }))

interface Answer {
  readonly cost: number
  readonly result: TakeResult
}

/** Order of decisions on the same buckets: by time, then by remaining units. */
const decisionOrder = Order.combineAll([
  Order.mapInput(Order.number, ({ result }: Answer) => result.at),
  Order.mapInput(Order.number, ({ result }: Answer) => -result.remaining),
  Order.mapInput(Order.boolean, ({ result }: Answer) => !result.isAdmitted)
])

/** Compares a result with exact buckets and takes the same units from them. */
const check = (buckets: ReadonlyArray<ReturnType<typeof exactly>>) => ({ cost, result }: Answer) => {
  const { isAdmitted, at, remaining, resetAfter, retryAfter } = result
  const admitsAt = (moment: number) => buckets.every(({ exact }) => exact.holds(cost, moment))
  const isFullAt = (moment: number) => buckets.every(({ burst, exact }) => exact.wholeUnits(moment) === burst)
  assert.strictEqual(isAdmitted, admitsAt(at), `${cost} units at ${at}`)
  assert.strictEqual(retryAfter === 0, isAdmitted)
  assert.deepStrictEqual([admitsAt(at + retryAfter), !isAdmitted && admitsAt(at + retryAfter - 1)], [true, false])
  if (isAdmitted) buckets.forEach(({ exact }) => exact.take(cost, at))
  assert.strictEqual(remaining, Math.min(...buckets.map(({ exact }) => exact.wholeUnits(at))))
  assert.deepStrictEqual([isFullAt(at + resetAfter), resetAfter > 0 && isFullAt(at + resetAfter - 1)], [true, false])
}

/**
 * Laws of `BucketStore`, which must be empty at the start. `passing` lets time pass on the store's clock: by default it adjusts
 * the test clock; a store with its own clock needs an effect that actually waits.
 */
export const bucketStoreLaws = <E>(
  name: string,
  live: Layer.Layer<BucketStore, E>,
  passing: (moment: Duration.DurationInput) => Effect.Effect<void> = TestClock.adjust
) =>
  layer(live)(`BucketStore laws: ${name}`, (it) => {
    it.effect("starts with a full bucket and admits exactly its burst", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const bucket = slow("burst", 3)
        const answers = yield* Effect.replicateEffect(store.take([bucket], 1), 5)
        assert.deepStrictEqual(
          answers.map(({ isAdmitted, remaining }) => [isAdmitted, remaining]),
          [[true, 2], [true, 1], [true, 0], [false, 0], [false, 0]]
        )
      }))

    it.effect("takes nothing for a rejected request", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const bucket = slow("refused", 3)
        yield* store.take([bucket], 2)
        assert.isFalse((yield* store.take([bucket], 2)).isAdmitted)
        assert.isTrue((yield* store.take([bucket], 1)).isAdmitted)
      }))

    it.effect("only reads for a cost of nothing", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const bucket = slow("read", 2)
        assert.strictEqual((yield* store.take([bucket], 0)).remaining, 2)
        yield* store.take([bucket], 2)
        const read = yield* store.take([bucket], 0)
        assert.deepStrictEqual([read.isAdmitted, read.remaining], [true, 0])
        assert.isAbove(read.resetAfter, 0)
      }))

    it.effect("matches an exact token bucket", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const bucket = quick("exact", 5, 4)
        const checkAnswer = check([exactly(bucket)])
        for (const { cost, pause } of requests) {
          checkAnswer({ cost, result: yield* store.take([bucket], cost) })
          yield* passing(pause)
        }
      }))

    it.effect("matches an exact token bucket in some order for concurrent requests", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const buckets = [quick("at once", 40, 2), quick("at once", 25, 7)] as const
        const ask = ({ cost }: { readonly cost: number }) =>
          Effect.map(store.take(buckets, cost), (result) => ({ cost, result }))
        const first = yield* Effect.forEach(requests, ask, { concurrency: "unbounded" })
        yield* passing(20)
        const second = yield* Effect.forEach(requests, ask, { concurrency: "unbounded" })
        const answers = Array.sort([...first, ...second], decisionOrder)
        answers.forEach(check(buckets.map(exactly)))
        assert.isAbove(Array.countBy(answers, ({ result }) => !result.isAdmitted), 0)
      }))

    it.effect("reports the fewest units and the longest wait of several buckets", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const buckets = [quick("several", 9, 2), quick("several", 4, 5), quick("several", 6, 3)] as const
        const checkAnswer = check(buckets.map(exactly))
        for (const { cost, pause } of requests) {
          checkAnswer({ cost, result: yield* store.take(buckets, cost) })
          yield* passing(pause)
        }
      }))

    it.effect("takes from none of several buckets when one rejects, also concurrently", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const [wide, narrow] = [slow("none", 20, "wide"), slow("none", 3, "narrow")]
        const asks = Array.makeBy(12, (index) => store.take(index % 2 === 0 ? [wide, narrow] : [narrow, wide], 1))
        const answers = yield* Effect.all(asks, { concurrency: "unbounded" })
        assert.strictEqual(Array.countBy(answers, ({ isAdmitted }) => isAdmitted), 3)
        assert.strictEqual((yield* store.take([wide], 1)).remaining, 16)
      }))

    it.effect("separates buckets by owner and name with any characters", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const texts = [
          "a",
          "a:b",
          "b:c",
          "c",
          "a b",
          "b|c",
          "a,b",
          "b,c",
          "A",
          "__proto__",
          "é",
          "e\u0301",
          "{a}",
          "*",
          "%3A"
        ]
        const pairs = Array.cartesian(texts, texts)
        const answers = yield* Effect.forEach(pairs, ([owner, name]) => store.take([slow(owner, 1, name)], 1))
        assert.isTrue(answers.every(({ isAdmitted }) => isAdmitted))
      }))

    it.effect("admits a request after the reported retry time", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const bucket = quick("retry", 4, 50)
        yield* store.take([bucket], 4)
        const { isAdmitted, retryAfter } = yield* store.take([bucket], 2)
        assert.isFalse(isAdmitted)
        yield* passing(Math.ceil(retryAfter / 1000) + 1)
        assert.isTrue((yield* store.take([bucket], 2)).isAdmitted)
      }))

    it.effect("does not fill an idle bucket beyond its burst", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const bucket = quick("still", 3, 1)
        yield* store.take([bucket], 3)
        yield* passing(40)
        assert.strictEqual((yield* store.take([bucket], 1)).remaining, 2)
      }))

    it.effect("clamps a bucket below empty to empty and refills it at its normal rate", () =>
      Effect.gen(function*() {
        const store = yield* BucketStore
        const large = slow("shrunk", 10)
        const small = { ...large, interval: 10_000, burst: 2 }
        yield* store.take([large], 10)
        const { isAdmitted, retryAfter } = yield* store.take([small, slow("shrunk", 5, "other")], 2)
        assert.deepStrictEqual([isAdmitted, retryAfter], [false, 20_000])
        yield* passing(22)
        assert.isTrue((yield* store.take([small], 2)).isAdmitted)
      }))
  })
