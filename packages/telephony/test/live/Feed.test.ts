import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Chunk, Effect, Fiber, Layer, Schema, Stream } from "effect"
import {
  CreateOutbound,
  Deployments,
  InboundCalls,
  LiveEvent,
  LiveFeed,
  Outbounds,
  SimulatedNetwork
} from "../../src/index.js"
import { caller, connection, deploymentBody, elsewhere, line, scope, telephony } from "../Fixtures.js"

const live = Layer.provideMerge(telephony(), LiveFeed.layer)

const outbound = Schema.decodeUnknownSync(CreateOutbound)({
  app_config: {
    app_id: "support",
    app_version: 1,
    connection_config: { connection_id: "sim-1", agent_phone_number: line }
  },
  user_config: { user_phone_number: "9876543210" }
})

const missed = (count: number): LiveEvent => ({ type: "missed", count })

const collected = <E>(stream: Stream.Stream<LiveEvent, E>) =>
  Effect.map(Stream.runCollect(stream), (events) => Chunk.toReadonlyArray(events))

/** Events of a workspace while an effect runs, up to the end of the first attempt. */
const eventsDuring = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const feed = yield* LiveFeed
    const events = (yield* feed.watch(scope)).pipe(Stream.takeUntil(({ type }) => type === "attempt.ended"))
    const watching = yield* Effect.fork(collected(events))
    yield* work
    return yield* Fiber.join(watching)
  })

describe("watching calls", () => {
  virtualTest("reports a single call from the dial to the result with its times", () =>
    Effect.gen(function*() {
      const outbounds = yield* Outbounds
      yield* Effect.fork(outbounds.run)
      const events = yield* eventsDuring(outbounds.start(scope, outbound))
      assert.deepStrictEqual(events.map(({ type }) => type), [
        "attempt.started",
        "attempt.answered",
        "turn",
        "attempt.ended"
      ])
      const [begun, , turn, end] = events.map((event) => Schema.encodeSync(LiveEvent)(event))
      assert.include(begun, { kind: "outbound", user_contact_masked: "******3210", campaign_id: null })
      assert.include(turn, { role: "agent", text: "Hello. Goodbye.", language_name: "English" })
      assert.include(end, { completion_status: "completed", connectivity_status: "connected" })
      assert.notInclude(JSON.stringify(events), "9876543210")
    }).pipe(Effect.provide(live)))

  virtualTest("reports an inbound call", () =>
    Effect.gen(function*() {
      yield* (yield* Deployments).create(scope, deploymentBody(), "tests")
      yield* Effect.fork((yield* InboundCalls).run)
      const events = yield* eventsDuring((yield* SimulatedNetwork).callIn({ connection, from: caller, to: line }))
      assert.include(events[0], { type: "attempt.started", kind: "inbound" })
    }).pipe(Effect.provide(live)))

  virtualTest(
    "separates workspaces and creates no event without watchers",
    () =>
      Effect.gen(function*() {
        const feed = yield* LiveFeed
        yield* feed.publish(scope, () => assert.fail("No event expected before there is a watcher"))
        const first = Effect.flatMap(feed.watch(elsewhere), (events) => collected(Stream.take(events, 1)))
        const watching = yield* Effect.fork(Effect.scoped(first))
        yield* Effect.sleep(1)
        yield* feed.publish(scope, () => assert.fail("No event expected for a workspace without watchers"))
        yield* feed.publish(elsewhere, () => missed(7))
        assert.deepStrictEqual(yield* Fiber.join(watching), [missed(7)])
        yield* feed.publish(elsewhere, () => assert.fail("No event expected after the last watcher"))
      }).pipe(Effect.provide(LiveFeed.layer))
  )

  virtualTest("reports missed events to a slow watcher without delaying anything", () =>
    Effect.gen(function*() {
      const feed = yield* LiveFeed
      const go = yield* Effect.makeSemaphore(0)
      const slow = (yield* feed.watch(scope)).pipe(
        Stream.tap(() => go.take(1)),
        Stream.takeUntil((event) => event.type === "missed" && event.count === -9_001)
      )
      const watching = yield* Effect.fork(collected(slow))
      yield* Effect.sleep(1)
      const counted = (from: number, count: number) =>
        Effect.forEach(Array.from({ length: count }, (_, index) => from + index), (number) =>
          feed.publish(scope, () => missed(-number)), { discard: true })
      yield* counted(1, 5_000)
      yield* go.release(10)
      yield* Effect.sleep(1)
      yield* counted(9_001, 1)
      yield* go.release(2_000)
      const counts = (yield* Fiber.join(watching)).map((event) =>
        event.type === "missed" ? event.count : 0
      )
      const gap = counts.findIndex((count) => count > 0)
      assert.deepStrictEqual(counts.slice(0, gap), Array.from({ length: gap }, (_, index) => -(index + 1)))
      assert.strictEqual(counts[gap], 5_000 - gap)
      assert.strictEqual(counts[gap + 1], -9_001)
    }).pipe(Effect.provide(LiveFeed.layer)))

  virtualTest("ends current and later streams when it is closed", () =>
    Effect.gen(function*() {
      const feed = yield* LiveFeed
      const watching = yield* Effect.fork(collected(yield* feed.watch(scope)))
      yield* Effect.sleep(1)
      yield* feed.close
      assert.deepStrictEqual(yield* Fiber.join(watching), [])
      assert.deepStrictEqual(yield* collected(yield* feed.watch(scope)), [])
    }).pipe(Effect.provide(LiveFeed.layer)))
})
