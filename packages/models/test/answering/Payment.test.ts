import { assert, describe, it } from "@effect/vitest"
import { BillingUnavailable, InsufficientCredits, ModelUnavailable } from "@trunkline/errors"
import type { Meter, ModelRequest } from "@trunkline/models"
import { Deferred, Effect, Fiber, Ref, Stream } from "effect"
import {
  bothWays,
  collected,
  events,
  generate,
  limited,
  type Model,
  request,
  sampleUsage,
  saying,
  stop,
  words
} from "./AnswerFixtures.js"

/** A meter that keeps a record. */
const recording = (refusal?: InsufficientCredits) =>
  Effect.map(Ref.make<ReadonlyArray<string>>([]), (record) => {
    const note = (line: string) => Ref.update(record, (lines) => [...lines, line])
    const meter: Meter = {
      reserve: ({ outputTokens }) =>
        refusal === undefined ? note(`reserve ${outputTokens}`) : Effect.zipRight(note("refuse"), refusal),
      settle: ({ inputTokens, outputTokens }) => note(`settle ${inputTokens} ${outputTokens}`),
      release: note("release")
    }
    return { meter, record: Ref.get(record) }
  })

describe("payment", () => {
  const whole = saying([...words("Hi"), { _tag: "Usage", usage: sampleUsage }, stop])

  it.effect("reserves the maximum, and charges the usage once", () =>
    Effect.gen(function*() {
      for (const run of bothWays) {
        const { meter, record } = yield* recording()
        yield* run(whole, { meter, ...limited({ maxOutputTokens: 50 }) })
        assert.deepStrictEqual(yield* record, ["reserve 50", "settle 7 5"])
      }
    }))

  it.effect("that is rejected prevents the call of the model", () =>
    Effect.gen(function*() {
      const requests: Array<ModelRequest> = []
      const { meter, record } = yield* recording(new InsufficientCredits({ message: "empty" }))
      for (const run of bothWays) {
        const failure = yield* Effect.flip(run(saying([stop], requests), { meter }))
        assert.strictEqual(failure._tag, "InsufficientCredits")
      }
      assert.deepStrictEqual(yield* record, ["refuse", "refuse"])
      assert.deepStrictEqual(requests, [])
    }))

  it.effect("is released when the model fails, also in the middle", () =>
    Effect.gen(function*() {
      const gone = new ModelUnavailable({ message: "gone" })
      const failing: Model = {
        generate: () => gone,
        stream: () => Stream.concat(Stream.fromIterable(words("Hi")), Stream.fail(gone))
      }
      for (const run of bothWays) {
        const { meter, record } = yield* recording()
        yield* Effect.flip(run(failing, { meter }))
        assert.deepStrictEqual(yield* record, ["reserve 4096", "release"])
      }
    }))

  it.effect("charges the output until the client disconnected, once", () =>
    Effect.gen(function*() {
      const { meter, record } = yield* recording()
      const startSignal = yield* Deferred.make<void>()
      const endless: Model = {
        ...whole,
        stream: () => Stream.concat(Stream.fromIterable(words("Hello ", "there")), Stream.never)
      }
      const reading = yield* Effect.fork(
        Stream.runForEach(events(endless, { meter }), () => Deferred.succeed(startSignal, undefined))
      )
      yield* Deferred.await(startSignal)
      yield* Fiber.interrupt(reading)
      const lines = yield* record
      assert.strictEqual(lines.length, 2)
      assert.match(lines[1] ?? "", /^settle [1-9]\d* [1-9]\d*$/)
    }))

  it.effect("of a whole response covers the input only if the client disconnects before it", () =>
    Effect.gen(function*() {
      const { meter, record } = yield* recording()
      const requestSignal = yield* Deferred.make<void>()
      const slow: Model = {
        ...whole,
        generate: () => Effect.zipRight(Deferred.succeed(requestSignal, undefined), Effect.never)
      }
      const waiting = yield* Effect.fork(generate(slow, { meter }))
      yield* Deferred.await(requestSignal)
      yield* Fiber.interrupt(waiting)
      const lines = yield* record
      assert.strictEqual(lines[0], "reserve 4096")
      assert.match(lines[1] ?? "", /^settle [1-9]\d* 0$/)
      assert.strictEqual(lines.length, 2)
    }))

  it.effect("is charged for a completion that was sent whole although it violates its schema", () =>
    Effect.gen(function*() {
      const { meter, record } = yield* recording()
      const format = { type: "schema", name: "n", strict: true, schema: { type: "object" } } as const
      yield* Effect.flip(collected(whole, { meter, request: { ...request, format } }))
      assert.deepStrictEqual(yield* record, ["reserve 4096", "settle 7 5"])
    }))

  it.effect("is charged once, also if the client disconnects meanwhile", () =>
    Effect.gen(function*() {
      for (const run of bothWays) {
        const { meter, record } = yield* recording()
        const settling = yield* Deferred.make<void>()
        const slow: Meter = {
          ...meter,
          settle: (used) =>
            Deferred.succeed(settling, undefined).pipe(
              Effect.zipRight(Effect.yieldNow().pipe(Effect.repeatN(20))),
              Effect.zipRight(meter.settle(used))
            )
        }
        const reading = yield* Effect.fork(run(whole, { meter: slow }))
        yield* Deferred.await(settling)
        yield* Fiber.interrupt(reading)
        assert.deepStrictEqual(yield* record, ["reserve 4096", "settle 7 5"])
      }
    }))

  it.effect("that cannot be recorded releases the reservation", () =>
    Effect.gen(function*() {
      for (const run of bothWays) {
        const { meter, record } = yield* recording()
        yield* Effect.flip(run(whole, { meter: { ...meter, settle: () => new BillingUnavailable() } }))
        assert.deepStrictEqual(yield* record, ["reserve 4096", "release"])
      }
    }))

  it.effect("that cannot be recorded is a failure in place of the usage", () =>
    Effect.gen(function*() {
      const { meter } = yield* recording()
      const broken: Meter = { ...meter, settle: () => new BillingUnavailable() }
      for (const run of bothWays) {
        assert.strictEqual((yield* Effect.flip(run(whole, { meter: broken })))._tag, "BillingUnavailable")
      }
    }))
})
