import { assert, describe, it } from "@effect/vitest"
import type { CallEvents, CallLookup, DialPlan, PlacedCall } from "@trunkline/telephony"
import { Effect, type Scope } from "effect"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import { CarrierMediaWebsocket } from "../../src/index.js"
import type { Reaction } from "../../src/testing.js"
import { calling, until } from "../Cases.js"
import { events, planFor } from "../Host.js"
import { smartflo } from "../Providers.js"

const live = (title: string, test: Effect.Effect<void, unknown, CallEvents | Scope.Scope>) =>
  it.scopedLive(title, (context) => untilOnTime(context, Effect.provide(test, events)))

/** The carrier of a process that follows, which remembers nothing. */
const nextProcess = Effect.flatMap(
  CarrierMediaWebsocket.make(smartflo.environment),
  (carriers) => Effect.fromNullable(carriers.find(({ provider }) => provider === "smartflo"))
)

/** The question of a process that follows, about a call of an earlier one. */
const queryOf = ({ attempt_id, connection, from, to }: DialPlan, { provider_call_id }: PlacedCall): CallLookup => ({
  attempt_id,
  connection,
  provider_call_id,
  numbers: { ours: from, theirs: to, since: Date.now() - 10_000 }
})

/** A call without any notice, and the state that a process that follows learns of it. */
const followed = (reaction: Reaction, isSo: (state: string) => boolean) =>
  Effect.gen(function*() {
    const world = yield* calling(smartflo, reaction)
    world.double.deliver("never")
    yield* until(() => isSo(world.double.calls[0]?.facts.state ?? ""))
    const next = yield* nextProcess
    const query = queryOf(world.plan, world.placed)
    return { ...world, next, query, status: yield* next.lookup(query) }
  })

describe("a call over smartflo of a process that was killed, without any notice", () => {
  live(
    "has the result that the records tell",
    Effect.gen(function*() {
      const { status } = yield* followed({ kind: "busy" }, (state) => state === "busy")
      assert.strictEqual(status._tag === "Over" ? status.result?.status : status._tag, "busy")
    })
  )

  live(
    "that was answered is known to be, and is ended at the provider",
    Effect.gen(function*() {
      const { double, status } = yield* followed({ kind: "answers", afterMillis: 50 }, (state) => state === "talking")
      assert.deepInclude(status, { _tag: "Live", connected: true })
      if (status._tag === "Live") yield* status.call.cancel
      yield* until(() => double.calls[0]?.facts.state === "completed")
      assert.deepStrictEqual(double.problems(), [])
    })
  )

  live(
    "that rings is cancelled at the provider, and asked for until its end is known",
    Effect.gen(function*() {
      const { double, status } = yield* followed({ kind: "no_answer" }, (state) => state === "ringing")
      assert.deepInclude(status, { _tag: "Live", connected: false })
      if (status._tag === "Live") yield* status.call.cancel
      assert.strictEqual(double.calls[0]?.facts.state, "cancelled")
    })
  )

  live(
    "stays without an id where another call of the same two numbers could be it",
    Effect.gen(function*() {
      const { carrier, connection, double, next, query, status } = yield* followed(
        { kind: "no_answer" },
        (state) => state === "ringing"
      )
      assert.deepInclude(status, { _tag: "Live", connected: false })
      yield* carrier.place(planFor(connection))
      yield* until(() => double.calls.every(({ facts }) => facts.state === "ringing"))
      const other = yield* nextProcess
      const again = yield* other.lookup(query)
      if (again._tag === "Live") yield* again.call.cancel
      assert.strictEqual(double.calls[0]?.facts.state, "ringing")
      assert.strictEqual((yield* next.lookup(query))._tag, "Live")
      assert.strictEqual(double.calls.length, 2)
    })
  )
})
