import { assert, describe } from "@effect/vitest"
import { AttemptId, BusinessTime, findOne } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import {
  type Attempt,
  AttemptStore,
  Carriers,
  CreateOutbound,
  type Dedupe,
  SimulatedNetwork
} from "@trunkline/telephony"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { Engine } from "../../src/index.js"
import { mondayMorning, scope } from "../Fixtures.js"
import {
  agent_phone_number,
  callInProgress,
  dialled,
  id,
  key,
  leftOver,
  line,
  lookup,
  none,
  restarted
} from "./RecoveryFixtures.js"

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
    return Option.getOrThrow(yield* findOne((yield* AttemptStore).findMany, attempt))
  })

const single = Schema.decodeUnknownSync(CreateOutbound)({
  app_config: {
    app_id: "collections",
    app_version: 1,
    connection_config: { connection_id: "sim-1", agent_phone_number }
  },
  user_config: { user_phone_number: "9876543211" }
})

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

describe("hundreds of calls in progress", () => {
  /** Provider that takes five seconds for every lookup. */
  const slowly = Layer.effect(
    Carriers,
    Effect.map(Carriers, ({ list }) => {
      const slow = list.map((carrier) => ({
        ...carrier,
        look: (...sought: Parameters<typeof carrier.lookup>) =>
          Effect.zipRight(BusinessTime.sleep("5 seconds"), carrier.lookup(...sought))
      }))
      return { list: slow, find: () => Option.fromNullable(slow[0]) }
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
        const called = Option.getOrThrow(yield* findOne(store.findMany, fresh))
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
