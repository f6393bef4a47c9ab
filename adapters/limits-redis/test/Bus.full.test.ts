import { assert, describe, it } from "@effect/vitest"
import { Bus } from "@trunkline/kernel"
import { busLaws } from "@trunkline/kernel/testing"
import { BusRedis } from "@trunkline/limits-redis"
import { Cause, Context, Effect, Fiber, Layer } from "effect"
import { canStart, clientOf, ownRedis } from "../../../test/setup/Redis.js"

const joinOf = (options: Parameters<typeof BusRedis.layer>[0]) =>
  Effect.map(Layer.build(BusRedis.layer(options)), Context.get(Bus))

const busOn = Effect.gen(function*() {
  const redis = yield* ownRedis()
  yield* redis.start
  return { join: joinOf({ url: redis.url }), outage: { begin: redis.kill, end: redis.start } }
})

describe.runIf(canStart)("a Redis of its own, skipped where redis-server is not installed", () => {
  busLaws("Redis", busOn)

  it.scopedLive("keeps the hints of two channels apart", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis()
      yield* redis.start
      const [first, second] = [yield* joinOf(redis), yield* joinOf(redis)]
      const stranger = yield* joinOf({ ...redis, channel: "other" })
      const take = yield* second.subscribe("news")
      yield* stranger.publish("news", "elsewhere")
      yield* first.publish("news", "here")
      assert.strictEqual(yield* take, "here")
    }))

  it.scopedLive("goes on when the server ends its connections", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis()
      yield* redis.start
      const [first, second] = [yield* joinOf(redis), yield* joinOf(redis)]
      const take = yield* second.subscribe("news")
      const admin = yield* clientOf(redis.url)
      yield* Effect.promise(() => admin.sendCommand(["CLIENT", "KILL", "SKIPME", "yes"]))
      const publishing = yield* Effect.fork(
        Effect.forever(Effect.zipRight(first.publish("news", "after"), Effect.sleep("20 millis")))
      )
      assert.isNull(yield* take)
      yield* Effect.repeat(take, { until: (hint) => hint === "after" })
      yield* Fiber.interrupt(publishing)
    }))

  it.scopedLive("starts without a server, and connects once there is one", () =>
    Effect.gen(function*() {
      const redis = yield* ownRedis()
      const [first, second] = [yield* joinOf(redis), yield* joinOf(redis)]
      const take = yield* second.subscribe("news")
      yield* first.publish("news", "early")
      yield* redis.start
      assert.isNull(yield* take)
      const publishing = yield* Effect.fork(
        Effect.forever(Effect.zipRight(first.publish("news", "after"), Effect.sleep("20 millis")))
      )
      yield* Effect.repeat(take, { until: (hint) => hint === "after" })
      yield* Fiber.interrupt(publishing)
    }))
})

describe("a bus over Redis", () => {
  it.scopedLive("refuses an invalid URL without repeating it", () =>
    Effect.gen(function*() {
      const cause = Cause.pretty(yield* Effect.flip(Effect.sandbox(joinOf({ url: "http://somebody:hushhush@host" }))))
      assert.include(cause, "must be a redis:// or rediss:// URL")
      assert.notInclude(cause, "hushhush")
    }))
})
