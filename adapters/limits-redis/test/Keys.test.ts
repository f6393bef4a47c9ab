import { assert, describe, it } from "@effect/vitest"
import { LimitsRedis } from "@trunkline/limits-redis"
import { type Bucket, BucketStore, SlotStore } from "@trunkline/rate-limits"
import { Array, Context, Effect, Layer } from "effect"
import { clientOf, freshPrefix, sharedAnswers, sharedUrl } from "../../../test/setup/Redis.js"

const slow: Bucket = { owner: "acme", name: "chat", interval: 1_000_003, burst: 60 }
const fast: Bucket = { owner: "acme", name: "speech", interval: 1_000, burst: 1_000 }

/** Stores with a unique prefix, and a client to inspect their keys. */
const opened = Effect.gen(function*() {
  const prefix = yield* freshPrefix
  const client = yield* clientOf(sharedUrl)
  const stores = yield* Layer.build(LimitsRedis.layer({ client, prefix, timeout: "10 seconds" }))
  return {
    prefix,
    client,
    buckets: Context.get(stores, BucketStore),
    slots: Context.get(stores, SlotStore),
    serverTime: Effect.map(
      Effect.promise(() => client.time()),
      ([seconds, micros]) => Number(seconds) * 1_000_000 + Number(micros)
    )
  }
})

describe.runIf(sharedAnswers)("keys in Redis on 127.0.0.1:6379, skipped where none answers", () => {
  it.scoped("uses the clock of Redis with full precision", () =>
    Effect.gen(function*() {
      const { buckets, client, prefix, serverTime } = yield* opened
      const before = yield* serverTime
      const { at, resetAfter } = yield* buckets.take([slow], 7)
      assert.isAtLeast(at, before)
      assert.isAtMost(at, yield* serverTime)
      assert.strictEqual(resetAfter, 7 * slow.interval)
      const stored = yield* Effect.promise(() => client.get(`${prefix}bucket:4:{acme}:chat`))
      assert.strictEqual(stored, String(at + resetAfter))
    }))

  it.scoped("expires keys of full buckets and unused slots after a second", () =>
    Effect.gen(function*() {
      const { buckets, client, prefix, slots } = yield* opened
      yield* buckets.take([slow], 7)
      const ofBucket = yield* Effect.promise(() => client.pTTL(`${prefix}bucket:4:{acme}:chat`))
      assert.isAtMost(ofBucket, 8_001)
      assert.isAtLeast(ofBucket, 7_000)
      const slot = { owner: "acme", name: "calls" }
      yield* slots.hold({ ...slot, holder: "a" }, { limit: 2, ttl: 30_000 })
      yield* slots.hold({ ...slot, holder: "b" }, { limit: 2, ttl: 20_000 })
      const ofSlots = yield* Effect.promise(() => client.pTTL(`${prefix}slots:4:{acme}:calls`))
      assert.isAtMost(ofSlots, 31_001)
      assert.isAtLeast(ofSlots, 29_000)
      yield* slots.release({ ...slot, holder: "a" })
      yield* slots.release({ ...slot, holder: "b" })
      assert.strictEqual(yield* Effect.promise(() => client.exists(`${prefix}slots:4:{acme}:calls`)), 0)
    }))

  it.scoped("separates owners and names that contain separators", () =>
    Effect.gen(function*() {
      const { buckets } = yield* opened
      const texts = ["", "a", "a}", "a}:b", "}:b", "b", "b}:y", "y"]
      const pairs = Array.cartesian(texts, texts)
      const answers = yield* Effect.forEach(
        pairs,
        ([owner, name]) => buckets.take([{ ...slow, owner, name, burst: 1 }], 1)
      )
      assert.isTrue(answers.every(({ isAdmitted }) => isAdmitted))
    }))

  it.scoped("leases units of a busy bucket, each taken in Redis", () =>
    Effect.gen(function*() {
      const { buckets, client, prefix } = yield* opened
      const answers = yield* Effect.replicateEffect(buckets.take([fast], 1), 1 + 2 + 4 + 8)
      assert.isTrue(answers.every(({ isAdmitted }) => isAdmitted))
      const full = Number(yield* Effect.promise(() => client.get(`${prefix}bucket:4:{acme}:speech`)))
      const first = answers[0]?.at ?? 0
      assert.isAtLeast(full, first + 15 * fast.interval)
    }))

  it.scoped("shares round trips between concurrent requests and answers each", () =>
    Effect.gen(function*() {
      const prefix = yield* freshPrefix
      const client = yield* clientOf(sharedUrl)
      let calls = 0
      const counted: LimitsRedis.ScriptClient = {
        eval: (...args) => client.eval(...args),
        evalSha: (...args) => {
          calls++
          return client.evalSha(...args)
        }
      }
      const stores = yield* Layer.build(LimitsRedis.layer({ client: counted, prefix, timeout: "10 seconds" }))
      const store = Context.get(stores, BucketStore)
      const bucket = { ...fast, interval: 100_000, burst: 150 }
      const answers = yield* Effect.replicateEffect(store.take([bucket], 1), 200, { concurrency: "unbounded" })
      assert.isAtLeast(Array.countBy(answers, ({ isAdmitted }) => isAdmitted), 150)
      assert.isAtMost(calls, 3)
    }))

  it.scoped("keeps a client open that was passed in", () =>
    Effect.gen(function*() {
      const prefix = yield* freshPrefix
      const client = yield* clientOf(sharedUrl)
      yield* Effect.provide(
        Effect.flatMap(BucketStore, (store) => store.take([slow], 1)),
        LimitsRedis.layer({ client, prefix })
      )
      assert.strictEqual(yield* Effect.promise(() => client.ping()), "PONG")
    }))
})
