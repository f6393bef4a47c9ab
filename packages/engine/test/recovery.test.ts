import { assert, describe } from "@effect/vitest"
import { Campaign, CampaignStore, DispatchStore, newContact } from "@trunkline/campaigns"
import type { CohortStore } from "@trunkline/cohorts"
import { AppId, AttemptId, BusinessTime, CampaignId, CohortId, ConnectionId, PhoneNumber } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  Attempt,
  AttemptStore,
  Carriers,
  Connection,
  CreateOutbound,
  type Dedupe,
  SimulatedNetwork,
  type SimulatorOptions
} from "@trunkline/telephony"
import { DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { Engine, memoryParts } from "../src/index.js"
import { agents, campaignBody, connections, mondayMorning, scope } from "./fixtures.js"
import { completeStopFile } from "./stop-fixtures.js"

const id = AttemptId.make("018f9430-0000-7000-8000-000000000001")
const user_phone_number = PhoneNumber.make("+919876543210")
const agent_phone_number = PhoneNumber.make("+911140000001")

const line = new Connection({
  connection_id: ConnectionId.make("sim-1"),
  provider: "simulator",
  phone_numbers: [agent_phone_number],
  options: {}
})

/** Single call that was in progress when the engine stopped. */
const callInProgress = (state: Attempt["state"], change: Partial<Attempt> = {}) =>
  new Attempt({
    ...scope,
    attempt_id: id,
    kind: "outbound",
    app_id: AppId.make("collections"),
    app_version: 1,
    campaign_id: null,
    cohort_id: null,
    deployment_id: null,
    connection_id: line.connection_id,
    channel_provider: "simulator",
    channel_protocol: "simulated",
    user_identifier: "someone",
    user_phone_number,
    agent_phone_number,
    retry_attempt: 0,
    agent_variables: {},
    app_overrides: {},
    webhook: null,
    attempted_at: mondayMorning - 1_000,
    state,
    provider_call_id: state === "accepted" ? `sim-${id}` : null,
    result: null,
    ...change
  })

type LeftOver = Layer.Layer<never, never, AttemptStore | CampaignStore | CohortStore | DispatchStore>

/** Starts an engine on the stores and the network of a stopped one. */
const restarted = <A, E>(
  { leftOver, maxConcurrentCalls = 10, network, spoil = Layer.empty }: {
    readonly leftOver: LeftOver
    readonly network: typeof SimulatedNetwork.Service
    readonly maxConcurrentCalls?: number
    readonly spoil?: Layer.Layer<never, never, Carriers>
  },
  test: Effect.Effect<A, E, AttemptStore | DispatchStore | Engine>
) => {
  const carriers = SimulatedNetwork.layerOf(network)
  const stores = memoryParts({ agents, connections })
  const parts = Layer.provideMerge(spoil, Layer.provideMerge(Layer.merge(leftOver, carriers), stores))
  return Effect.provide(
    test,
    Engine.layer({ maxConcurrentCalls }).pipe(
      Layer.provideMerge(parts)
    )
  )
}

const leftOver = (...attempts: ReadonlyArray<Attempt>): LeftOver =>
  Layer.effectDiscard(
    Effect.flatMap(AttemptStore, (store) => Effect.forEach(attempts, store.insert, { discard: true }))
  )

/** Dials the attempt at the provider, as the stopped engine did. */
const dialBefore = (network: typeof SimulatedNetwork.Service, attempt: Attempt) =>
  Effect.orDie(network.carrier.place({
    attempt_id: attempt.attempt_id,
    connection: line,
    from: attempt.agent_phone_number,
    to: attempt.user_phone_number,
    ringTimeout: Duration.seconds(40)
  }))

const endOf = (attempt: AttemptId) =>
  Effect.gen(function*() {
    yield* BusinessTime.sleep("10 minutes")
    return Option.getOrThrow(yield* (yield* AttemptStore).find(attempt))
  })

const dialled = (network: typeof SimulatedNetwork.Service) =>
  Effect.map(network.calls, (calls) => calls.map(({ attempt_id }) => attempt_id))

const key: Dedupe = { _tag: "Key", ttl: Duration.hours(1) }
const lookup: Dedupe = { _tag: "Lookup", settle: Duration.minutes(1) }
const none: Dedupe = { _tag: "None" }

describe("after a restart, a single call", () => {
  const table: ReadonlyArray<
    readonly [Attempt["state"], "dialled" | "not dialled", Dedupe, "connected" | "unknown" | "internal"]
  > = [
    ["pending", "not dialled", none, "connected"],
    ["claimed", "not dialled", key, "connected"],
    ["claimed", "dialled", key, "connected"],
    ["claimed", "not dialled", lookup, "connected"],
    ["claimed", "dialled", lookup, "internal"],
    ["claimed", "not dialled", none, "unknown"],
    ["claimed", "dialled", none, "unknown"],
    ["accepted", "dialled", none, "connected"],
    ["accepted", "not dialled", none, "internal"]
  ]
  for (const [state, past, dedupe, expected] of table) {
    virtualTest(
      `that was ${state} and ${past}, with deduplication ${dedupe._tag}, ends ${expected}, and is dialled at most once`,
      () =>
        Effect.gen(function*() {
          const network = yield* SimulatedNetwork.make({ dedupe })
          const attempt = callInProgress(state)
          if (past === "dialled") yield* dialBefore(network, attempt)
          const ended = yield* restarted({ network, leftOver: leftOver(attempt) }, endOf(id))
          assert.strictEqual(ended.state, "ended")
          assert.strictEqual(ended.result?.next_action_status, null)
          assert.strictEqual(ended.result?.connectivity_status, expected === "connected" ? "connected" : null)
          if (expected !== "connected") assert.match(ended.result?.failure_reason ?? "", new RegExp(`^${expected}: `))
          const calls = yield* dialled(network)
          assert.deepStrictEqual(calls, past === "dialled" || expected === "connected" ? [id] : [])
        }),
      { start: mondayMorning }
    )
  }

  virtualTest(
    "in progress keeps its line, even beyond the limit, and new calls wait",
    () =>
      Effect.gen(function*() {
        const network = yield* SimulatedNetwork.make({ dedupe: key, default: "no_answer" })
        const attempts = ["1", "2", "3"].map((last) =>
          callInProgress("claimed", { attempt_id: AttemptId.make(`${id.slice(0, -1)}${last}`) })
        )
        yield* Effect.forEach(attempts, (attempt) => dialBefore(network, attempt))
        const waited = Effect.gen(function*() {
          const { outbounds } = yield* Engine
          yield* BusinessTime.sleep("1 second")
          const before = yield* BusinessTime.now
          const fresh = yield* endOf(yield* outbounds.start(scope, single))
          return fresh.attempted_at - before
        })
        const world = { network, leftOver: leftOver(...attempts), maxConcurrentCalls: 2 }
        assert.strictEqual(yield* restarted(world, waited), 39_000)
      }),
    { start: mondayMorning }
  )
})

describe("after a restart, lines", () => {
  for (const dedupe of [key, lookup]) {
    virtualTest(
      `whose calls are in doubt count as in use until it is known better, by ${dedupe._tag}`,
      () =>
        Effect.gen(function*() {
          const network = yield* SimulatedNetwork.make({ dedupe, default: "no_answer" })
          const attempts = ["1", "2"].map((last) =>
            callInProgress("claimed", { attempt_id: AttemptId.make(`${id.slice(0, -1)}${last}`) })
          )
          yield* Effect.forEach(attempts, (attempt) => dialBefore(network, attempt))
          const fresh = callInProgress("pending", { attempt_id: AttemptId.make(`${id.slice(0, -1)}9`) })
          const world = { network, leftOver: leftOver(...attempts, fresh), maxConcurrentCalls: 2 }
          const waited = yield* restarted(world, Effect.map(endOf(fresh.attempt_id), (ended) => ended.attempted_at))
          assert.isAtLeast(waited - mondayMorning, 39_000)
        }),
      { start: mondayMorning }
    )
  }
})

const single = Schema.decodeUnknownSync(CreateOutbound)({
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_config: { connection_id: "sim-1", agent_phone_number }
  },
  user_config: { user_phone_number: "9876543211" }
})

describe("hundreds of calls in progress", () => {
  /** Provider that takes five seconds for every lookup. */
  const slowly = Layer.effect(
    Carriers,
    Effect.map(Carriers, ({ all }) => {
      const slow = all.map((carrier) => ({
        ...carrier,
        look: (...sought: Parameters<typeof carrier.lookup>) =>
          Effect.zipRight(BusinessTime.sleep("5 seconds"), carrier.lookup(...sought))
      }))
      return { all: slow, find: () => Option.fromNullable(slow[0]) }
    })
  )

  virtualTest("are all settled, without delaying new calls", () =>
    Effect.gen(function*() {
      const network = yield* SimulatedNetwork.make({ dedupe: key })
      const attempts = Array.from({ length: 400 }, (_, index) => {
        const attempt_id = AttemptId.make(`018f9430-0000-7000-8000-${String(index).padStart(12, "0")}`)
        return callInProgress("accepted", { attempt_id, provider_call_id: `gone-${index}` })
      })
      const test = Effect.gen(function*() {
        const store = yield* AttemptStore
        const { outbounds } = yield* Engine
        const before = yield* BusinessTime.now
        const fresh = yield* outbounds.start(scope, single)
        yield* BusinessTime.sleep("1 minute")
        const called = Option.getOrThrow(yield* store.find(fresh))
        assert.strictEqual(called.attempted_at, before)
        assert.strictEqual(called.result?.connectivity_status, "connected")
        assert.isAbove((yield* store.unfinished).length, 150)
        // Calls that the provider does not know are looked up twice.
        yield* BusinessTime.sleep("5 minutes")
        assert.deepStrictEqual(yield* store.unfinished, [])
      })
      yield* restarted({ network, leftOver: leftOver(...attempts), spoil: slowly, maxConcurrentCalls: 500 }, test)
    }), { start: mondayMorning })
})

const campaign_id = CampaignId.make("camp-000000000001")

/** Campaign with one contact, whose first attempt was claimed when the engine stopped. */
const withCampaign = (change: Partial<Campaign> = {}) =>
  Layer.effectDiscard(Effect.gen(function*() {
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
        updated_at: start,
        ...change
      })
    )
    const cohort_id = CohortId.make("coh-1")
    const enrolled = {
      user_phone_number,
      user_identifier: "someone",
      cohort_id,
      agent_variables: {},
      app_overrides: {}
    }
    yield* dispatch.enrol(campaign_id, [newContact(campaign_id, enrolled, mondayMorning)], { completed_seq: 1, row: 1 })
    yield* dispatch.claim(
      { scope, campaign_id },
      [{ user_phone_number, attempt_id: id, from: agent_phone_number }],
      mondayMorning
    )
    yield* attempts.insert(callInProgress("claimed", { kind: "campaign", campaign_id, cohort_id }))
  }))

const contact = Effect.flatMap(
  DispatchStore,
  (dispatch) => Effect.map(dispatch.find(campaign_id, user_phone_number), Option.getOrThrow)
)

/** State of the contact, and the calls that were made, ten minutes after a restart. */
const after = (left: LeftOver, options: SimulatorOptions, wait: Duration.DurationInput = "10 minutes") =>
  Effect.gen(function*() {
    const network = yield* SimulatedNetwork.make(options)
    const seen = Effect.gen(function*() {
      yield* BusinessTime.sleep(wait)
      const store = yield* AttemptStore
      const calls = yield* dialled(network)
      const attempts = yield* Effect.forEach(calls, (attempt) => store.find(attempt ?? id))
      return {
        calls,
        contact: yield* contact,
        first: yield* store.find(id),
        attempts: attempts.flatMap(Option.toArray)
      }
    })
    return yield* restarted({ network, leftOver: left }, seen)
  })

describe("after a restart, a campaign's attempt", () => {
  virtualTest(
    "that was certainly never dialled is withdrawn, and the contact is called as if for the first time",
    () =>
      Effect.gen(function*() {
        const { attempts, calls, first } = yield* after(withCampaign(), { dedupe: lookup })
        assert.isTrue(Option.isNone(first))
        assert.lengthOf(calls, 1)
        assert.deepStrictEqual(
          attempts.map(({ result, retry_attempt }) => [retry_attempt, result?.connectivity_status]),
          [[0, "connected"]]
        )
      }),
    { start: mondayMorning }
  )

  virtualTest(
    "that was certainly never dialled is not redialled when the number is on a stop file",
    () =>
      Effect.gen(function*() {
        const stopped = Layer.effectDiscard(completeStopFile(campaign_id, [user_phone_number]))
        const { calls, contact, first } = yield* after(Layer.merge(withCampaign(), stopped), { dedupe: lookup })
        assert.isEmpty(calls)
        assert.isTrue(Option.isNone(first))
        assert.deepInclude(contact, { state: "finished", attempts: 0 })
        assert.strictEqual(contact.decision.reason, "stopped")
      }),
    { start: mondayMorning }
  )

  virtualTest("is redialled with its key while the campaign may dial", () =>
    Effect.gen(function*() {
      const { calls, contact, first } = yield* after(withCampaign(), { dedupe: key })
      assert.deepStrictEqual(calls, [id])
      assert.strictEqual(Option.getOrThrow(first).result?.connectivity_status, "connected")
      assert.strictEqual(contact.state, "finished")
    }), { start: mondayMorning })

  const shut: ReadonlyArray<readonly [string, LeftOver, number]> = [
    ["the window is shut", withCampaign(), mondayMorning + Duration.toMillis("9 hours")],
    ["the campaign is paused", withCampaign({ status: "paused" }), mondayMorning],
    [
      "the number is on a stop file",
      Layer.merge(withCampaign(), Layer.effectDiscard(completeStopFile(campaign_id, [user_phone_number]))),
      mondayMorning
    ]
  ]
  for (const [name, left, start] of shut) {
    virtualTest(`is not placed again while ${name}: it is unknown`, () =>
      Effect.gen(function*() {
        const { calls, first } = yield* after(left, { dedupe: { _tag: "Key", ttl: Duration.hours(24) } })
        assert.isEmpty(calls)
        const { result } = Option.getOrThrow(first)
        assert.deepInclude(result, { completion_status: "failed", connectivity_status: null })
        assert.match(result?.failure_reason ?? "", /^unknown: /)
      }), { start })
  }

  virtualTest(
    "with an unknown outcome is not redialled automatically",
    () =>
      Effect.gen(function*() {
        const { calls, contact, first } = yield* after(withCampaign(), { dedupe: none }, "3 hours")
        assert.isEmpty(calls)
        assert.match(Option.getOrThrow(first).result?.failure_reason ?? "", /^unknown: /)
        assert.deepInclude(contact, { state: "finished", attempts: 1 })
      }),
    { start: mondayMorning }
  )
})
