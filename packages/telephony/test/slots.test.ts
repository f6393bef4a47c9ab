import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, CampaignId, ConnectionId } from "@trunkline/kernel"
import { propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import { type CallSlot, CallSlots, type CallSlotsOptions, type Claimant, Connection } from "@trunkline/telephony"
import { Effect, FastCheck, Fiber, Option } from "effect"
import { SlotAllocator, type Waiter } from "../src/lines/SlotAllocator.js"
import { elsewhere, scope } from "./fixtures.js"

const line = (id: string, max_channels?: number) =>
  new Connection({
    connection_id: ConnectionId.make(id),
    provider: "simulator",
    phone_numbers: [],
    options: {},
    ...(max_channels === undefined ? {} : { max_channels })
  })

const wide = line("wide")
const campaign = (name: string): Claimant => ({ _tag: "Campaign", campaign_id: CampaignId.make(name) })
const single: Claimant = { _tag: "Single" }
const inbound: Claimant = { _tag: "Inbound" }

const withSlots = (
  options: CallSlotsOptions,
  test: (slots: typeof CallSlots.Service) => Effect.Effect<void>
) => Effect.flatMap(CallSlots, test).pipe(Effect.provide(CallSlots.layer(options)))

/** Takes slots until none is free. */
const takeAll = (slots: typeof CallSlots.Service, claimant: Claimant, connection = wide) =>
  Effect.gen(function*() {
    const taken: Array<CallSlot> = []
    for (;;) {
      const slot = yield* slots.tryTake(scope, connection, claimant)
      if (!slot.taken) return taken
      taken.push(slot)
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
          assert.isTrue((yield* slots.tryTake(elsewhere, wide, single)).taken)
        }))
  )

  const shares: ReadonlyArray<readonly [CallSlotsOptions, number]> = [
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
            assert.lengthOf(yield* takeAll(slots, inbound), (options.maxConcurrentCalls ?? 10) - outgoing)
          }))
    )
  }

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
          const forced = yield* slots.force(scope, wide, campaign("a"))
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
          const narrow = line("narrow", 3)
          const taken = yield* takeAll(slots, single, narrow)
          assert.lengthOf(taken, 3)
          assert.strictEqual(yield* slots.use(narrow), 3)
          const refused = yield* slots.tryTake(elsewhere, narrow, single)
          assert.deepInclude(refused, { taken: false, why: "connection" })
          const waiting = yield* Effect.fork(slots.take(elsewhere, narrow, single))
          yield* Effect.yieldNow()
          yield* taken[0]?.release ?? Effect.void
          yield* Fiber.join(waiting)
          assert.strictEqual(yield* slots.inUse(elsewhere), 1)
          assert.strictEqual(yield* slots.use(narrow), 3)
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
            slots.take(scope, wide, single).pipe(
              Effect.tap(() => Effect.sync(() => void served.push(index))),
              Effect.flatMap(({ release }) => Effect.zipRight(BusinessTime.sleep("1 second"), release)),
              Effect.fork,
              Effect.tap(Effect.yieldNow())
            ))
          yield* held?.release ?? Effect.void
          assert.isFalse((yield* slots.tryTake(scope, wide, campaign("late"))).taken)
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
          const first = yield* Effect.fork(slots.take(scope, wide, single))
          const second = yield* Effect.fork(slots.take(scope, wide, campaign("b")))
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
          const refused = yield* slots.tryTake(scope, wide, campaign("gone"))
          const gone = yield* Effect.fork(refused.taken ? Effect.void : refused.freed)
          yield* Effect.yieldNow()
          const next = yield* Effect.fork(slots.take(scope, wide, single))
          yield* Effect.yieldNow()
          yield* held?.release ?? Effect.void
          yield* Fiber.join(gone)
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
          const refused = yield* slots.tryTake(scope, wide, campaign("a"))
          const freed = yield* Effect.fork(refused.taken ? Effect.void : refused.freed)
          yield* Effect.yieldNow()
          yield* held?.release ?? Effect.void
          yield* Fiber.join(freed)
          assert.isFalse((yield* slots.tryTake(scope, wide, single)).taken)
          assert.isTrue((yield* slots.tryTake(scope, wide, campaign("a"))).taken)
        }))
  )

  virtualTest(
    "are woken one at a time, one for each released slot",
    () =>
      withSlots({ maxConcurrentCalls: 1 }, (slots) =>
        Effect.gen(function*() {
          let woken = 0
          const [held] = yield* takeAll(slots, single)
          const one = Effect.flatMap(slots.take(scope, wide, single), () => Effect.sync(() => void (woken += 1)))
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
            slots.take(scope, wide, campaign(name)).pipe(
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

/** A step: a claimant requests a slot on a connection, leaves the queue, takes its reservation, or releases a slot. */
const step = FastCheck.record({
  what: FastCheck.constantFrom("wait", "wait", "release", "release", "leave", "try", "lapse", "inbound"),
  workspace: FastCheck.nat(1),
  claimant: FastCheck.nat(3),
  line: FastCheck.nat(1),
  pick: FastCheck.nat(50)
})

const [LIMIT, RESERVE, CHANNELS] = [5, 1, 6]

describe("any sequence of slot operations", () => {
  it("respects the limits, shares slots evenly, never waits while a slot is free and leaves no state", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 120, size: "max" }), (steps) => {
        const book = new SlotAllocator(LIMIT, RESERVE)
        const held: Array<{ taker: string; workspace: string; line: string; release: () => void }> = []
        const queue: Array<{ taker: string; workspace: string; line: string; leave: () => void }> = []
        const lineOf = (name: string) => book.connection(name, name === "line 0" ? CHANNELS : Infinity)

        const grant = (workspace: string, taker: string, line: string) => {
          const [theTaker, theLine] = [book.claimant(workspace, taker), lineOf(line)]
          held.push({ taker, workspace, line, release: () => book.release(theTaker, theLine) })
        }
        const wait = (workspace: string, taker: string, line: string, handed: Waiter["takesAtOnce"]) => {
          const [theTaker, theLine] = [book.claimant(workspace, taker), lineOf(line)]
          const entry = {
            taker,
            workspace,
            line,
            leave: book.wait(theTaker, theLine, {
              takesAtOnce: handed,
              notify: () => {
                queue.splice(queue.indexOf(entry), 1)
                if (handed) grant(workspace, taker, line)
              }
            })
          }
          queue.push(entry)
        }

        for (const { claimant, line: lineIndex, pick, what, workspace: workspaceIndex } of steps) {
          const [workspace, taker, line] = [`w${workspaceIndex}`, `c${claimant}`, `line ${lineIndex}`]
          if (what === "release") {
            const [one] = held.splice(pick % Math.max(1, held.length), 1)
            one?.release()
          } else if (what === "leave") {
            const [one] = queue.splice(pick % Math.max(1, queue.length), 1)
            one?.leave()
          } else if (what === "lapse") {
            for (const turn of book.reservations) book.expire(turn)
          } else if (what === "inbound") {
            if (book.tryTake(book.claimant(workspace, "inbound"), lineOf(line))) grant(workspace, "inbound", line)
          } else if (book.tryTake(book.claimant(workspace, taker), lineOf(line))) {
            grant(workspace, taker, line)
          } else if (what === "wait") {
            wait(workspace, taker, line, pick % 2 === 0)
          }

          const count = (of: Partial<Record<"taker" | "workspace" | "line", string>>) =>
            held.filter((one) =>
              (of.taker ?? one.taker) === one.taker && (of.workspace ?? one.workspace) === one.workspace &&
              (of.line ?? one.line) === one.line
            ).length
          for (const name of ["w0", "w1"]) {
            assert.strictEqual(book.inUse(name), count({ workspace: name }))
            const ringing = count({ workspace: name, taker: "inbound" })
            assert.isAtMost(count({ workspace: name }) - ringing, LIMIT - Math.max(RESERVE, ringing))
          }
          assert.strictEqual(book.channelsInUse("line 0"), count({ line: "line 0" }))
          assert.isAtMost(count({ line: "line 0" }), CHANNELS)
          for (const one of queue) {
            assert.isNotNull(
              book.exhaustedBy(book.claimant(one.workspace, one.taker), lineOf(one.line)),
              "waits for a free line"
            )
          }
        }
        for (const { leave } of queue.splice(0)) leave()
        for (const turn of book.reservations) book.expire(turn)
        for (const { release } of held.splice(0)) release()
        assert.strictEqual(book.size, 0)
      }),
      { numRuns: propertyRuns(500) }
    )
  })

  it("gives a released slot to the claimant with the fewest, ties to the longest waiting", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.nat(4), { minLength: 30, maxLength: 60 }), (wanted) => {
        const book = new SlotAllocator(8, 0)
        const held = new Map<string, Array<() => void>>()
        const queue: Array<string> = []
        const served: Array<string> = []
        const grant = (name: string) => {
          const [taker, line] = [book.claimant("w", name), book.connection("line", Infinity)]
          held.set(name, [...(held.get(name) ?? []), () => book.release(taker, line)])
        }
        for (const index of wanted) {
          const name = `c${index}`
          const [taker, line] = [book.claimant("w", name), book.connection("line", Infinity)]
          if (book.tryTake(taker, line)) grant(name)
          else {
            queue.push(name)
            book.wait(book.claimant("w", name), book.connection("line", Infinity), {
              takesAtOnce: true,
              notify: () => {
                served.push(name)
                queue.splice(queue.indexOf(name), 1)
                grant(name)
              }
            })
          }
        }
        while (queue.length > 0) {
          const [most] = [...held.entries()].sort(([, a], [, b]) => b.length - a.length)
          const release = most?.[1].pop()
          const counts = new Map([...held.entries()].map(([name, lines]) => [name, lines.length]))
          const fewest = Math.min(...queue.map((name) => counts.get(name) ?? 0))
          const next = queue.find((name) => (counts.get(name) ?? 0) === fewest)
          release?.()
          assert.strictEqual(served.at(-1), next)
        }
        assert.lengthOf(served, wanted.length - 8)
      }),
      { numRuns: propertyRuns(300) }
    )
  })
})
