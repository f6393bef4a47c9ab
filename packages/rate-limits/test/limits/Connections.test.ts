import { assert, describe, it } from "@effect/vitest"
import { RateLimited } from "@trunkline/errors"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  BucketStore,
  type LimitSubject,
  type PlanTable,
  planTable,
  RateLimits,
  SlotStore
} from "@trunkline/rate-limits"
import { Cause, Duration, Effect, Exit, Fiber, Layer, Logger, LogLevel, Scope } from "effect"

const acme: LimitSubject = { account_id: "acme", plan: "starter" }

const withConnections = (connections: Readonly<Record<string, number>>): PlanTable => ({
  ...planTable,
  starter: { ...planTable.starter, connections }
})

const stores = Layer.mergeAll(BucketStore.layerMemory, SlotStore.layerMemory)

/** Rate limits with accessible stores. */
const open = (plans: PlanTable = planTable) => Layer.provideMerge(RateLimits.layer({ plans }), stores)

const connect = (api: string, subject = acme) =>
  Effect.flatMap(RateLimits, (limits) => limits.connect({ subject, api }))

/** Opens up to the given number of connections; returns how many were admitted and the first error. */
const connectMany = (api: string, count: number) =>
  Effect.gen(function*() {
    for (let opened = 0; opened < count; opened++) {
      const result = yield* Effect.either(connect(api))
      if (result._tag === "Left") return [opened, result.left.reason] as const
    }
    return [count, undefined] as const
  })

const countHeld = (name: string) => Effect.flatMap(SlotStore, (slots) => slots.countHeld({ owner: "acme", name }))

describe("RateLimits.connect", () => {
  virtualTest(
    "limits bursts of connections and admits a tenth of the ceiling per second",
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

  virtualTest(
    "limits connections per account to the plan's ceiling",
    () =>
      Effect.gen(function*() {
        yield* Effect.repeatN(Effect.delay(connect("calls_live"), "1 second"), 19)
        yield* Effect.sleep("1 second")
        const refusal = yield* Effect.flip(connect("calls_live"))
        assert.deepStrictEqual([refusal.reason, Duration.toSeconds(refusal.retryAfter)], ["connections", 10])
        yield* connect("calls_live", { ...acme, account_id: "other" })
        assert.strictEqual(yield* countHeld("calls_live"), 20)
      }).pipe(Effect.provide(open()))
  )

  virtualTest("counts a connection over the ceiling against the connection rate", () =>
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

  virtualTest("holds a slot for exactly the lifetime of its scope", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      yield* Scope.extend(connect("few"), scope)
      yield* Effect.sleep("5 minutes")
      assert.strictEqual(yield* countHeld("few"), 1)
      assert.strictEqual((yield* Effect.flip(connect("few"))).reason, "connections")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* countHeld("few"), 0)

      const fiber = yield* Effect.fork(Effect.scoped(Effect.zipRight(connect("few"), Effect.never)))
      yield* Effect.sleep("1 minute")
      assert.strictEqual(yield* countHeld("few"), 1)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* countHeld("few"), 0)

      yield* Effect.exit(Effect.scoped(Effect.zipRight(connect("few"), Effect.die("broken"))))
      yield* Effect.sleep("1 minute")
      assert.strictEqual(yield* countHeld("few"), 0)
    }).pipe(Effect.provide(open(withConnections({ few: 1 })))))

  virtualTest("expires the slots of a crashed process after 30 seconds", () =>
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

  virtualTest("keeps a slot during a short store outage", () =>
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
        assert.strictEqual(yield* countHeld("few"), 1)
      }).pipe(
        Effect.provide(RateLimits.layer({ plans: withConnections({ few: 1 }) }).pipe(Layer.provide(fragile)))
      )
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None), Effect.provide(stores)))

  it.effect("reports the exceeded limit in a WebSocket close reason", () =>
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

  it.effect("dies for an unknown connection family", () =>
    Effect.gen(function*() {
      const cause = yield* Effect.flip(Effect.sandbox(Effect.scoped(connect("chat"))))
      assert.include(Cause.pretty(cause), "The plan starter has no connections named chat")
    }).pipe(Effect.provide(RateLimits.layerMemory())))
})
