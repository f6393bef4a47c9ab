import { assert, describe } from "@effect/vitest"
import { Campaign, CampaignStore, Contact, DispatchStore, noRetries } from "@trunkline/campaigns"
import type { CohortStore } from "@trunkline/cohorts"
import { AppId, AttemptId, BusinessTime, CampaignId, CohortId, ConnectionId, PhoneNumber } from "@trunkline/kernel"
import { virtual } from "@trunkline/kernel/testing"
import { Attempt, AttemptStore, type CallTrace, Carriers, SimulatedNetwork } from "@trunkline/telephony"
import { DateTime, Effect, Layer, Option } from "effect"
import { Engine, memoryParts } from "../src/index.js"
import { agents, campaignBody, connections, mondayMorning, scope } from "./fixtures.js"
import { completeStopFile } from "./stop-fixtures.js"

const parts = { agents, connections }
const id = AttemptId.make("018f9430-0000-7000-8000-000000000001")

/** A single call that was under way when the engine stopped. */
const underWay = (state: Attempt["state"]) =>
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
const restarted = (
  leftOver: Layer.Layer<never, never, AttemptStore | CampaignStore | CohortStore | DispatchStore>,
  trace: CallTrace,
  dialled: Array<string>
) => {
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
  return Engine.layer().pipe(
    Layer.provideMerge(Layer.provideMerge(Layer.merge(leftOver, carriers), memoryParts(parts)))
  )
}

const leftOver = (state: Attempt["state"]) =>
  Layer.effectDiscard(Effect.flatMap(AttemptStore, (store) => store.insert(underWay(state))))

const campaign_id = CampaignId.make("camp-000000000001")

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
      }).pipe(Effect.provide(restarted(leftOver(state), trace, dialled)))
    }, { start: mondayMorning })
  }
})

/** A campaign with one person, whose first attempt was claimed when the engine stopped. */
const withCampaign = Layer.effectDiscard(Effect.gen(function*() {
  const [attempts, dispatch] = [yield* AttemptStore, yield* DispatchStore]
  const start = DateTime.unsafeMake(mondayMorning)
  const body = campaignBody()
  yield* (yield* CampaignStore).put(
    scope,
    new Campaign({
      ...body,
      campaign_id,
      status: "active",
      app_id: body.app_config.app_id,
      app_type: "agent",
      app_version: 1,
      created_by: "demo",
      created_at: start,
      updated_by: "demo",
      updated_at: start
    })
  )
  const user_phone_number = PhoneNumber.make("+919876543210")
  const contact = new Contact({
    campaign_id,
    user_phone_number,
    user_identifier: "someone",
    cohort_id: CohortId.make("coh-1"),
    agent_variables: {},
    app_overrides: {},
    state: "waiting",
    due_at: mondayMorning,
    attempts: 0,
    counters: noRetries,
    called_from: [],
    attempt_id: null
  })
  yield* dispatch.enrol(campaign_id, [contact], { completed_seq: 1, row: 1 })
  const from = PhoneNumber.make("+911140000001")
  yield* dispatch.claim({ campaign_id, user_phone_number, attempt_id: id, from })
  yield* attempts.insert(
    new Attempt({ ...underWay("claimed"), kind: "campaign", campaign_id, cohort_id: contact.cohort_id })
  )
}))

describe("after a restart, a campaign's attempt", () => {
  virtual("that was certainly never dialled is taken back, and the person called as if for the first time", () => {
    const dialled: Array<string> = []
    return Effect.gen(function*() {
      yield* BusinessTime.sleep("10 minutes")
      const store = yield* AttemptStore
      assert.isTrue(Option.isNone(yield* store.find(id)))
      assert.strictEqual(dialled.length, 1)
      const attempt = Option.getOrThrow(yield* store.find(AttemptId.make(dialled[0] ?? "")))
      assert.strictEqual(attempt.retry_attempt, 0)
      assert.strictEqual(attempt.result?.connectivity_status, "connected")
    }).pipe(Effect.provide(restarted(withCampaign, never, dialled)))
  }, { start: mondayMorning })

  virtual("that was certainly never dialled is not dialled any more if a stop file has the number", () => {
    const dialled: Array<string> = []
    const { user_phone_number } = underWay("claimed")
    const stopped = Layer.effectDiscard(completeStopFile(campaign_id, [user_phone_number]))
    return Effect.gen(function*() {
      yield* BusinessTime.sleep("10 minutes")
      assert.isEmpty(dialled)
      assert.isTrue(Option.isNone(yield* (yield* AttemptStore).find(id)))
      const contact = yield* (yield* DispatchStore).find(campaign_id, user_phone_number)
      assert.deepInclude(Option.getOrThrow(contact), { state: "finished", attempts: 0, finished_because: "stopped" })
    }).pipe(Effect.provide(restarted(Layer.merge(withCampaign, stopped), never, dialled)))
  }, { start: mondayMorning })
})
