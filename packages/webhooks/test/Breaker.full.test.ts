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

describe("a failing endpoint", () => {
  it.scoped("is paused after five failures, probed one webhook at a time, and gets its backlog after recovery", () =>
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

  it.scoped("has at most one running try while it is paused", () =>
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
      world(() => Effect.delay(Effect.fail(new SendFailed({ reason: "the response timed out" })), "15 seconds"))
    ))))

  it.scoped("does not delay other webhooks", () =>
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
})

describe("an endpoint that responds with 410", () => {
  it.scoped("gets no more webhooks: pending and new ones are dead until a resend", () => {
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

  it.scoped("is enabled by a new webhook_config", () =>
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

describe("a resent webhook", () => {
  it.scoped("keeps its id and bytes, with a new timestamp", () =>
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
