import { assert, describe, it } from "@effect/vitest"
import { Transactions } from "@trunkline/kernel"
import { Outbox, WebhookDelivery } from "@trunkline/webhooks"
import { Deferred, Duration, Effect, Fiber, Layer, Logger, LogLevel, Random, TestClock } from "effect"
import {
  answer,
  counts,
  enqueue,
  nudge,
  Receiver,
  secretUrl,
  sentSoFar,
  startDelivery,
  statuses,
  world
} from "./World.js"

describe("WebhookDelivery under load and after failures", () => {
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
      yield* TestClock.adjust(Duration.hours(100))
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
      yield* TestClock.adjust(Duration.hours(100))
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
