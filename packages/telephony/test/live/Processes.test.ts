import { assert, describe } from "@effect/vitest"
import { AttemptId, Bus, InteractionId, makeMemoryBus, type Scope as Workspace } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Chunk, Context, DateTime, Effect, Fiber, Layer, Stream } from "effect"
import { type LiveEvent, LiveFeed } from "../../src/index.js"
import { elsewhere, scope } from "../Fixtures.js"

const turn = (text: string): LiveEvent => ({
  type: "turn",
  at: DateTime.unsafeMake(1_700_000_000_000),
  attempt_id: AttemptId.make("attempt-1"),
  campaign_id: null,
  interaction_id: InteractionId.make("20240520-1"),
  role: "agent",
  text,
  en_text: null,
  language_name: null
})

/** A feed in a process of its own on a bus. */
const feedOn = (bus: Bus.Service) =>
  Effect.map(Layer.build(Layer.provide(LiveFeed.layer, Layer.succeed(Bus, bus))), Context.get(LiveFeed))

/** Two feeds of different processes, the second one behind a bus through which hints can be lost. */
const twoFeeds = Effect.gen(function*() {
  const join = yield* makeMemoryBus
  const [near, far] = [yield* join, yield* join]
  const connection = { isLost: false }
  const watching = yield* feedOn(near)
  const calling = yield* feedOn({
    ...far,
    publish: (...hint) => Effect.suspend(() => connection.isLost ? Effect.void : far.publish(...hint))
  })
  return { watching, calling, connection, near }
})

/** Watches a workspace, and gives the others time to hear of it. */
const watchFirst = (feed: LiveFeed.Service, count: number, workspace: Workspace = scope) =>
  Effect.gen(function*() {
    const events = yield* feed.watch(workspace)
    const watching = yield* Effect.forkScoped(Stream.runCollect(Stream.take(events, count)))
    yield* Effect.sleep(1)
    return Effect.map(Fiber.join(watching), (all) => Chunk.toReadonlyArray(all))
  })

const publish = (feed: LiveFeed.Service, event: LiveEvent) => feed.publish(scope, () => event)

const refuse = (feed: LiveFeed.Service) =>
  feed.publish(scope, () => assert.fail("No event expected where nobody watches"))

describe("watching calls of other processes", () => {
  virtualTest(
    "delivers the events of a workspace to every process that watches it, in their order",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { calling, watching } = yield* twoFeeds
        const [far, near] = [yield* watchFirst(watching, 3), yield* watchFirst(calling, 3)]
        const events = ["one", "two", "two"].map(turn)
        yield* Effect.forEach(events, (event) => publish(calling, event))
        assert.deepStrictEqual(yield* far, events)
        assert.deepStrictEqual(yield* near, events)
      }))
  )

  virtualTest("carries long texts of any characters", () =>
    Effect.scoped(Effect.gen(function*() {
      const { calling, watching } = yield* twoFeeds
      const events = [turn("नमस्ते \u0000\ud83d\ude00".repeat(2_000)), turn("short")]
      const taken = yield* watchFirst(watching, 2)
      yield* Effect.forEach(events, (event) => publish(calling, event))
      assert.deepStrictEqual(yield* taken, events)
    })))

  virtualTest(
    "creates no event that nobody watches, before, elsewhere, and soon after the last watcher has left",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { calling, watching } = yield* twoFeeds
        yield* refuse(calling)
        yield* Effect.asVoid(watchFirst(watching, 1, elsewhere))
        yield* refuse(calling)
        yield* Effect.scoped(Effect.gen(function*() {
          const taken = yield* watchFirst(watching, 1)
          yield* publish(calling, turn("watched"))
          yield* taken
          yield* Effect.sleep("1 minute")
          yield* publish(calling, turn("still watched"))
        }))
        yield* Effect.sleep("20 seconds")
        yield* refuse(calling)
      }))
  )

  virtualTest("tells how many events were lost on the way", () =>
    Effect.scoped(Effect.gen(function*() {
      const { calling, connection, watching } = yield* twoFeeds
      const taken = yield* watchFirst(watching, 3)
      yield* publish(calling, turn("before"))
      yield* Effect.sleep(1)
      connection.isLost = true
      yield* Effect.forEach(["a", "b", "c"], (text) => publish(calling, turn(text)))
      connection.isLost = false
      yield* publish(calling, turn("after"))
      assert.deepStrictEqual(yield* taken, [turn("before"), { type: "missed", count: 3 }, turn("after")])
    })))

  virtualTest(
    "asks again for the events of watched workspaces when hints may have been missed",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const join = yield* makeMemoryBus
        const watching = yield* feedOn(yield* join)
        const taken = yield* watchFirst(watching, 1)
        const calling = yield* feedOn(yield* join)
        yield* refuse(calling)
        yield* (yield* join).publish("live-watched")
        yield* Effect.sleep(1)
        yield* publish(calling, turn("heard"))
        assert.deepStrictEqual(yield* taken, [turn("heard")])
      }))
  )
})
