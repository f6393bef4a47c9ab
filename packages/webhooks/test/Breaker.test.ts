import { assert, describe, it } from "@effect/vitest"
import { AttemptId } from "@trunkline/kernel"
import { Outbox, SendFailed, WebhookDelivery } from "@trunkline/webhooks"
import { Clock, Duration, Effect, Layer, Logger, TestClock } from "effect"
import {
  answer,
  attempt,
  campaign_id,
  counts,
  enqueue,
  nudge,
  Receiver,
  scope,
  secretUrl,
  type Sent,
  sentSoFar,
  startDelivery,
  statuses,
  world
} from "./World.js"

const silent = Layer.merge(Logger.remove(Logger.defaultLogger), Layer.empty)
const many = (count: number) =>
  Effect.forEach(Array.from({ length: count }, (_, index) => index + 1), (n) => enqueue(n))
const hour = 3_600_000

describe("an endpoint that fails", () => {
  it.scoped("is left alone after five failures, probed one at a time, and gets its backlog when it is back", () =>
    Effect.gen(function*() {
      yield* many(200)
      yield* startDelivery
      yield* TestClock.adjust("6 hours")
      const during = (yield* sentSoFar).length
      const receiver = yield* Receiver
      assert.isAtMost(during, 10 + 10 + 6 * 7)
      assert.isAtLeast(during, 6 * 5)
      receiver.atOnce.most = 0
      yield* TestClock.adjust("11 minutes")
      assert.isAtLeast((yield* counts).delivered, 200 - during)
      assert.strictEqual(receiver.atOnce.most, 10)
      yield* TestClock.adjust("30 hours")
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 200, dead: 0 })
    }).pipe(Effect.provide(Layer.merge(
      silent,
      world(({ at }) => at < 6 * hour ? Effect.delay(answer(503), "1 second") : Effect.delay(answer(200), "1 second"))
    ))))

  it.scoped("has only one try running while it is paused", () =>
    Effect.gen(function*() {
      yield* many(100)
      yield* startDelivery
      yield* TestClock.adjust("2 minutes")
      const { atOnce } = yield* Receiver
      atOnce.most = 0
      yield* TestClock.adjust("3 hours")
      assert.strictEqual(atOnce.most, 1)
    }).pipe(Effect.provide(Layer.merge(
      silent,
      world(() => Effect.delay(Effect.fail(new SendFailed({ reason: "no complete answer in time" })), "15 seconds"))
    ))))

  it.scoped("does not slow the webhooks of others", () =>
    Effect.gen(function*() {
      yield* many(300)
      yield* startDelivery
      yield* TestClock.adjust("10 minutes")
      yield* enqueue(1_000, { url: "https://well.example/" })
      yield* nudge
      yield* TestClock.adjust(0)
      const [newest] = yield* statuses
      assert.strictEqual(newest, "delivered")
    }).pipe(Effect.provide(Layer.merge(
      silent,
      world(({ url }) =>
        url === secretUrl ? Effect.fail(new SendFailed({ reason: "the connection was refused" })) : answer(200)
      )
    ))))

  it.scoped("that never comes back uses up no webhook faster than the schedule, and ends all in dead letters", () =>
    Effect.gen(function*() {
      yield* many(60)
      yield* startDelivery
      yield* TestClock.adjust("76 hours")
      assert.strictEqual((yield* counts).dead, 0)
      yield* TestClock.adjust("10 days")
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 0, dead: 60 })
      const perWebhook = new Map<string, Array<number>>()
      for (const { at, headers } of yield* sentSoFar) {
        const id = headers["webhook-id"] ?? ""
        perWebhook.set(id, [...(perWebhook.get(id) ?? []), at])
      }
      const waits = [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3600)].map((s) => s * 1000)
      for (const times of perWebhook.values()) {
        assert.isAtMost(times.length, 10)
        times.slice(1).forEach((at, index) => assert.isAtLeast(at - (times[index] ?? 0), waits[index] ?? Infinity))
      }
    }).pipe(Effect.provide(Layer.merge(silent, world(() => answer(500))))))
})

describe("an endpoint that answers 410", () => {
  it.scoped("gets nothing more: what waits and what comes is a dead letter, until someone sends again", () => {
    let gone = true
    return Effect.gen(function*() {
      yield* many(30)
      yield* startDelivery
      yield* TestClock.adjust("1 minute")
      const tried = (yield* sentSoFar).length
      assert.isAtMost(tried, 20)
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 0, dead: 30 })
      yield* enqueue(31)
      yield* nudge
      yield* TestClock.adjust(Duration.days(10))
      assert.lengthOf(yield* sentSoFar, tried)
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 0, dead: 31 })
      gone = false
      const now = yield* Clock.currentTimeMillis
      yield* (yield* Outbox).replay({ scope, campaign_id, attempt_ids: [attempt(31), AttemptId.make("?")], now })
      yield* enqueue(32)
      yield* nudge
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 2, dead: 30 })
    }).pipe(Effect.provide(Layer.merge(silent, world(() => Effect.suspend(() => answer(gone ? 410 : 200))))))
  })

  it.scoped("is enabled by a new webhook_config, and tried", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust("1 second")
      yield* (yield* Outbox).enable(scope, secretUrl)
      yield* enqueue(2)
      yield* nudge
      yield* TestClock.adjust("1 second")
      assert.lengthOf(yield* sentSoFar, 2)
      yield* enqueue(3)
      yield* nudge
      yield* TestClock.adjust("1 second")
      assert.lengthOf(yield* sentSoFar, 2)
      yield* (yield* WebhookDelivery).drain
    }).pipe(Effect.provide(Layer.merge(silent, world(() => answer(410))))))
})

describe("a webhook that is sent again", () => {
  it.scoped("has the id and the bytes that it had, and a new timestamp", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust("1 second")
      const now = yield* Clock.currentTimeMillis
      yield* (yield* Outbox).replay({ scope, campaign_id, attempt_ids: [attempt(1)], now })
      yield* nudge
      yield* TestClock.adjust("1 second")
      const [first, second]: ReadonlyArray<Sent> = yield* sentSoFar
      assert.strictEqual(second?.headers["webhook-id"], first?.headers["webhook-id"])
      assert.deepStrictEqual(second?.body, first?.body)
      assert.notStrictEqual(second?.headers["webhook-timestamp"], first?.headers["webhook-timestamp"])
    }).pipe(Effect.provide(world(() => answer(200)))))
})
