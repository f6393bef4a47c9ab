import { assert, describe, it } from "@effect/vitest"
import { AttemptId, BusinessTime, VirtualClock } from "@trunkline/kernel"
import { virtual } from "@trunkline/kernel/testing"
import { Duration, Effect, Option, Schema } from "effect"
import {
  type Attempt,
  AttemptStore,
  type Callee,
  CallSlots,
  CreateOutbound,
  LiveCalls,
  Outbounds,
  SimulatedNetwork
} from "../src/index.js"
import { connection, line, scope, telephony } from "./fixtures.js"

const body = (number = "9876543210", changes: Record<string, unknown> = {}) =>
  Schema.decodeUnknownSync(CreateOutbound)({
    app_config: {
      app_id: "support",
      app_version: 1,
      connection_config: { connection_id: "sim-1", agent_phone_number: line },
      ...changes
    },
    user_config: { user_phone_number: number }
  })

const ended = (id: AttemptId): Effect.Effect<Attempt, never, AttemptStore> =>
  Effect.gen(function*() {
    const attempt = yield* (yield* AttemptStore).find(id)
    if (Option.isSome(attempt) && attempt.value.state === "ended") return attempt.value
    yield* BusinessTime.sleep("1 second")
    return yield* ended(id)
  })

/** The result of calling somebody who behaves so. */
const calling = (callee: Callee) =>
  Effect.gen(function*() {
    const outbounds = yield* Outbounds
    yield* Effect.fork(outbounds.run)
    const attempt = yield* ended(yield* outbounds.start(scope, body()))
    return { attempt, result: attempt.result }
  }).pipe(Effect.provide(telephony({ simulator: { default: callee } })))

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
    virtual(`to someone who does ${JSON.stringify(callee)} ends as ${connectivity}`, () =>
      Effect.gen(function*() {
        const { result } = yield* calling(callee)
        assert.strictEqual(result?.connectivity_status, connectivity)
        assert.strictEqual(result?.failure_reason, reason)
        assert.strictEqual(result?.next_action_status, null)
        assert.strictEqual(result?.interaction !== null, connectivity === "connected")
      }))
  }

  virtual("rings for forty seconds before it is given up", () =>
    Effect.gen(function*() {
      const { attempt, result } = yield* calling("no_answer")
      assert.strictEqual((result?.finished_at ?? 0) - attempt.attempted_at, 40_000)
    }))

  virtual("takes a bare ten-digit number as Indian, and the number as the identifier", () =>
    Effect.gen(function*() {
      const { attempt } = yield* calling("answer")
      assert.strictEqual(attempt.user_phone_number, "+919876543210")
      assert.strictEqual(attempt.user_identifier, "+919876543210")
      assert.strictEqual(attempt.kind, "outbound")
      assert.strictEqual(attempt.campaign_id, null)
    }))

  virtual("waits when no line is free, and is made as soon as one is", () =>
    Effect.gen(function*() {
      const outbounds = yield* Outbounds
      const slots = yield* CallSlots
      yield* Effect.fork(outbounds.run)
      const ids = yield* Effect.forEach(["9876543210", "9876543211", "9876543212"], (number) =>
        outbounds.start(scope, body(number)))
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

  virtual("names every problem of the request at once", () =>
    Effect.gen(function*() {
      const outbounds = yield* Outbounds
      const failure = yield* Effect.flip(outbounds.start(
        scope,
        body("9876543210", {
          connection_config: { connection_id: "unknown", agent_phone_number: line }
        })
      ))
      assert.strictEqual(failure._tag, "RuleViolation")
      const stranger = yield* Effect.flip(outbounds.start(
        scope,
        body("9876543210", {
          connection_config: { connection_id: "sim-1", agent_phone_number: "+911149999999" }
        })
      ))
      assert.deepInclude(stranger, { _tag: "RuleViolation" })
      assert.match(stranger.message, /body\.app_config\.connection_config\.agent_phone_number/)
    }).pipe(Effect.provide(telephony())))

  virtual("is not started any more once the live calls are closed", () =>
    Effect.gen(function*() {
      const outbounds = yield* Outbounds
      const live = yield* LiveCalls
      yield* Effect.fork(outbounds.run)
      yield* outbounds.start(scope, body())
      yield* BusinessTime.sleep("1 second")
      assert.strictEqual(yield* live.count, 1)
      yield* live.close
      assert.strictEqual(yield* live.count, 0)
      const late = yield* outbounds.start(scope, body())
      yield* BusinessTime.sleep("1 minute")
      const attempt = yield* (yield* AttemptStore).find(late)
      assert.strictEqual(Option.getOrThrow(attempt).state, "pending")
    }).pipe(Effect.provide(telephony())))
})

describe("the simulated network", () => {
  virtual("dials an attempt once, however often it is asked to", () =>
    Effect.gen(function*() {
      const { carrier } = yield* SimulatedNetwork
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
      assert.strictEqual((yield* Effect.flip(carrier.place(plan)))._tag, "DialFailed")
      assert.strictEqual((yield* carrier.trace({ ...plan, provider_call_id: null }))._tag, "Over")
    }).pipe(Effect.provide(telephony())))

  it.live("gives the same calls for the same seed", () =>
    Effect.gen(function*() {
      const once = () => VirtualClock.run(Effect.map(calling("answer"), ({ attempt }) => JSON.stringify(attempt)))
      assert.strictEqual(yield* once(), yield* once())
    }))
})
