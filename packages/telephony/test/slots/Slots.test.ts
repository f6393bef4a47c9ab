import { assert, describe } from "@effect/vitest"
import { BusinessTime, CampaignId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type CallSlot, CallSlots, type CallSlotsOptions, type Claimant } from "@trunkline/telephony"
import { Effect, Fiber, Option } from "effect"
import { elsewhere, scope } from "../Fixtures.js"
import { line } from "./SlotFixtures.js"

const unlimited = line("unlimited")

const campaign = (name: string): Claimant => ({ _tag: "Campaign", campaign_id: CampaignId.make(name) })

const single: Claimant = { _tag: "Single" }

const inbound: Claimant = { _tag: "Inbound" }

const withSlots = (
  options: CallSlotsOptions,
  test: (slots: typeof CallSlots.Service) => Effect.Effect<void>
) => Effect.flatMap(CallSlots, test).pipe(Effect.provide(CallSlots.layer(options)))

/** Takes slots until none is free. */
const takeAll = (slots: typeof CallSlots.Service, claimant: Claimant, connection = unlimited) =>
  Effect.gen(function*() {
    const takenSlots: Array<CallSlot> = []
    for (;;) {
      const slot = yield* slots.tryTake(scope, connection, claimant)
      if (!slot.isTaken) return takenSlots
      takenSlots.push(slot)
    }
  })

describe("the slots of a workspace", () => {
  virtualTest(
    "are limited, with a share reserved for inbound calls",
    () =>
      withSlots({ maxConcurrentCalls: 10 }, (slots) =>
        Effect.gen(function*() {
          assert.lengthOf(yield* takeAll(slots, single), 9)
          assert.lengthOf(yield* takeAll(slots, campaign("a")), 0)
          assert.lengthOf(yield* takeAll(slots, inbound), 1)
          assert.strictEqual(yield* slots.inUse(scope), 10)
          assert.isTrue((yield* slots.tryTake(elsewhere, unlimited, single)).isTaken)
        }))
  )

  const shares: ReadonlyArray<readonly [CallSlotsOptions & { readonly maxConcurrentCalls: number }, number]> = [
    [{ maxConcurrentCalls: 1 }, 1],
    [{ maxConcurrentCalls: 2 }, 1],
    [{ maxConcurrentCalls: 11 }, 9],
    [{ maxConcurrentCalls: 10, inboundShare: 0 }, 10],
    [{ maxConcurrentCalls: 10, inboundShare: 0.5 }, 5],
    [{ maxConcurrentCalls: 10, inboundShare: 1 }, 1]
  ]
  for (const [options, outgoing] of shares) {
    virtualTest(
      `${JSON.stringify(options)} leaves ${outgoing} for calls going out`,
      () =>
        withSlots(options, (slots) =>
          Effect.gen(function*() {
            assert.lengthOf(yield* takeAll(slots, single), outgoing)
            assert.lengthOf(yield* takeAll(slots, inbound), options.maxConcurrentCalls - outgoing)
          }))
    )
  }

  virtualTest(
    "are those of the lines alone without a limit",
    () =>
      withSlots({}, (slots) =>
        Effect.gen(function*() {
          assert.lengthOf(yield* takeAll(slots, single, line("thirty", 30)), 30)
          const refused = yield* slots.tryTake(scope, line("thirty", 30), inbound)
          assert.deepInclude(refused, {
            isTaken: false,
            limitedBy: "connection",
            limit: "all 30 channels of the line thirty are in use (max_channels)"
          })
          assert.isTrue((yield* slots.tryTake(scope, unlimited, inbound)).isTaken)
        }))
  )

  virtualTest(
    "grow with a limit that is raised, at the next call",
    () => {
      let limit = 1
      return withSlots(
        { inboundShare: 0, maxConcurrentCalls: () => Effect.sync(() => limit) },
        (slots) =>
          Effect.gen(function*() {
            yield* slots.take(scope, unlimited, single)
            const refused = yield* slots.tryTake(scope, unlimited, campaign("a"))
            const words = "the workspace is at its limit of 1 concurrent call (its max_concurrent_calls)"
            assert.deepInclude(refused, { isTaken: false, limitedBy: "workspace", limit: words })
            const waiter = yield* Effect.fork(slots.take(scope, unlimited, single))
            yield* BusinessTime.sleep("1 minute")
            assert.isTrue(Option.isNone(yield* Fiber.poll(waiter)))
            limit = 3
            assert.isTrue((yield* slots.tryTake(scope, unlimited, inbound)).isTaken)
            yield* Fiber.join(waiter)
            assert.strictEqual(yield* slots.inUse(scope), 3)
          })
      )
    }
  )

  virtualTest(
    "can be used by inbound calls beyond their share",
    () =>
      withSlots({ maxConcurrentCalls: 4, inboundShare: 0.25 }, (slots) =>
        Effect.gen(function*() {
          const ringing = yield* takeAll(slots, inbound)
          assert.lengthOf(ringing, 4)
          assert.lengthOf(yield* takeAll(slots, single), 0)
          for (const { release } of ringing.slice(0, 2)) yield* release
          assert.lengthOf(yield* takeAll(slots, single), 2)
        }))
  )

  virtualTest(
    "are released once, however often release runs",
    () =>
      withSlots({ maxConcurrentCalls: 2, inboundShare: 0 }, (slots) =>
        Effect.gen(function*() {
          const [first, second] = yield* takeAll(slots, single)
          yield* Effect.all([first?.release ?? Effect.void, first?.release ?? Effect.void])
          assert.strictEqual(yield* slots.inUse(scope), 1)
          yield* second?.release ?? Effect.void
          assert.strictEqual(yield* slots.inUse(scope), 0)
          assert.lengthOf(yield* takeAll(slots, single), 2)
        }))
  )

  virtualTest(
    "count a forced call over the limit and are not assigned twice",
    () =>
      withSlots({ maxConcurrentCalls: 2, inboundShare: 0 }, (slots) =>
        Effect.gen(function*() {
          const taken = yield* takeAll(slots, single)
          const forced = yield* slots.force(scope, unlimited, campaign("a"))
          assert.strictEqual(yield* slots.inUse(scope), 3)
          for (const { release } of taken) yield* release
          assert.lengthOf(yield* takeAll(slots, single), 1)
          yield* forced.release
          assert.lengthOf(yield* takeAll(slots, single), 1)
        }))
  )

  virtualTest(
    "are also limited per connection across workspaces",
    () =>
      withSlots({ maxConcurrentCalls: 10, inboundShare: 0 }, (slots) =>
        Effect.gen(function*() {
          const limited = line("limited", 3)
          const taken = yield* takeAll(slots, single, limited)
          assert.lengthOf(taken, 3)
          assert.strictEqual(yield* slots.use(limited), 3)
          const rejected = yield* slots.tryTake(elsewhere, limited, single)
          assert.deepInclude(rejected, { isTaken: false, limitedBy: "connection" })
          const waiting = yield* Effect.fork(slots.take(elsewhere, limited, single))
          yield* Effect.yieldNow()
          yield* taken[0]?.release ?? Effect.void
          yield* Fiber.join(waiting)
          assert.strictEqual(yield* slots.inUse(elsewhere), 1)
          assert.strictEqual(yield* slots.use(limited), 3)
        }))
  )
})

describe("claimants that wait for a slot", () => {
  virtualTest(
    "are served in order and never overtaken",
    () =>
      withSlots({ maxConcurrentCalls: 1 }, (slots) =>
        Effect.gen(function*() {
          const [held] = yield* takeAll(slots, single)
          const served: Array<number> = []
          const waiting = yield* Effect.forEach([0, 1, 2, 3], (index) =>
            slots.take(scope, unlimited, single).pipe(
              Effect.tap(() => Effect.sync(() => void served.push(index))),
              Effect.flatMap(({ release }) => Effect.zipRight(BusinessTime.sleep("1 second"), release)),
              Effect.fork,
              Effect.tap(Effect.yieldNow())
            ))
          yield* held?.release ?? Effect.void
          assert.isFalse((yield* slots.tryTake(scope, unlimited, campaign("late"))).isTaken)
          yield* Fiber.joinAll(waiting)
          assert.deepStrictEqual(served, [0, 1, 2, 3])
        }))
  )

  virtualTest(
    "leave no state when interrupted, and pass their slot on",
    () =>
      withSlots({ maxConcurrentCalls: 1 }, (slots) =>
        Effect.gen(function*() {
          const [held] = yield* takeAll(slots, single)
          const first = yield* Effect.fork(slots.take(scope, unlimited, single))
          const second = yield* Effect.fork(slots.take(scope, unlimited, campaign("b")))
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(first)
          yield* held?.release ?? Effect.void
          const slot = yield* Fiber.join(second)
          yield* slot.release
          assert.strictEqual(yield* slots.inUse(scope), 0)
        }))
  )

  virtualTest(
    "lose their reservation to the next claimant when they do not use it",
    () =>
      withSlots({ maxConcurrentCalls: 1 }, (slots) =>
        Effect.gen(function*() {
          const [held] = yield* takeAll(slots, single)
          const rejected = yield* slots.tryTake(scope, unlimited, campaign("absent"))
          const absent = yield* Effect.fork(rejected.isTaken ? Effect.void : rejected.turn)
          yield* Effect.yieldNow()
          const next = yield* Effect.fork(slots.take(scope, unlimited, single))
          yield* Effect.yieldNow()
          yield* held?.release ?? Effect.void
          yield* Fiber.join(absent)
          yield* BusinessTime.sleep("4 seconds")
          assert.isTrue(Option.isNone(yield* Fiber.poll(next)))
          yield* BusinessTime.sleep("7 seconds")
          assert.isTrue(Option.isSome(yield* Fiber.poll(next)))
        }))
  )

  virtualTest(
    "get the slot reserved for them when they come in time",
    () =>
      withSlots({ maxConcurrentCalls: 1 }, (slots) =>
        Effect.gen(function*() {
          const [held] = yield* takeAll(slots, single)
          const rejected = yield* slots.tryTake(scope, unlimited, campaign("a"))
          const freed = yield* Effect.fork(rejected.isTaken ? Effect.void : rejected.turn)
          yield* Effect.yieldNow()
          yield* held?.release ?? Effect.void
          yield* Fiber.join(freed)
          assert.isFalse((yield* slots.tryTake(scope, unlimited, single)).isTaken)
          assert.isTrue((yield* slots.tryTake(scope, unlimited, campaign("a"))).isTaken)
        }))
  )

  virtualTest(
    "are woken one at a time, one for each released slot",
    () =>
      withSlots({ maxConcurrentCalls: 1 }, (slots) =>
        Effect.gen(function*() {
          let woken = 0
          const [held] = yield* takeAll(slots, single)
          const one = Effect.flatMap(slots.take(scope, unlimited, single), () => Effect.sync(() => void (woken += 1)))
          yield* Effect.forEach(Array.from({ length: 1_000 }), () => Effect.fork(one), { discard: true })
          yield* BusinessTime.sleep("1 second")
          yield* held?.release ?? Effect.void
          yield* BusinessTime.sleep("1 minute")
          assert.strictEqual(woken, 1)
        }))
  )

  virtualTest(
    "share the slots evenly with later claimants",
    () =>
      withSlots({ maxConcurrentCalls: 12, inboundShare: 0 }, (slots) =>
        Effect.gen(function*() {
          const held = new Map<string, number>()
          const note = (name: string, by: number) => Effect.sync(() => void held.set(name, (held.get(name) ?? 0) + by))
          const caller = (name: string) =>
            slots.take(scope, unlimited, campaign(name)).pipe(
              Effect.tap(() => note(name, 1)),
              Effect.flatMap(({ release }) => Effect.zipRight(BusinessTime.sleep("10 seconds"), release)),
              Effect.tap(() => note(name, -1)),
              Effect.forever,
              Effect.fork
            )
          yield* Effect.forEach(Array.from({ length: 20 }), () => caller("first"))
          yield* BusinessTime.sleep("5 seconds")
          assert.deepStrictEqual([...held.values()], [12])
          for (const name of ["second", "third"]) yield* Effect.forEach(Array.from({ length: 20 }), () => caller(name))
          yield* BusinessTime.sleep("5 minutes")
          assert.deepStrictEqual([...held.values()], [4, 4, 4])
        }))
  )
})
