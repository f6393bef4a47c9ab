import { assert, describe, it } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { HttpSender, Outbox, RunningTries, SendFailed, verify, WebhookDelivery } from "@trunkline/webhooks"
import { Deferred, Duration, Effect, Fiber, Layer, Logger, LogLevel, Queue, Random, TestClock } from "effect"
import {
  answer,
  attempt,
  body,
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

const hours = Duration.hours(100)

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
      yield* TestClock.adjust(hours)
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
      const [sent] = yield* sentSoFar
      assert.deepStrictEqual(sent?.headers, {
        "webhook-id": `att_${attempt(1)}`,
        "webhook-timestamp": "1700000000",
        "content-type": "application/json",
        "user-agent": "trunkline/1.2.3"
      })
      assert.deepStrictEqual(sent?.body, body)
      assert.strictEqual(Duration.toSeconds(sent?.timeout ?? Duration.zero), 15)
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("signs every try with the secret", () =>
    Effect.gen(function*() {
      const arrived = yield* Queue.unbounded<Sent>()
      const respond = (sent: Sent) => Effect.zipRight(Queue.offer(arrived, sent), answer(200))
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
      yield* TestClock.adjust(hours)
      const sent = yield* sentSoFar
      const gaps = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0))
      const minute = 60_000
      const waits = [5_000, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hour) => hour * 60 * minute)]
      assert.lengthOf(gaps, waits.length)
      gaps.forEach((gap, index) => {
        const wait = waits[index] ?? 0
        assert.isTrue(gap >= wait && gap < wait * 1.2 + 1, `gap ${index} of ${gap}`)
      })
      assert.lengthOf(new Set(sent.map(({ headers }) => headers["webhook-id"])), 1)
      assert.lengthOf(new Set(sent.map(({ headers }) => headers["webhook-timestamp"])), 10)
      assert.isTrue(sent.every((one) => Buffer.compare(one.body, body) === 0))
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
      yield* TestClock.adjust(hours)
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

  it.scoped("limits a slow receiver to its share and does not delay others", () =>
    Effect.gen(function*() {
      const slow = 30
      yield* Effect.forEach(
        Array.from({ length: slow }),
        (_, index) => enqueue(index, { url: "https://slow.example/" })
      )
      yield* startDelivery
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* Receiver).atOnce, { now: 10, most: 10 })
      yield* enqueue(1_000)
      yield* nudge
      yield* TestClock.adjust(0)
      const [newest] = yield* statuses
      assert.strictEqual(newest, "delivered")
      yield* TestClock.adjust("44 seconds")
      const slowOnes = (yield* sentSoFar).filter(({ url }) => url !== secretUrl)
      assert.deepStrictEqual(
        slowOnes.slice(0, slow).map(({ at }) => at / 15_000),
        [0, 1, 2].flatMap((n) => Array(10).fill(n))
      )
    }).pipe(
      Effect.provide(world(({ url }) =>
        url === secretUrl
          ? answer(200)
          : Effect.delay(answer(200), "15 seconds")
      ))
    ))

  it.scoped("never runs more concurrent tries than the total", () =>
    Effect.gen(function*() {
      yield* Effect.forEach(Array.from({ length: 20 }), (_, index) =>
        enqueue(index, { url: `https://r${index}.example/` }))
      yield* startDelivery
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Receiver).atOnce.most, 3)
      assert.deepStrictEqual(yield* counts, { pending: 0, delivered: 20, dead: 0 })
    }).pipe(Effect.provide(world(() =>
      Effect.delay(answer(200), "2 seconds"), { limits: { total: 3, perEndpoint: 2 } }))))

  it.scoped("finishes running tries during a drain and keeps the rest for the next start", () =>
    Effect.gen(function*() {
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust("1 second")
      const drained = yield* Effect.fork(Effect.flatMap(WebhookDelivery, ({ drain }) => drain))
      yield* enqueue(2)
      yield* nudge
      yield* TestClock.adjust("8 seconds")
      assert.isNull(yield* Effect.map(Fiber.poll(drained), (exit) => exit._tag === "None" ? null : exit.value))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(drained)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* statuses, ["pending", "delivered"])
      assert.lengthOf(yield* sentSoFar, 1)
    }).pipe(Effect.provide(world(() => Effect.delay(answer(200), "10 seconds")))))

  it.scoped("does not send webhooks of an uncommitted transaction", () =>
    Effect.gen(function*() {
      const { run } = yield* Transactions
      const committing = yield* Deferred.make<void>()
      const recorded = yield* Effect.fork(
        Effect.flip(
          run(enqueue(1).pipe(Effect.zipRight(Deferred.await(committing)), Effect.zipRight(Effect.fail("undone"))))
        )
      )
      yield* TestClock.adjust(0)
      yield* startDelivery
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(yield* sentSoFar, 0)
      yield* Deferred.succeed(committing, undefined)
      yield* Fiber.join(recorded)
      yield* TestClock.adjust(hours)
      assert.lengthOf(yield* sentSoFar, 0)
    }).pipe(Effect.provide(world(() => answer(200)))))

  it.scoped("recovers from a temporary failure of the outbox", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      let broken = true
      const flaky = Layer.succeed(Outbox, {
        ...outbox,
        claimDue: (options) => broken ? Effect.die(new Error("disk full")) : outbox.claimDue(options)
      })
      yield* enqueue(1)
      const delivery = Layer.provide(WebhookDelivery.layer(), flaky)
      yield* Effect.forkScoped(Effect.provide(Effect.flatMap(WebhookDelivery, ({ run }) => run), delivery))
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(yield* sentSoFar, 0)
      broken = false
      yield* TestClock.adjust("5 seconds")
      assert.lengthOf(yield* sentSoFar, 1)
    }).pipe(
      Effect.provide(world(() => answer(200))),
      Logger.withMinimumLogLevel(LogLevel.None)
    ))

  it.scoped("stores results later after a temporary failure, without sending twice", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      let broken = true
      const flaky = Layer.succeed(Outbox, {
        ...outbox,
        record: (results) => broken ? Effect.die(new Error("disk full")) : outbox.record(results)
      })
      const delivery = yield* Layer.build(Layer.provide(WebhookDelivery.layer(), flaky))
      yield* enqueue(1)
      yield* Effect.forkScoped(Effect.provide(Effect.flatMap(WebhookDelivery, ({ run }) => run), delivery))
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(yield* statuses, ["running"])
      broken = false
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* statuses, ["delivered"])
      broken = true
      yield* enqueue(2)
      yield* TestClock.adjust("30 seconds")
      yield* Effect.provide(Effect.flatMap(WebhookDelivery, ({ drain }) => drain), delivery)
      assert.lengthOf(yield* sentSoFar, 2)
    }).pipe(
      Effect.provide(world(() => answer(200))),
      Logger.withMinimumLogLevel(LogLevel.None)
    ))

  it.scoped("logs a webhook that is given up, without URL, body or number", () => {
    const lines: Array<string> = []
    const logger = Logger.make((entry) => void lines.push(Logger.logfmtLogger.log(entry)))
    return Effect.gen(function*() {
      yield* enqueue(1)
      yield* startDelivery
      yield* TestClock.adjust(hours)
      assert.lengthOf(lines, 1)
      assert.match(lines[0] ?? "", /Gave up a webhook after 10 tries/)
      assert.notMatch(lines.join(), /example|t0p|9876543210/)
    }).pipe(
      Effect.provide(Layer.merge(
        world((_, tries) => tries % 2 === 0 ? Effect.die(new Error(secretUrl)) : answer(500)),
        Logger.replace(Logger.defaultLogger, logger)
      )),
      Effect.withRandom(Random.make("fixed"))
    )
  })
})
