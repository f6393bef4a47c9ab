import { assert, describe, it } from "@effect/vitest"
import { RateLimited } from "@trunkline/errors"
import { virtual } from "@trunkline/kernel/testing"
import { BucketStore, type Limited, type PlanTable, planTable, RateLimits, SlotStore } from "@trunkline/rate-limits"
import { Cause, Duration, Effect, Exit, Fiber, Layer, Logger, LogLevel, Scope } from "effect"

const acme: Limited = { account_id: "acme", plan: "starter" }

const withConnections = (connections: Readonly<Record<string, number>>): PlanTable => ({
  ...planTable,
  starter: { ...planTable.starter, connections }
})

const stores = Layer.mergeAll(BucketStore.layerMemory, SlotStore.layerMemory)

/** Rate limits whose stores can be looked into. */
const open = (plans: PlanTable = planTable) => Layer.provideMerge(RateLimits.layer({ plans }), stores)

const connect = (api: string, who = acme) => Effect.flatMap(RateLimits, (limits) => limits.connect({ who, api }))

/** Opens so many connections, or as many as are let in, and says how many these were and what came of the next. */
const connectMany = (api: string, count: number) =>
  Effect.gen(function*() {
    for (let opened = 0; opened < count; opened++) {
      const result = yield* Effect.either(connect(api))
      if (result._tag === "Left") return [opened, result.left.reason] as const
    }
    return [count, undefined] as const
  })

const held = (name: string) => Effect.flatMap(SlotStore, (slots) => slots.held({ owner: "acme", name }))

describe("RateLimits.connect", () => {
  virtual(
    "a burst of connections is refused below the ceiling, and lets in a tenth of it a second",
    () =>
      Effect.gen(function*() {
        for (const [api, burst] of [["calls_live", 5], ["text_to_speech_stream", 15]] as const) {
          assert.deepStrictEqual(yield* connectMany(api, 100), [burst, "connection_speed"])
        }
        const refusal = yield* Effect.flip(connect("calls_live"))
        assert.strictEqual(Duration.toMillis(refusal.retryAfter), 500)
        yield* Effect.sleep(refusal.retryAfter)
        assert.deepStrictEqual(yield* connectMany("calls_live", 100), [1, "connection_speed"])
      }).pipe(Effect.provide(open()))
  )

  virtual(
    "an account holds as many connections as its plan allows, and another as many again",
    () =>
      Effect.gen(function*() {
        yield* Effect.repeatN(Effect.delay(connect("calls_live"), "1 second"), 19)
        yield* Effect.sleep("1 second")
        const refusal = yield* Effect.flip(connect("calls_live"))
        assert.deepStrictEqual([refusal.reason, Duration.toSeconds(refusal.retryAfter)], ["connections", 10])
        yield* connect("calls_live", { ...acme, account_id: "other" })
        assert.strictEqual(yield* held("calls_live"), 20)
      }).pipe(Effect.provide(open()))
  )

  virtual("what is refused for want of a place has used up its share of the speed", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* connectMany("few", 1), [1, undefined])
      const refusals = yield* Effect.replicateEffect(Effect.flip(connect("few")), 5)
      assert.deepStrictEqual(refusals.map(({ reason }) => reason), [
        "connections",
        "connections",
        "connections",
        "connections",
        "connection_speed"
      ])
    }).pipe(Effect.provide(open(withConnections({ few: 1 })))))

  virtual("a place lasts as long as its scope, however it ends, and no longer", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      yield* Scope.extend(connect("few"), scope)
      yield* Effect.sleep("5 minutes")
      assert.strictEqual(yield* held("few"), 1)
      assert.strictEqual((yield* Effect.flip(connect("few"))).reason, "connections")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* held("few"), 0)

      const fiber = yield* Effect.fork(Effect.scoped(Effect.zipRight(connect("few"), Effect.never)))
      yield* Effect.sleep("1 minute")
      assert.strictEqual(yield* held("few"), 1)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* held("few"), 0)

      yield* Effect.exit(Effect.scoped(Effect.zipRight(connect("few"), Effect.die("broken"))))
      yield* Effect.sleep("1 minute")
      assert.strictEqual(yield* held("few"), 0)
    }).pipe(Effect.provide(open(withConnections({ few: 1 })))))

  virtual("the places of a process that died come free after half a minute", () =>
    Effect.gen(function*() {
      const slots = yield* SlotStore
      const process = Layer.succeed(SlotStore, { ...slots, release: () => Effect.void })
      const fiber = yield* Effect.fork(
        Effect.scoped(Effect.zipRight(connect("few"), Effect.never)).pipe(
          Effect.provide(RateLimits.layer({ plans: withConnections({ few: 1 }) }).pipe(Layer.provide(process)))
        )
      )
      yield* Effect.sleep("45 seconds")
      yield* Fiber.interrupt(fiber)
      yield* Effect.sleep("24 seconds")
      assert.strictEqual((yield* Effect.flip(connect("few"))).reason, "connections")
      yield* Effect.sleep("2 seconds")
      yield* connect("few")
    }).pipe(Effect.provide(open(withConnections({ few: 1 })))))

  virtual("a place is kept while the store is out of order for a moment", () =>
    Effect.gen(function*() {
      const slots = yield* SlotStore
      let isBroken = false
      const fragile = Layer.succeed(SlotStore, {
        ...slots,
        hold: (slot, terms) => Effect.suspend(() => isBroken ? Effect.die("out of order") : slots.hold(slot, terms))
      })
      yield* Effect.gen(function*() {
        yield* connect("few")
        isBroken = true
        yield* Effect.sleep("20 seconds")
        isBroken = false
        yield* Effect.sleep("1 minute")
        assert.strictEqual(yield* held("few"), 1)
      }).pipe(
        Effect.provide(RateLimits.layer({ plans: withConnections({ few: 1 }) }).pipe(Layer.provide(fragile)))
      )
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None), Effect.provide(stores)))

  it.effect("says in a close frame's reason which limit it was", () =>
    Effect.gen(function*() {
      const longest = "n".repeat(60)
      const layer = RateLimits.layerMemory({ plans: withConnections({ [longest]: 1, few: 1 }) })
      const refusals = yield* Effect.gen(function*() {
        const refuse = (api: string) => Effect.replicateEffect(Effect.either(connect(api)), 7)
        return [...yield* refuse("few"), ...yield* refuse(longest)]
      }).pipe(Effect.scoped, Effect.provide(layer))
      const messages = refusals.flatMap((result) => result._tag === "Left" ? [result.left.message] : [])
      assert.includeMembers(messages, [
        "The rate limit of few is exceeded: too many connections at once",
        "The rate limit of few is exceeded: connections are opened too fast",
        `The rate limit of ${longest} is exceeded: connections are opened too fast`
      ])
      assert.isTrue(messages.every((message) => new TextEncoder().encode(message).length <= 123))
      assert.isTrue(refusals.every((result) => result._tag === "Right" || result.left instanceof RateLimited))
    }))

  it.effect("connections of no family are a defect that says so", () =>
    Effect.gen(function*() {
      const cause = yield* Effect.flip(Effect.sandbox(Effect.scoped(connect("chat"))))
      assert.include(Cause.pretty(cause), "The plan starter has no connections named chat")
    }).pipe(Effect.provide(RateLimits.layerMemory())))
})
