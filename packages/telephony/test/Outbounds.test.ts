import { assert, describe, it } from "@effect/vitest"
import { AttemptId, BusinessTime, findOne, PhoneNumber, VirtualClock } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { Duration, Effect, Option } from "effect"
import {
  AttemptStore,
  BlockedNumbers,
  type Callee,
  CallSlots,
  type Carrier,
  DialFailed,
  LineHealth,
  LiveCalls,
  Outbounds,
  SimulatedNetwork
} from "../src/index.js"
import { calling, ended, outboundBody } from "./Calling.js"
import { connection, line, scope, telephony } from "./Fixtures.js"

/** The result of a call to the given callee. */
const reaching = (callee: Callee) =>
  Effect.map(calling(), (attempt) => ({ attempt, result: attempt.result })).pipe(
    Effect.provide(telephony({ simulator: { default: callee } }))
  )

describe("a single outbound call", () => {
  const outcomes: ReadonlyArray<readonly [Callee, string | null, string | null]> = [
    ["answer", "connected", null],
    ["hang_up_early", "connected", null],
    ["voicemail", "connected", null],
    ["busy", "busy", null],
    ["no_answer", "no_answer", null],
    ["decline", "busy", "declined"],
    ["invalid", "failed", "simulator: invalid_number"],
    ["provider_error", "failed", "simulator: service unavailable"],
    [["Who is this?", { hang_up: true }], "connected", null]
  ]
  for (const [callee, connectivity, reason] of outcomes) {
    virtualTest(`to the callee ${JSON.stringify(callee)} ends as ${connectivity}`, () =>
      Effect.gen(function*() {
        const { result } = yield* reaching(callee)
        assert.strictEqual(result?.connectivity_status, connectivity)
        assert.strictEqual(result?.failure_reason, reason)
        assert.strictEqual(result?.next_action_status, null)
        assert.strictEqual(result?.interaction !== null, connectivity === "connected")
      }))
  }

  virtualTest("rings for forty seconds before it ends as not answered", () =>
    Effect.gen(function*() {
      const { attempt, result } = yield* reaching("no_answer")
      assert.strictEqual((result?.finished_at ?? 0) - attempt.attempted_at, 40_000)
    }))

  virtualTest(
    "treats a bare ten-digit number as Indian and uses the number as identifier",
    () =>
      Effect.gen(function*() {
        const { attempt } = yield* reaching("answer")
        assert.strictEqual(attempt.user_phone_number, "+919876543210")
        assert.strictEqual(attempt.user_identifier, "+919876543210")
        assert.strictEqual(attempt.kind, "outbound")
        assert.strictEqual(attempt.campaign_id, null)
      })
  )

  virtualTest("waits while its line can send nothing, and is one attempt", () =>
    Effect.gen(function*() {
      const network = yield* SimulatedNetwork
      const real = network.carrier
      let late = 3
      const carrier: Carrier = {
        ...real,
        place: (plan) =>
          late-- > 0
            ? new DialFailed({ certainty: "none", reason: "sip: overloaded", retryAfter: 30 })
            : real.place(plan)
      }
      const started = yield* BusinessTime.now
      const attempt = yield* calling().pipe(Effect.provide(telephony({ carrier, network })))
      assert.strictEqual(attempt.result?.connectivity_status, "connected")
      assert.isAtLeast((attempt.result?.finished_at ?? 0) - started, 90_000)
    }).pipe(Effect.provide(SimulatedNetwork.layer({ default: "answer" }))))

  virtualTest("waits for a free slot", () =>
    Effect.gen(function*() {
      const outbounds = yield* Outbounds
      const slots = yield* CallSlots
      yield* Effect.fork(outbounds.run)
      const ids = yield* Effect.forEach(["9876543210", "9876543211", "9876543212"], (number) =>
        outbounds.start(scope, outboundBody(number)))
      yield* BusinessTime.sleep("1 second")
      assert.strictEqual(yield* slots.inUse(scope), 1)
      const attempts = yield* Effect.forEach(ids, ended)
      const dialled = attempts.map((attempt) =>
        attempt.attempted_at
      )
      assert.deepStrictEqual(dialled, [...dialled].sort((a, b) => a - b))
      assert.isTrue(new Set(dialled).size === 3)
      assert.strictEqual(yield* slots.inUse(scope), 0)
    }).pipe(Effect.provide(telephony({ maxConcurrentCalls: 1 }))))

  virtualTest(
    "to a blocked number is rejected, and not dialled when the number is blocked while it waits",
    () =>
      Effect.gen(function*() {
        const [outbounds, blocked, network] = [yield* Outbounds, yield* BlockedNumbers, yield* SimulatedNetwork]
        const waiting = yield* outbounds.start(scope, outboundBody("9876543211"))
        const phone_numbers = [PhoneNumber.make("+919876543210"), PhoneNumber.make("+919876543211")]
        yield* blocked.add(scope, { phone_numbers, reason: null }, "demo")
        const rejected = yield* Effect.flip(outbounds.start(scope, outboundBody("9876543210")))
        assert.strictEqual(rejected._tag, "RuleViolation")
        assert.deepStrictEqual(rejected._tag === "RuleViolation" ? rejected.issues.map(({ loc }) => loc) : [], [
          ["body", "user_config", "user_phone_number"]
        ])
        assert.notInclude(rejected.message, "9876543210")
        yield* Effect.fork(outbounds.run)
        const { result } = yield* ended(waiting)
        assert.deepInclude(result, {
          completion_status: "failed",
          connectivity_status: null,
          failure_reason: "blocked_number",
          next_action_status: null
        })
        assert.lengthOf(yield* network.calls, 0)
      }).pipe(Effect.provide(telephony()))
  )

  virtualTest("waits without holding a slot while its line is paused", () =>
    Effect.gen(function*() {
      const [outbounds, health, slots] = [yield* Outbounds, yield* LineHealth, yield* CallSlots]
      const { connection_id } = connection
      for (let dial = 0; dial < 20; dial++) yield* health.report(connection_id, "failed")
      yield* Effect.fork(outbounds.run)
      const before = yield* BusinessTime.now
      const ids = yield* Effect.forEach(["9876543210", "9876543211"], (number) =>
        outbounds.start(scope, outboundBody(number)))
      yield* BusinessTime.sleep("29 seconds")
      assert.strictEqual(yield* slots.inUse(scope), 0)
      const [probe, other] = yield* Effect.forEach(ids, ended)
      assert.strictEqual((probe?.attempted_at ?? 0) - before, 30_000)
      assert.isAbove(other?.attempted_at ?? 0, probe?.attempted_at ?? 0)
      assert.strictEqual((yield* health.state(connection_id)).health, "ok")
    }).pipe(Effect.provide(telephony())))

  virtualTest(
    "pauses its line when the provider fails, so that waiting calls do not fail",
    () =>
      Effect.gen(function*() {
        const [outbounds, health, store] = [yield* Outbounds, yield* LineHealth, yield* AttemptStore]
        yield* Effect.fork(outbounds.run)
        const numbers = Array.from({ length: 200 }, (_, index) => `+9198765${String(index).padStart(5, "0")}`)
        yield* Effect.forEach(numbers, (number) => outbounds.start(scope, outboundBody(number)), { discard: true })
        yield* BusinessTime.sleep("10 minutes")
        const failed = numbers.length - (yield* store.unfinished).length
        assert.isAtLeast(failed, 20)
        assert.isAtMost(failed, 40)
        assert.match((yield* health.state(connection.connection_id)).reason ?? "", /of the last \d+ dials/)
      }).pipe(Effect.provide(telephony({ simulator: { default: "provider_error" } })))
  )

  virtualTest("reports all problems of a request at once", () =>
    Effect.gen(function*() {
      const outbounds = yield* Outbounds
      const failure = yield* Effect.flip(outbounds.start(
        scope,
        outboundBody("9876543210", {
          connection_config: { connection_id: "unknown", agent_phone_number: line }
        })
      ))
      assert.strictEqual(failure._tag, "RuleViolation")
      const otherNumber = yield* Effect.flip(outbounds.start(
        scope,
        outboundBody("9876543210", {
          connection_config: { connection_id: "sim-1", agent_phone_number: "+911149999999" }
        })
      ))
      assert.deepInclude(otherNumber, { _tag: "RuleViolation" })
      assert.match(otherNumber.message, /body\.app_config\.connection_config\.agent_phone_number/)
    }).pipe(Effect.provide(telephony())))

  virtualTest("is not started after the live calls are closed", () =>
    Effect.gen(function*() {
      const outbounds = yield* Outbounds
      const live = yield* LiveCalls
      yield* Effect.fork(outbounds.run)
      yield* outbounds.start(scope, outboundBody())
      yield* BusinessTime.sleep("1 second")
      assert.strictEqual(yield* live.count, 1)
      yield* live.close
      assert.strictEqual(yield* live.count, 0)
      const late = yield* outbounds.start(scope, outboundBody())
      yield* BusinessTime.sleep("1 minute")
      const attempt = yield* findOne((yield* AttemptStore).findMany, late)
      assert.strictEqual(Option.getOrThrow(attempt).state, "pending")
    }).pipe(Effect.provide(telephony())))
})

describe("the simulated network", () => {
  virtualTest("dials an attempt once, even if it is placed repeatedly", () =>
    Effect.gen(function*() {
      const { calls, carrier } = yield* SimulatedNetwork
      const plan = {
        attempt_id: AttemptId.make("01890a5d-ac96-774b-bcce-b302099a8057"),
        connection,
        from: line,
        to: line,
        ringTimeout: Duration.seconds(40)
      }
      const [first, second] = yield* Effect.all([carrier.place(plan), carrier.place(plan)])
      assert.strictEqual(first, second)
      const leg = yield* first.answer
      yield* leg.hangUp
      yield* BusinessTime.sleep("1 second")
      assert.strictEqual(yield* carrier.place(plan), first)
      assert.strictEqual((yield* carrier.lookup({ ...plan, provider_call_id: null }))._tag, "Over")
      assert.lengthOf(yield* calls, 1)
    }).pipe(Effect.provide(telephony())))

  it.live("produces the same calls for the same seed", () =>
    Effect.gen(function*() {
      const once = () => VirtualClock.run(Effect.map(reaching("answer"), ({ attempt }) => JSON.stringify(attempt)))
      assert.strictEqual(yield* once(), yield* once())
    }))
})
