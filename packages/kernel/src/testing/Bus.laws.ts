import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import type { Bus } from "../bus/Bus.js"
import type { Hint } from "../bus/HintText.js"

/** A bus under test. */
export interface BusUnderTest {
  /** Adds a member, and connects it. */
  readonly join: Effect.Effect<Bus.Service, never, Scope.Scope>
  /** Ends all connections, so that none can be made until it is over; undefined where there are no connections. */
  readonly outage?: { readonly begin: Effect.Effect<void>; readonly end: Effect.Effect<void> }
}

/** Takes hints up to and including one; returns how many there were. */
const takeUntil = (take: Effect.Effect<Hint>, target: Hint): Effect.Effect<number> => {
  const step = (count: number): Effect.Effect<number> =>
    Effect.flatMap(take, (hint) => hint === target ? Effect.succeed(count) : step(count + 1))
  return step(1)
}

/** Takes the next hint with a payload. */
const takePayload = (take: Effect.Effect<Hint>) =>
  Effect.repeat(take, { until: (hint): hint is string => hint !== null })

/** Two members; the second one has a subscription to `news` that works. */
const pair = (bus: BusUnderTest) =>
  Effect.gen(function*() {
    const [first, second] = [yield* bus.join, yield* bus.join]
    const take = yield* second.subscribe("news")
    yield* first.publish("news", "begins")
    yield* takeUntil(take, "begins")
    return { first, second, take }
  })

/** Publishes until a subscriber has heard it. */
const publishUntilHeard = (publisher: Bus.Service, take: Effect.Effect<Hint>, payload: string) =>
  Effect.gen(function*() {
    const again = Effect.zipRight(publisher.publish("news", payload), Effect.sleep("20 millis"))
    const publishing = yield* Effect.fork(Effect.forever(again))
    const count = yield* takeUntil(take, payload)
    yield* Fiber.interrupt(publishing)
    return count
  })

/** Laws of `Bus`. */
export const busLaws = (name: string, make: Effect.Effect<BusUnderTest, never, Scope.Scope>) =>
  describe(`Bus laws: ${name}`, () => {
    it.scopedLive("delivers a hint to every other member, in the order of its sender", () =>
      Effect.gen(function*() {
        const bus = yield* make
        const [first, second, third] = [yield* bus.join, yield* bus.join, yield* bus.join]
        const takes = [yield* second.subscribe("news"), yield* third.subscribe("news"), yield* third.subscribe("news")]
        for (const payload of ["one", "two", "ünï\u0000 \"three\""]) yield* first.publish("news", payload)
        for (const take of takes) {
          assert.deepStrictEqual(yield* Effect.replicateEffect(takePayload(take), 3), [
            "one",
            "two",
            "ünï\u0000 \"three\""
          ])
        }
        assert.isTrue(first.isShared)
      }))

    it.scopedLive("delivers hints without a payload", () =>
      Effect.gen(function*() {
        const { first, take } = yield* pair(yield* make)
        yield* first.publish("news")
        assert.isNull(yield* take)
      }))

    it.scopedLive("does not deliver to the sender, nor to subscribers of other topics", () =>
      Effect.gen(function*() {
        const { first, second, take } = yield* pair(yield* make)
        const subscription = yield* first.subscribe("news")
        const other = yield* first.subscribe("other")
        yield* first.publish("news", "of the first")
        yield* takeUntil(take, "of the first")
        yield* second.publish("news", "of the second")
        yield* second.publish("other", "elsewhere")
        assert.strictEqual(yield* takePayload(subscription), "of the second")
        assert.strictEqual(yield* takePayload(other), "elsewhere")
      }))

    it.scopedLive("ends a subscription with its scope", () =>
      Effect.gen(function*() {
        const { first, second, take } = yield* pair(yield* make)
        const scope = yield* Scope.make()
        const takeSecond = yield* Scope.extend(second.subscribe("news"), scope)
        yield* first.publish("news", "before")
        assert.strictEqual(yield* takePayload(takeSecond), "before")
        yield* Scope.close(scope, Exit.void)
        const waiting = yield* Effect.fork(takeSecond)
        yield* first.publish("news", "after")
        yield* takeUntil(take, "after")
        yield* Effect.yieldNow()
        assert.strictEqual((yield* Fiber.poll(waiting))._tag, "None")
        yield* Fiber.interrupt(waiting)
      }))

    it.scopedLive("delivers equal hints of one moment as few", () =>
      Effect.gen(function*() {
        const { first, take } = yield* pair(yield* make)
        yield* Effect.replicateEffect(first.publish("news", "same"), 1_000)
        yield* first.publish("news", "last")
        assert.isBelow(yield* takeUntil(take, "last"), 100)
      }))

    it.scopedLive("replaces a payload that is too large for a message", () =>
      Effect.gen(function*() {
        const { first, take } = yield* pair(yield* make)
        yield* first.publish("news", "é".repeat(4_000))
        assert.isNull(yield* take)
        yield* first.publish("news", "a".repeat(6_500))
        assert.strictEqual(yield* take, "a".repeat(6_500))
      }))

    it.scopedLive("keeps few of 10,000 hints at once, and says that there were more", () =>
      Effect.gen(function*() {
        const { first, take } = yield* pair(yield* make)
        for (let index = 0; index < 10_000; index++) yield* first.publish("news", `hint ${index}`)
        assert.isAtMost(yield* takeUntil(take, null), 5_000)
        assert.isAtMost(yield* publishUntilHeard(first, take, "after"), 5_000)
      }))

    it.scopedLive("says after a lost connection that hints may have been missed, and goes on", () =>
      Effect.gen(function*() {
        const bus = yield* make
        const { outage } = bus
        if (outage === undefined) return
        const { first, take } = yield* pair(bus)
        yield* outage.begin
        yield* outage.end
        assert.isNull(yield* take)
        yield* publishUntilHeard(first, take, "after")
      }))

    it.scopedLive("takes hints while there is no connection", () =>
      Effect.gen(function*() {
        const bus = yield* make
        const { outage } = bus
        if (outage === undefined) return
        const { first, take } = yield* pair(bus)
        yield* outage.begin
        for (let index = 0; index < 10_000; index++) yield* first.publish("news", `hint ${index}`)
        yield* outage.end
        yield* takeUntil(take, null)
        yield* publishUntilHeard(first, take, "after")
      }))
  })
