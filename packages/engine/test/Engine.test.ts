import { assert, describe } from "@effect/vitest"
import { CallQuery } from "@trunkline/analytics"
import { BusinessTime, InteractionId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { LanguageModel } from "@trunkline/models"
import { ScriptedModel } from "@trunkline/scripted-model"
import { HttpSender } from "@trunkline/webhooks"
import { Context, Effect, Layer, Schema } from "effect"
import { Engine, type MemoryOptions, memoryParts } from "../src/index.js"
import {
  agents,
  campaignBody,
  collections,
  connections,
  deploymentBody,
  mondayMorning,
  over,
  scope,
  upload
} from "./Fixtures.js"

type Posted = Readonly<Record<string, unknown>>

/** Engine in memory that collects its webhooks in a list. */
const engine = (posted: Array<Posted>, options: Partial<MemoryOptions> = {}) => {
  const all = { agents, connections, ...options }
  return Engine.layer(all).pipe(
    Layer.provideMerge(Layer.merge(
      memoryParts(all),
      HttpSender.layerOf(({ body }) =>
        Effect.sync(() => {
          posted.push(JSON.parse(new TextDecoder().decode(body)))
          return { status: 200, headers: {} }
        })
      )
    ))
  )
}

const csv = "id,name,mobile\n1,Asha,9876543210\n2,Bilal,9876543201\n3,Chitra,12\n4,Devi,9876543210\n"
const webhook_config = { url: "https://example.com/hook", metadata: { batch: 7 } }
const wholeDay = Schema.decodeUnknownSync(CallQuery)({
  start_datetime: "2024-05-20T00:00:00Z",
  end_datetime: "2024-05-21T00:00:00Z"
})

describe("the engine", () => {
  virtualTest("calls every contact of a cohort, retries, and sends and lists every attempt", () => {
    const posted: Array<Posted> = []
    return Effect.gen(function*() {
      const { analytics, campaigns } = yield* Engine
      const retry_config = { max_retries: 1, retry_interval_minutes: 5 }
      const { campaign_id } = yield* campaigns.create(scope, campaignBody({ webhook_config, retry_config }), "demo")
      const owner = { kind: "campaign", id: campaign_id } as const
      const cohort = yield* upload(owner, csv)
      assert.deepStrictEqual(cohort.result, { total_records: 4, valid_records: 2, rejected_records: 2 })
      yield* over(campaign_id)

      assert.strictEqual(posted.length, 3)
      const busy = posted.filter((body) => body["user_identifier"] === "2")
      assert.deepStrictEqual(busy.map((body) => [body["retry_attempt"], body["next_action_status"]]), [
        [0, "retry"],
        [1, null]
      ])
      const asha = posted.find((body) => body["user_identifier"] === "1")
      assert.deepInclude(asha, {
        campaign_id,
        cohort_id: cohort.cohort_id,
        completion_status: "completed",
        connectivity_status: "connected",
        initial_agent_variables: { customer_name: "Asha" },
        metadata: { batch: 7 },
        failure_reason: null
      })

      const attempts = yield* analytics.attempts(scope, collections, wholeDay)
      const interactions = yield* analytics.interactions(scope, collections, wholeDay)
      assert.deepStrictEqual([attempts.total, interactions.total], [3, 1])
      const [interaction] = interactions.items
      assert.strictEqual(interaction?.interaction_id, asha?.["interaction_id"])
      assert.strictEqual(interaction?.duration_in_seconds, asha?.["duration"])
      const transcript = yield* analytics.transcript(
        scope,
        collections,
        InteractionId.make(interaction?.interaction_id ?? "")
      )
      assert.strictEqual(transcript.messages.length, interaction?.num_messages)
    }).pipe(Effect.provide(engine(posted, { simulator: { rules: [{ suffix: "201", callee: "busy" }] } })))
  }, { start: mondayMorning })

  virtualTest("drains: finishes calls in progress, starts no new ones, and reports it in its health", () => {
    const posted: Array<Posted> = []
    return Effect.gen(function*() {
      const { analytics, campaigns, drain, health } = yield* Engine
      const body = campaignBody({ webhook_config, attempts_per_second: 0.1 })
      const { campaign_id } = yield* campaigns.create(scope, body, "demo")
      const rows = Array.from({ length: 50 }, (_, index) => `${index},Someone,98765${10_000 + index}`)
      yield* upload({ kind: "campaign", id: campaign_id }, `id,name,mobile\n${rows.join("\n")}\n`)
      yield* BusinessTime.sleep("25 seconds")
      assert.deepInclude(yield* health, { ready: true })
      assert.isAbove((yield* health).calls, 0)
      yield* drain
      assert.deepInclude(yield* health, { ready: false, calls: 0 })
      assert.strictEqual((yield* analytics.attempts(scope, collections, wholeDay)).total, 3)
      yield* BusinessTime.sleep("1 hour")
      assert.strictEqual((yield* analytics.attempts(scope, collections, wholeDay)).total, 3)
    }).pipe(Effect.provide(engine(posted)))
  }, { start: mondayMorning })

  virtualTest(
    "rejects an uncommitted agent version, and an unknown agent number",
    () =>
      Effect.gen(function*() {
        const { campaigns } = yield* Engine
        const uncommitted = yield* Effect.flip(campaigns.create(scope, campaignBody({ app_version: 2 }), "demo"))
        assert.include(uncommitted.message, "body.app_config.app_version")
        const connection_configs = [{ connection_id: "sim-1", phone_numbers: ["+911140000009"] }]
        const foreign = yield* Effect.flip(campaigns.create(scope, campaignBody({ connection_configs }), "demo"))
        assert.include(foreign.message, "body.app_config.connection_configs.0.phone_numbers.0")
      }).pipe(Effect.provide(engine([]))),
    { start: mondayMorning }
  )

  virtualTest("calls the model on behalf of the account that owns the workspace", () => {
    const tenants = new Set<string | undefined>()
    const model = Layer.map(ScriptedModel.layer(), (context) => {
      const { generate, stream } = Context.get(context, LanguageModel)
      return Context.make(LanguageModel, {
        stream,
        generate: (request) =>
          Effect.zipRight(Effect.sync(() => tenants.add(request.origin?.tenant)), generate(request))
      })
    })
    const access = {
      accounts: [{ account_id: "acme-holding" }],
      workspaces: [{ account_id: "acme-holding", org_id: "acme", workspace_id: "main" }],
      keys: []
    }
    return Effect.gen(function*() {
      const { campaign_id } = yield* (yield* Engine).campaigns.create(scope, campaignBody(), "demo")
      yield* upload({ kind: "campaign", id: campaign_id }, csv)
      yield* over(campaign_id)
      assert.deepStrictEqual(Array.from(tenants), ["acme-holding"])
    }).pipe(Effect.provide(engine([], { model, access })))
  }, { start: mondayMorning })

  virtualTest("removes the cohorts of a removed deployment", () =>
    Effect.gen(function*() {
      const { cohorts, deployments } = yield* Engine
      const deployment = yield* deployments.create(scope, deploymentBody, "demo")
      const owner = { kind: "deployment", id: deployment.deployment_id } as const
      const { cohort_id } = yield* upload(owner, csv)
      yield* deployments.remove(scope, deployment.deployment_id)
      assert.strictEqual((yield* Effect.flip(cohorts.get(scope, owner, cohort_id)))._tag, "NotFound")
    }).pipe(Effect.provide(engine([]))), { start: mondayMorning })
})
