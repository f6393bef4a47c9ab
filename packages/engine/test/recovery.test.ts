import { assert, describe } from "@effect/vitest"
import { AppId, AttemptId, BusinessTime, ConnectionId, PhoneNumber } from "@trunkline/kernel"
import { virtual } from "@trunkline/kernel/testing"
import { Attempt, AttemptStore, type CallTrace, Carriers, SimulatedNetwork } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"
import { Engine, memoryParts } from "../src/index.js"
import { agents, connections, mondayMorning, scope } from "./fixtures.js"

const parts = { agents, connections }
const id = AttemptId.make("018f9430-0000-7000-8000-000000000001")

/** A single call that was under way when the engine stopped. */
const underWay = (state: "pending" | "claimed" | "accepted") =>
  new Attempt({
    ...scope,
    attempt_id: id,
    kind: "outbound",
    app_id: AppId.make("collections"),
    app_version: 1,
    campaign_id: null,
    cohort_id: null,
    deployment_id: null,
    connection_id: ConnectionId.make("sim-1"),
    channel_provider: "simulator",
    channel_protocol: "simulated",
    user_identifier: "someone",
    user_phone_number: PhoneNumber.make("+919876543210"),
    agent_phone_number: PhoneNumber.make("+911140000001"),
    retry_attempt: 0,
    agent_variables: {},
    app_overrides: {},
    webhook: null,
    attempted_at: mondayMorning - 60_000,
    state,
    provider_call_id: state === "accepted" ? "call-1" : null,
    result: null
  })

/** An engine that starts on what is left of another one, over a carrier that knows this much of the old call. */
const restarted = (state: "pending" | "claimed" | "accepted", trace: CallTrace, dialled: Array<string>) => {
  const carriers = Layer.effect(
    Carriers,
    Effect.map(SimulatedNetwork, ({ carrier }) => {
      const known = {
        ...carrier,
        trace: () => Effect.succeed(trace),
        place: (plan: Parameters<typeof carrier.place>[0]) =>
          Effect.zipRight(Effect.sync(() => dialled.push(plan.attempt_id)), carrier.place(plan))
      }
      return Carriers.of({ all: [known], find: () => Option.some(known) })
    })
  )
  const leftOver = Layer.effectDiscard(Effect.flatMap(AttemptStore, (store) => store.insert(underWay(state))))
  return Engine.layer().pipe(
    Layer.provideMerge(Layer.provideMerge(Layer.merge(leftOver, carriers), memoryParts(parts)))
  )
}

const over: CallTrace = { _tag: "Over", provider_call_id: "call-1" }
const never: CallTrace = { _tag: "NeverPlaced" }
const untraceable: CallTrace = { _tag: "Untraceable" }

describe("after a restart, an attempt", () => {
  const table: ReadonlyArray<
    readonly ["pending" | "claimed" | "accepted", CallTrace, "dialled" | "unknown" | "internal"]
  > = [
    ["pending", untraceable, "dialled"],
    ["claimed", never, "dialled"],
    ["claimed", over, "internal"],
    ["claimed", untraceable, "unknown"],
    ["accepted", never, "internal"],
    ["accepted", over, "internal"],
    ["accepted", untraceable, "internal"]
  ]
  for (const [state, trace, expected] of table) {
    virtual(`that was ${state}, on a carrier that says ${trace._tag}, is ${expected}`, () => {
      const dialled: Array<string> = []
      return Effect.gen(function*() {
        yield* BusinessTime.sleep("10 minutes")
        const attempt = Option.getOrThrow(yield* (yield* AttemptStore).find(id))
        assert.strictEqual(attempt.state, "ended")
        assert.strictEqual(attempt.result?.next_action_status, null)
        assert.deepStrictEqual(dialled, expected === "dialled" ? [id] : [])
        assert.strictEqual(attempt.result?.connectivity_status, expected === "dialled" ? "connected" : null)
        if (expected !== "dialled") assert.match(attempt.result?.failure_reason ?? "", new RegExp(`^${expected}: `))
      }).pipe(Effect.provide(restarted(state, trace, dialled)))
    }, { start: mondayMorning })
  }
})
