import { assert, describe, it } from "@effect/vitest"
import { CampaignId, ConnectionId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import {
  type CallSlot,
  CallSlots,
  type Claimant,
  Connection,
  grantSlots,
  type SlotLease,
  SlotLeases
} from "@trunkline/telephony"
import { Context, Duration, Effect, FastCheck as fc, Fiber, Layer, Option, TestClock } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const trunk = (max_channels?: number) =>
  new Connection({
    connection_id: ConnectionId.make("trunk"),
    provider: "simulator",
    phone_numbers: [PhoneNumber.make("+911140000001")],
    options: {},
    ...(max_channels === undefined ? {} : { max_channels })
  })
const campaign: Claimant = { _tag: "Campaign", campaign_id: CampaignId.make("camp-a1b2c3d4e5f6") }
const inbound: Claimant = { _tag: "Inbound" }

/** Leases of processes that share nothing but a map. */
const sharedLeases = (rows = new Map<string, Map<number, SlotLease>>()) => (process: number): SlotLeases.Service => ({
  every: Duration.seconds(1),
  settle: (requests) =>
    Effect.sync(() =>
      requests.map(({ resource, ...request }) => {
        const leases = rows.get(resource) ?? new Map<number, SlotLease>()
        rows.set(resource, leases)
        const grant = grantSlots(request, [...leases].flatMap(([id, lease]) => id === process ? [] : lease))
        leases.set(process, grant)
        return grant
      })
    ),
  limitNames: Effect.sync(() =>
    [...rows].flatMap(([resource, leases]) => (leases.get(process)?.slots ?? 0) > 0 ? [resource] : [])
  )
})

/** The call slots of so many processes that share their limits. */
const processes = (
  count: number,
  options: Parameters<typeof CallSlots.layer>[0],
  rows?: Map<string, Map<number, SlotLease>>
) =>
  Effect.gen(function*() {
    const leasesOf = sharedLeases(rows)
    return yield* Effect.forEach(
      Array.from({ length: count }, (_, index) => index),
      (process) =>
        Effect.map(
          Layer.build(Layer.provide(CallSlots.layer(options), Layer.succeed(SlotLeases, leasesOf(process)))),
          (services) => Context.get(services, CallSlots)
        )
    )
  })

/** Takes slots until none has become free for some seconds. */
const takeAll = (slots: typeof CallSlots.Service, connection: Connection, claimant: Claimant) =>
  Effect.gen(function*() {
    const takenSlots: Array<CallSlot> = []
    for (;;) {
      const slot = yield* slots.tryTake(scope, connection, claimant)
      if (slot.isTaken) {
        takenSlots.push(slot)
        continue
      }
      const freed = yield* Effect.fork(slot.turn)
      for (let waited = 0; waited < 10 && Option.isNone(yield* freed.poll); waited += 1) {
        yield* TestClock.adjust("500 millis")
      }
      if (Option.isNone(yield* freed.poll)) return yield* Effect.as(Fiber.interrupt(freed), takenSlots)
    }
  })

describe("call slots of processes that share their limits", () => {
  it.scoped("hold the limit of a workspace together, and leave its share to inbound calls", () =>
    Effect.gen(function*() {
      const [one, other] = yield* processes(2, { maxConcurrentCalls: 10, inboundShare: 0.2 })
      assert.isDefined(one)
      assert.isDefined(other)
      const taken = [...yield* takeAll(one, trunk(), campaign), ...yield* takeAll(other, trunk(), campaign)]
      assert.lengthOf(taken, 8)
      const received = [...yield* takeAll(other, trunk(), inbound), ...yield* takeAll(one, trunk(), inbound)]
      assert.lengthOf(received, 2)
    }))

  it.scoped("give an inbound call a slot that another process has not in use, at once", () =>
    Effect.gen(function*() {
      const [one, other] = yield* processes(2, { maxConcurrentCalls: 10, inboundShare: 0 })
      assert.isTrue((yield* (yield* Effect.fromNullable(other)).tryTake(scope, trunk(), inbound)).isTaken)
      assert.lengthOf(yield* takeAll(yield* Effect.fromNullable(one), trunk(), campaign), 9)
    }).pipe(Effect.orDie))

  it.scoped("give back slots that a process has taken over from a dead one, but that no call of it uses", () =>
    Effect.gen(function*() {
      const left = new Map([["connection trunk", new Map([[0, { slots: 4, wanted: false }]])]])
      const [, other] = yield* processes(2, { maxConcurrentCalls: 100 }, left)
      assert.isDefined(other)
      assert.lengthOf(yield* takeAll(other, trunk(4), campaign), 0)
      yield* TestClock.adjust("1 minute")
      assert.lengthOf(yield* takeAll(other, trunk(4), campaign), 4)
    }))

  it.scoped("pass the only channel of a connection on, call by call", () =>
    Effect.gen(function*() {
      const [one, other] = yield* processes(2, { maxConcurrentCalls: 100 })
      assert.isDefined(one)
      assert.isDefined(other)
      const calls: Array<string> = []
      const callFrom = (name: string, slots: typeof CallSlots.Service) =>
        Effect.gen(function*() {
          const slot = yield* slots.take(scope, trunk(1), campaign)
          calls.push(name)
          yield* Effect.sleep("3 seconds")
          yield* slot.release
        })
      yield* Effect.forkScoped(Effect.forever(callFrom("one", one)))
      yield* Effect.forkScoped(Effect.forever(callFrom("other", other)))
      yield* TestClock.adjust("1 minute")
      const ofOne = calls.filter((name) => name === "one").length
      assert.isAbove(calls.length, 8)
      assert.closeTo(ofOne, calls.length / 2, 1)
    }))

  it.scoped("divide a limit equally once both need it, though one had all of it", () =>
    Effect.gen(function*() {
      const [one, other] = yield* processes(2, { maxConcurrentCalls: 10, inboundShare: 0 })
      assert.isDefined(one)
      assert.isDefined(other)
      const held = [...yield* takeAll(one, trunk(), campaign)]
      assert.lengthOf(held, 10)
      const waiting = yield* Effect.forkScoped(Effect.replicateEffect(other.take(scope, trunk(), campaign), 5))
      for (const slot of held) {
        yield* slot.release
        yield* TestClock.adjust("2 seconds")
        yield* one.tryTake(scope, trunk(), campaign)
      }
      assert.lengthOf(yield* waiting.await.pipe(Effect.flatten), 5)
      assert.strictEqual(yield* one.inUse(scope), 5)
    }))

  const operation = fc.record({
    process: fc.nat({ max: 2 }),
    act: fc.constantFrom("take", "release", "force", "wait"),
    isInbound: fc.boolean()
  })

  it.effect.prop(
    "never exceed a limit, whatever they do, but for calls that were forced",
    [fc.array(operation)],
    ([acts]) =>
      Effect.scoped(Effect.gen(function*() {
        const all = yield* processes(3, { maxConcurrentCalls: 6, inboundShare: 0.3 })
        const held: Array<{ readonly slot: CallSlot; readonly isInbound: boolean }> = []
        let forced = 0
        for (const { act, isInbound, process } of acts) {
          const slots = all[process] ?? assert.fail("there are three")
          const claimant = isInbound ? inbound : campaign
          if (act === "wait") yield* TestClock.adjust("1 second")
          if (act === "release") yield* held.shift()?.slot.release ?? Effect.void
          if (act === "force") {
            held.push({ slot: yield* slots.force(scope, trunk(4), claimant), isInbound })
            forced += 1
          }
          if (act !== "take") continue
          const slot = yield* slots.tryTake(scope, trunk(4), claimant)
          if (!slot.isTaken) continue
          held.push({ slot, isInbound })
          assert.isAtMost(held.length, 4 + forced)
          assert.isAtMost(held.filter((one) => !one.isInbound).length, 4 + forced)
        }
      }))
  )
})
