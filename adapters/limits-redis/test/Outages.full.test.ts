import { assert, describe, it } from "@effect/vitest"
import { LimitsRedis } from "@trunkline/limits-redis"
import { type Bucket, BucketStore, SlotStore } from "@trunkline/rate-limits"
import { Array, Cause, Context, Effect, Fiber } from "effect"
import { built, canStart, clientOf, ownCluster, ownRedis, recordingLogger, until } from "../../../test/setup/Redis.js"

const slow: Bucket = { owner: "acme", name: "chat", interval: 60_000_000, burst: 10 }
const fast: Bucket = { owner: "acme", name: "speech", interval: 1_000, burst: 100_000 }

const opened = (options: LimitsRedis.Options) =>
  Effect.gen(function*() {
    const log = recordingLogger()
    const stores = yield* built(LimitsRedis.layer(options), log)
    return { log, buckets: Context.get(stores, BucketStore), slots: Context.get(stores, SlotStore) }
  })

describe.runIf(canStart)("outages of a Redis of their own, skipped where redis-server is not installed", () => {
  it.scopedLive("counts a share of the limit without Redis and switches to Redis once it is available", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis()
      const { buckets, log } = yield* opened({ url: redis.url, processes: 3 })
      const answers = yield* Effect.replicateEffect(buckets.take([slow], 1), 4)
      assert.deepStrictEqual(answers.map(({ isAdmitted, remaining }) => [isAdmitted, remaining]), [
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0]
      ])
      assert.isAbove(answers[3]?.retryAfter ?? 0, 2 * slow.interval)
      assert.isTrue((yield* buckets.take([{ ...slow, name: "dear" }], 9)).isAdmitted)
      yield* redis.start
      yield* until(() => log.texts("INFO").length > 0)
      assert.strictEqual((yield* buckets.take([slow], 1)).remaining, 9)
      assert.strictEqual(log.lines.length, 2)
      assert.include(log.texts("WARN")[0], "Redis is unavailable (ECONNREFUSED)")
      assert.include(log.texts("INFO")[0], "Redis is available again")
    }))

  it.scopedLive("logs once when Redis stops and once when it is back", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis()
      yield* redis.start
      const { buckets, log } = yield* opened({ url: redis.url, processes: 2, timeout: "10 seconds" })
      for (let outage = 1; outage <= 2; outage++) {
        assert.strictEqual((yield* buckets.take([slow], 1)).remaining, 9)
        const asking = buckets.take([fast], 1)
        const requests = yield* Effect.fork(Effect.replicateEffect(asking, 500, { concurrency: 50 }))
        yield* redis.kill
        assert.isTrue((yield* requests).every(({ isAdmitted }) => isAdmitted))
        yield* until(() => log.texts("WARN").length === outage)
        const share = yield* Effect.replicateEffect(buckets.take([{ ...slow, name: `outage ${outage}` }], 1), 6)
        assert.strictEqual(Array.countBy(share, ({ isAdmitted }) => isAdmitted), 5)
        yield* redis.start
        yield* until(() => log.texts("INFO").length === outage)
      }
      assert.strictEqual((yield* buckets.take([slow], 1)).remaining, 9)
      assert.strictEqual(log.lines.length, 4)
    }))

  it.scopedLive("treats a Redis that does not respond in time as unavailable until it does", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis()
      yield* redis.start
      const { buckets, log, slots } = yield* opened({ url: redis.url, processes: 2 })
      assert.strictEqual((yield* buckets.take([slow], 1)).remaining, 9)
      yield* redis.signal("SIGSTOP")
      const asks = [...Array.replicate(buckets.take([slow], 1), 100), ...Array.replicate(buckets.take([fast], 1), 100)]
      const answers = yield* Effect.all(asks, { concurrency: "unbounded" })
      assert.strictEqual(Array.countBy(answers, ({ isAdmitted }) => isAdmitted), 5 + 100)
      assert.isTrue(yield* slots.hold({ owner: "acme", name: "calls", holder: "a" }, { limit: 1, ttl: 60_000 }))
      yield* redis.signal("SIGCONT")
      yield* until(() => log.texts("INFO").length > 0)
      assert.include(log.texts("WARN")[0], "Redis is unavailable (no response in 250 ms)")
      assert.isFalse((yield* buckets.take([slow], 10)).isAdmitted)
      assert.strictEqual(yield* slots.countHeld({ owner: "acme", name: "calls" }), 0)
    }))

  it.scopedLive("sends scripts again that Redis has lost", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis()
      yield* redis.start
      const client = yield* clientOf(redis.url)
      const { buckets, log } = yield* opened({ url: redis.url, timeout: "10 seconds" })
      yield* buckets.take([slow], 1)
      yield* Effect.promise(() => client.scriptFlush())
      const answers = yield* Effect.replicateEffect(buckets.take([slow], 1), 5, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ remaining }) => remaining).sort(), [4, 5, 6, 7, 8])
      assert.deepStrictEqual(log.lines, [])
    }))

  it.scopedLive("keeps held slots through an outage", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis()
      yield* redis.start
      const { log, slots } = yield* opened({ url: redis.url, timeout: "10 seconds" })
      const slot = { owner: "acme", name: "calls" }
      const hold = (holder: string) => slots.hold({ ...slot, holder }, { limit: 2, ttl: 60_000 })
      assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "c"], hold), [true, true, false])
      yield* redis.kill
      yield* until(() => log.texts("WARN").length > 0)
      assert.deepStrictEqual(yield* Effect.forEach(["c", "b", "a"], hold), [false, true, true])
      yield* slots.release({ ...slot, holder: "a" })
      assert.deepStrictEqual(yield* Effect.forEach(["c", "a"], hold), [true, false])
      assert.strictEqual(yield* slots.countHeld(slot), 2)
      yield* redis.start
      yield* until(() => log.texts("INFO").length > 0)
      assert.strictEqual(yield* slots.countHeld(slot), 0)
      assert.deepStrictEqual(yield* Effect.forEach(["c", "b", "a"], hold), [true, true, false])
    }))

  it.scopedLive("logs no credentials", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis("--requirepass", "right")
      yield* redis.start
      const url = redis.url.replace("redis://", "redis://somebody:hushhush@")
      const { buckets, log } = yield* opened({ url })
      assert.isTrue((yield* buckets.take([slow], 1)).isAdmitted)
      yield* redis.kill
      yield* buckets.take([slow], 1)
      assert.include(log.texts("WARN")[0], "Redis is unavailable (WRONGPASS)")
      assert.notMatch(JSON.stringify(log.lines), /somebody|hushhush|127\.0\.0\.1/)
    }))

  it.scopedLive("needs a prefix with a hash tag to take from buckets of different owners in a cluster", () =>
    Effect.gen(function*() {
      const client = yield* ownCluster
      const other = { ...slow, owner: "other" }
      const apart = yield* opened({ client, timeout: "10 seconds", processes: 2 })
      assert.strictEqual((yield* apart.buckets.take([slow, { ...slow, name: "speech" }], 1)).remaining, 9)
      assert.strictEqual((yield* apart.buckets.take([slow, other], 1)).remaining, 4)
      assert.strictEqual((yield* apart.buckets.take([slow, other], 1)).remaining, 3)
      assert.strictEqual((yield* apart.buckets.take([slow], 1)).remaining, 8)
      assert.strictEqual(apart.log.lines.length, 1)
      assert.include(apart.log.texts("WARN")[0], "Redis rejects some requests (CROSSSLOT)")
      const together = yield* opened({ client, timeout: "10 seconds", prefix: "{limits}:" })
      assert.strictEqual((yield* together.buckets.take([slow, other], 1)).remaining, 9)
      assert.deepStrictEqual(together.log.lines, [])
    }))
})

describe("a misbehaving client", () => {
  const clientWith = (evalSha: LimitsRedis.ScriptClient["evalSha"]): LimitsRedis.ScriptClient => ({
    evalSha,
    eval: () => Promise.reject(new Error("not to be called"))
  })

  it.scopedLive("gets at most 10,000 unanswered commands", () =>
    Effect.gen(function*() {
      let commands = 0
      const client = clientWith(() => {
        commands++
        return new Promise(() => {})
      })
      const { buckets, log } = yield* opened({ client, timeout: "1 day" })
      const asks = yield* Effect.fork(Effect.replicateEffect(buckets.take([slow], 1), 10_000, {
        concurrency: "unbounded"
      }))
      yield* until(() => commands === 10_000)
      yield* Effect.replicateEffect(buckets.take([slow], 1), 100, { concurrency: "unbounded" })
      assert.isAtMost(commands, 10_001)
      assert.strictEqual(log.lines.length, 1)
      yield* Fiber.interruptFork(asks)
    }))

  it.scopedLive("gets no commands while it is not ready", () =>
    Effect.gen(function*() {
      const client = { ...clientWith(() => Promise.reject(new Error("not to be called"))), isReady: false }
      const { buckets, log } = yield* opened({ client })
      assert.isTrue((yield* buckets.take([slow], 1)).isAdmitted)
      assert.include(log.texts("WARN")[0], "Redis is unavailable (not connected)")
    }))

  it.scopedLive("is not trusted when its responses are invalid", () =>
    Effect.gen(function*() {
      const { buckets, log } = yield* opened({ client: clientWith(() => Promise.resolve("OK")) })
      assert.isTrue((yield* buckets.take([slow], 1)).isAdmitted)
      assert.isTrue((yield* buckets.take([fast], 1)).isAdmitted)
      assert.strictEqual(log.lines.length, 1)
    }))

  it.scopedLive("rejects an invalid URL without repeating it", () =>
    Effect.gen(function*() {
      const cause = Cause.pretty(yield* Effect.flip(Effect.sandbox(opened({ url: "http://somebody:hushhush@host" }))))
      assert.include(cause, "must be a redis:// or rediss:// URL")
      assert.notInclude(cause, "hushhush")
    }))
})
