import { assert, describe, it } from "@effect/vitest"
import { HttpSender, Outbox, RunningTries, SendFailed, verify, WebhookDelivery } from "@trunkline/webhooks"
import { Duration, Effect, Fiber, Layer, Queue, TestClock } from "effect"
import {
  answer,
  attempt,
  body,
  campaign_id,
  counts,
  enqueue,
  nudge,
  scope,
  secretUrl,
  type Sent,
  sentSoFar,
  startDelivery,
  statuses,
  world
} from "./World.js"

describe("WebhookDelivery", () => {
  it.scoped("sends webhooks once, at the start and after a nudge", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust(0)
      assert.lengthOf(yield* sentSoFar, 1)
      yield* enqueue(2)
      yield* nudge
      yield* TestClock.adjust(0)
      assert.deepStrictEqual((yield* sentSoFar).map(({ at }) => at), [0, 0])
      yield* TestClock.adjust(Duration.hours(100))
      assert.lengthOf(yield* sentSoFar, 2)
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 2, dead: 0 })
    }).pipe(Effect.provide(world(() => answer(204)))))

  it.scoped("finds webhooks of other processes within 30 seconds", () =>
    Effect.gen(function*() {
      yield* startDelivery
      yield* TestClock.adjust("1 second")
      yield* enqueue(1)
      yield* TestClock.adjust("30 seconds")
      assert.lengthOf(yield* sentSoFar, 1)
    }).pipe(Effect.provide(world(() => answer(200), {}))))

  it.scoped("posts JSON with the headers of Standard Webhooks, unsigned without a secret", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_700_000_000_999)
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust(0)
      const [request] = yield* sentSoFar
      assert.deepStrictEqual(request?.headers, {
        "webhook-id": `att_${attempt(1)}`,
        "webhook-timestamp": "1700000000",
        "content-type": "application/json",
        "user-agent": "trunkline/1.2.3"
      })
      assert.deepStrictEqual(request?.body, body)
      assert.strictEqual(Duration.toSeconds(request?.timeout ?? Duration.zero), 15)
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("signs every try with the secret", () =>
    Effect.gen(function*() {
      const arrived = yield* Queue.unbounded<Sent>()
      const respond = (request: Sent) => Effect.zipRight(Queue.offer(arrived, request), answer(200))
      yield* Effect.gen(function*() {
        yield* enqueue(1, { secret: "whsec_c2VjcmV0" })
        yield* startDelivery
        const { at, body, headers } = yield* Queue.take(arrived)
        assert.isTrue(yield* verify("whsec_c2VjcmV0", { headers, body, now: at }))
      }).pipe(Effect.provide(world(respond)))
    }))

  it.scoped("tries ten times on the schedule with the same id and bytes, then gives up", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust(Duration.hours(100))
      const requests = yield* sentSoFar
      const gaps = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0))
      const minute = 60_000
      const waits = [5_000, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hour) => hour * 60 * minute)]
      assert.lengthOf(gaps, waits.length)
      gaps.forEach((gap, index) => {
        const wait = waits[index] ?? 0
        assert.isTrue(gap >= wait && gap < wait * 1.2 + 1, `gap ${index} of ${gap}`)
      })
      assert.lengthOf(new Set(requests.map(({ headers }) => headers["webhook-id"])), 1)
      assert.lengthOf(new Set(requests.map(({ headers }) => headers["webhook-timestamp"])), 10)
      assert.isTrue(requests.every((one) => Buffer.compare(one.body, body) === 0))
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 0, dead: 1 })
      const [row] = yield* (yield* Outbox).listByCampaign({ scope, campaign_id, limit: 1 })
      assert.deepStrictEqual([row?.tries, row?.last_status, row?.last_error], [10, 500, "HTTP 500"])
    }).pipe(Effect.provide(world(() => answer(500)))))

  it.scoped("retries after failures of the network, of the sender and a long Retry-After, until it is accepted", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* statuses, ["pending"])
      yield* TestClock.adjust("10 minutes")
      const [, , third] = yield* sentSoFar
      yield* TestClock.adjust("3599 seconds")
      assert.lengthOf(yield* sentSoFar, 3)
      yield* TestClock.adjust("1 hours")
      const [, , , fourth] = yield* sentSoFar
      assert.strictEqual((fourth?.at ?? 0) - (third?.at ?? 0), 7_200_000)
      assert.deepStrictEqual(yield* statuses, ["delivered"])
    }).pipe(Effect.provide(world((_, tries) => {
      if (tries === 1) return Effect.fail(new SendFailed({ reason: "the connection was refused" }))
      if (tries === 2) return Effect.die(new Error(secretUrl))
      return tries === 3 ? answer(503, { "retry-after": "7200" }) : answer(200)
    }))))

  it.scoped("ends delivery after 410", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust(Duration.hours(100))
      assert.lengthOf(yield* sentSoFar, 1)
      assert.deepStrictEqual(yield* statuses, ["failed"])
    }).pipe(Effect.provide(world(() => answer(410)))))

  it.scoped("sends claimed webhooks of a crashed process again after their lease, with the same id and bytes", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      const outbox = yield* Outbox
      const sender = yield* HttpSender
      const plan = new RunningTries({ total: 1, perEndpoint: 1 }).plan()
      const { rows: [claimed] } = yield* outbox.claimDue({ now: 0, leaseMillis: 60_000, plan })
      if (claimed === undefined) return assert.fail("nothing was claimed")
      const headers = { "webhook-id": claimed.webhook_id }
      yield* sender.post({ url: claimed.url, headers, body: claimed.body, timeout: Duration.seconds(15) })
      yield* startDelivery
      yield* TestClock.adjust("59 seconds")
      assert.lengthOf(yield* sentSoFar, 1)
      yield* TestClock.adjust("1 second")
      const [before, after] = yield* sentSoFar
      assert.strictEqual(after?.headers["webhook-id"], before?.headers["webhook-id"])
      assert.deepStrictEqual(after?.body, before?.body)
      assert.deepStrictEqual(yield* statuses, ["delivered"])
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("loses nothing in a crash during a try", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      const stuck = WebhookDelivery.layer().pipe(
        Layer.provide(Layer.succeed(HttpSender, HttpSender.of({ post: () => Effect.never })))
      )
      const first = yield* Effect.fork(Effect.provide(Effect.flatMap(WebhookDelivery, ({ run }) => run), stuck))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* statuses, ["running"])
      yield* Fiber.interrupt(first)
      yield* startDelivery
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* statuses, ["delivered"])
    }).pipe(Effect.provide(world(() => answer(200)))))
})
