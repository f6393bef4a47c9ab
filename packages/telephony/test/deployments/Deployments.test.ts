import { assert, describe } from "@effect/vitest"
import { AttemptId, BusinessTime, CohortId, findOne } from "@trunkline/kernel"
import { meterReading, virtualTest } from "@trunkline/kernel/testing"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import {
  AttemptStore,
  Deployments,
  InboundCalls,
  KnownCallers,
  PatchDeployment,
  phoneNumbersOf,
  SimulatedNetwork
} from "../../src/index.js"
import { caller, connection, deploymentBody, elsewhere, line, scope, secondLine, telephony } from "../Fixtures.js"

const patch = Schema.decodeUnknownSync(PatchDeployment)
const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

describe("a deployment", () => {
  virtualTest("is active immediately and answers its numbers", () =>
    Effect.gen(function*() {
      const deployments = yield* Deployments
      const deployment = yield* deployments.create(scope, deploymentBody(), "demo")
      assert.deepInclude(deployment, { status: "active", channel_direction: "inbound", created_by: "demo" })
      assert.match(deployment.deployment_id, /^dep-[0-9a-f]{12}$/)
      assert.deepStrictEqual(yield* deployments.get(scope, deployment.deployment_id), deployment)
    }).pipe(Effect.provide(telephony())))

  virtualTest("of another workspace is not found", () =>
    Effect.gen(function*() {
      const deployments = yield* Deployments
      const { deployment_id } = yield* deployments.create(scope, deploymentBody(), "demo")
      const failures = yield* Effect.all([
        Effect.flip(deployments.get(elsewhere, deployment_id)),
        Effect.flip(deployments.patch(elsewhere, deployment_id, patch({ name: "Mine" }), "x")),
        Effect.flip(deployments.act(elsewhere, deployment_id, "pause", "x")),
        Effect.flip(deployments.remove(elsewhere, deployment_id))
      ])
      assert.deepStrictEqual(failures.map((failure) => failure._tag), ["NotFound", "NotFound", "NotFound", "NotFound"])
      assert.strictEqual((yield* deployments.list(elsewhere, newest)).total, 0)
    }).pipe(Effect.provide(telephony())))

  virtualTest("cannot use a number of another deployment until that one is removed", () =>
    Effect.gen(function*() {
      const deployments = yield* Deployments
      const first = yield* deployments.create(scope, deploymentBody(), "demo")
      const refused = yield* Effect.flip(deployments.create(elsewhere, deploymentBody(), "demo"))
      assert.deepStrictEqual(refused.issues[0]?.loc, ["body", "connection_configs", 0, "phone_numbers", 0])
      yield* deployments.remove(scope, first.deployment_id)
      yield* deployments.create(elsewhere, deploymentBody(), "demo")
      assert.strictEqual((yield* Effect.flip(deployments.remove(scope, first.deployment_id)))._tag, "NotFound")
    }).pipe(Effect.provide(telephony())))

  virtualTest("keeps its numbers when it is changed and rejects a repeated number", () =>
    Effect.gen(function*() {
      const deployments = yield* Deployments
      const { deployment_id } = yield* deployments.create(scope, deploymentBody(), "demo")
      const both = patch({ connection_configs: [{ connection_id: "sim-1", phone_numbers: [line, secondLine] }] })
      assert.deepStrictEqual(phoneNumbersOf(yield* deployments.patch(scope, deployment_id, both, "x")), [
        line,
        secondLine
      ])
      const twice = patch({ connection_configs: [{ connection_id: "sim-1", phone_numbers: [line, line] }] })
      const refused = yield* Effect.flip(deployments.patch(scope, deployment_id, twice, "x"))
      assert.strictEqual(refused._tag, "RuleViolation")
      assert.deepStrictEqual(phoneNumbersOf(yield* deployments.get(scope, deployment_id)), [line, secondLine])
    }).pipe(Effect.provide(telephony())))

  virtualTest(
    "is patched field by field: null clears optional fields and is ignored otherwise",
    () =>
      Effect.gen(function*() {
        const deployments = yield* Deployments
        const created = yield* deployments.create(
          scope,
          deploymentBody({ description: "First line", inbound_config: weekdays }),
          "demo"
        )
        const { deployment_id } = created
        yield* BusinessTime.sleep("1 minute")
        assert.deepStrictEqual(yield* deployments.patch(scope, deployment_id, patch({}), "x"), created)
        const cleared = yield* deployments.patch(
          scope,
          deployment_id,
          patch({ name: null, description: null, inbound_config: null, app_version: 2 }),
          "second key"
        )
        assert.deepInclude(cleared, {
          name: "Support desk",
          description: null,
          inbound_config: null,
          app_version: 2,
          updated_by: "second key"
        })
        assert.strictEqual(DateTime.distance(created.updated_at, cleared.updated_at), 60_000)
        const other = yield* Effect.flip(deployments.patch(scope, deployment_id, patch({ app_id: "sales" }), "x"))
        assert.deepInclude(other, { _tag: "RuleViolation" })
      }).pipe(Effect.provide(telephony()))
  )
})

const weekdays = {
  start_time: "09:00",
  end_time: "18:00",
  allowed_days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
}

describe("an inbound call", () => {
  const known = Layer.succeed(KnownCallers, {
    find: (_scope, _deployment, number) =>
      Effect.succeed(
        number === caller
          ? Option.some({
            cohort_id: CohortId.make("coh-000000000001"),
            user_identifier: "cust-7",
            agent_variables: { customer_name: "Asha" },
            app_overrides: {}
          })
          : Option.none()
      ),
    forget: () => Effect.void
  })

  /** Monday 20 May 2024, 10:00 in India. */
  const mondayMorning = Date.parse("2024-05-20T04:30:00Z")

  const callIn = Effect.gen(function*() {
    const network = yield* SimulatedNetwork
    return yield* network.callIn({ connection, from: caller, to: line })
  })

  /** Answers calls while the test runs. */
  const answerCalls = Effect.flatMap(InboundCalls, (inbound) => Effect.fork(inbound.run))

  virtualTest("is answered with the data of a known caller and recorded", () =>
    Effect.gen(function*() {
      yield* answerCalls
      yield* (yield* Deployments).create(scope, deploymentBody(), "demo")
      const store = yield* AttemptStore
      const call = yield* Effect.fork(callIn)
      yield* BusinessTime.sleep("1 millis")
      const [unfinished] = yield* store.unfinished
      const attempt = Option.getOrUndefined(
        yield* findOne(store.findMany, unfinished?.attempt_id ?? AttemptId.make("none"))
      )
      assert.strictEqual(attempt?.kind, "inbound")
      assert.strictEqual(attempt?.user_identifier, "cust-7")
      assert.strictEqual(attempt?.cohort_id, "coh-000000000001")
      assert.deepStrictEqual(attempt?.agent_variables, { customer_name: "Asha" })
      assert.deepInclude(yield* call, { accepted: true })
      yield* BusinessTime.sleep("1 millis")
      assert.deepStrictEqual(yield* store.unfinished, [])
    }).pipe(Effect.provide(telephony({ callers: known }))), { start: mondayMorning })

  virtualTest("is recorded where its deployment says so, until that is changed", () =>
    Effect.gen(function*() {
      yield* answerCalls
      const deployments = yield* Deployments
      const { deployment_id } = yield* deployments.create(scope, deploymentBody({ record: true }), "demo")
      const store = yield* AttemptStore
      const recordOfCall = Effect.gen(function*() {
        const call = yield* Effect.fork(callIn)
        yield* BusinessTime.sleep("1 millis")
        const [unfinished] = yield* store.unfinished
        const found = yield* findOne(store.findMany, unfinished?.attempt_id ?? AttemptId.make("none"))
        yield* call
        yield* BusinessTime.sleep("1 millis")
        return Option.map(found, ({ app_overrides }) => app_overrides.record)
      })
      assert.deepStrictEqual(yield* recordOfCall, Option.some(true))
      yield* deployments.patch(scope, deployment_id, patch({ name: "Desk" }), "demo")
      assert.deepStrictEqual(yield* recordOfCall, Option.some(true))
      yield* deployments.patch(scope, deployment_id, patch({ record: null }), "demo")
      assert.deepStrictEqual(yield* recordOfCall, Option.some(undefined))
    }).pipe(Effect.provide(telephony({ callers: known }))), { start: mondayMorning })

  virtualTest("is rejected without a deployment, while paused and outside the schedule", () =>
    Effect.gen(function*() {
      yield* answerCalls
      const deployments = yield* Deployments
      assert.deepStrictEqual(yield* callIn, { accepted: false, reason: "no_deployment" })
      const body = deploymentBody({ inbound_config: weekdays })
      const { deployment_id } = yield* deployments.create(scope, body, "demo")
      assert.deepInclude(yield* callIn, { accepted: true })
      yield* deployments.act(scope, deployment_id, "pause", "demo")
      assert.deepStrictEqual(yield* callIn, { accepted: false, reason: "deployment_paused" })
      yield* deployments.act(scope, deployment_id, "resume", "demo")
      assert.deepInclude(yield* callIn, { accepted: true })
      yield* BusinessTime.sleepUntil(Date.parse("2024-05-20T12:29:59.999Z"))
      assert.deepInclude(yield* callIn, { accepted: true })
      yield* BusinessTime.sleepUntil(Date.parse("2024-05-20T12:30:05Z"))
      assert.deepStrictEqual(yield* callIn, { accepted: false, reason: "outside_schedule" })
      yield* deployments.remove(scope, deployment_id)
      const before = meterReading("trunkline_incoming_refusals_total", { reason: "no_deployment" })
      assert.deepStrictEqual(yield* callIn, { accepted: false, reason: "no_deployment" })
      assert.strictEqual(meterReading("trunkline_incoming_refusals_total", { reason: "no_deployment" }), before + 1)
    }).pipe(Effect.provide(telephony())), { start: mondayMorning })

  virtualTest("is rejected while all slots are taken and answered once one is free", () =>
    Effect.gen(function*() {
      yield* answerCalls
      yield* (yield* Deployments).create(scope, deploymentBody(), "demo")
      const first = yield* Effect.fork(callIn)
      yield* BusinessTime.sleep("1 millis")
      assert.deepStrictEqual(yield* callIn, { accepted: false, reason: "no_capacity" })
      yield* first
      assert.deepInclude(yield* callIn, { accepted: true })
    }).pipe(Effect.provide(telephony({ maxConcurrentCalls: 1 }))), { start: mondayMorning })
})
