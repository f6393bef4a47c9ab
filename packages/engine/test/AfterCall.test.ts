import { assert, describe } from "@effect/vitest"
import type { AfterCall, Agent } from "@trunkline/agents"
import { ModelUnavailable } from "@trunkline/errors"
import { BusinessTime, ProviderPrices, type ProviderPriceTable } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { countedModelLayer, LanguageModel } from "@trunkline/models"
import { answers, fails, fakeModel, type FakeStep, waits } from "@trunkline/models/testing"
import { FactsLog } from "@trunkline/warehouse"
import { HttpSender } from "@trunkline/webhooks"
import { Clock, Effect, Layer, Logger, Option } from "effect"
import { Engine, type MemoryOptions, memoryParts } from "../src/index.js"
import { campaignBody, connections, mondayMorning, over, scope, upload } from "./Fixtures.js"

const url = "https://example.com/hook"
const summary = "Asha promised to pay on Friday."
const found = answers(JSON.stringify({ summary, variables: { promise_date: "2024-05-24", mood: "calm" } }))
const slow = (time: Parameters<typeof waits>[0]): ReadonlyArray<FakeStep> => [waits(time), ...found]
const away = [fails(new ModelUnavailable({ message: "The model is away" }))]

/** A script, so that only the work after the call asks the model. */
const agentWith = (after_call: typeof AfterCall.Encoded): typeof Agent.Encoded => ({
  app_id: "collections",
  versions: [{
    app_version: 1,
    committed: true,
    script: [{ id: "ask", say: "When can you pay?" }],
    output_variables: [
      { name: "promise_date", type: "date" },
      { name: "mood", type: "enum", values: ["calm", "angry"] }
    ],
    after_call: { extract: true, summary: true, ...after_call }
  }]
})

interface Sent {
  readonly id: string
  readonly at: number
  readonly body: Record<string, unknown>
}

const decoder = new TextDecoder()

/** Makes one call with this agent and model; returns its record, its fact, its webhooks, and when it ended. */
const callOnce = (
  agent: MemoryOptions["agents"][number],
  script: ReadonlyArray<FakeStep>,
  prices: ProviderPriceTable = []
) => {
  const sent: Array<Sent> = []
  const model = fakeModel([script])
  const options: MemoryOptions = {
    agents: [agent],
    connections,
    seed: "after-call",
    model: countedModelLayer(Layer.succeed(LanguageModel, model), { provider: "trial", modelOf: () => "small" })
  }
  const sender = HttpSender.layerOf(({ body, headers }) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      sent.push({ id: headers["webhook-id"] ?? "", at, body: JSON.parse(decoder.decode(body)) })
      return { status: 200, headers: {} }
    })
  )
  return Effect.gen(function*() {
    const { analytics, campaigns } = yield* Engine
    const body = campaignBody({ webhook_config: { url } })
    const { campaign_id } = yield* campaigns.create(scope, body, "demo")
    yield* upload({ kind: "campaign", id: campaign_id }, "id,name,mobile\n1,Asha,9876543210\n")
    yield* over(campaign_id)
    yield* BusinessTime.sleep("1 hour")
    const [reference] = yield* analytics.ofUser(scope, "1")
    const { attempt_id } = reference ?? assert.fail("nobody was called")
    const record = yield* analytics.attempt(scope, attempt_id)
    const fact = Option.getOrThrow(yield* (yield* FactsLog).find(scope, attempt_id))
    return { record, fact, sent, requests: model.calls, ended: record.end_datetime?.epochMillis ?? 0 }
  }).pipe(
    Effect.provide(
      Layer.provideMerge(Engine.layer(options), Layer.merge(memoryParts(options), sender)).pipe(
        Layer.provide(Layer.succeed(ProviderPrices, prices)),
        Layer.provide(Logger.remove(Logger.defaultLogger))
      )
    )
  )
}

const variables = { promise_date: "2024-05-24", mood: "calm" }

describe("what is found out after a call", () => {
  virtualTest("is in its record, its fact, and the webhook that has waited for it", () =>
    Effect.gen(function*() {
      const { ended, fact, record, requests, sent } = yield* callOnce(agentWith({}), slow("4 seconds"))
      assert.lengthOf(requests, 1)
      assert.deepInclude(record, { summary, output_variables: variables, completion_status: "completed" })
      assert.deepInclude(record.extraction, { status: "done", tries: 1, duration_seconds: 4 })
      assert.deepInclude(fact, { summary, output_variables: variables, extraction_status: "done" })
      const [webhook, ...others] = sent
      assert.lengthOf(others, 0)
      assert.deepInclude(webhook?.body, { summary, output_variables: variables, output_agent_variables: {} })
      assert.approximately(webhook?.at ?? 0, ended + 4_000, 1_000)
    }), { start: mondayMorning })

  virtualTest("costs what its tokens cost, in the ledger of the call", () =>
    Effect.gen(function*() {
      const price = {
        service: "model",
        provider: "trial",
        model: "*",
        currency: "USD",
        readOn: null,
        page: null
      } as const
      const { fact, record } = yield* callOnce(agentWith({}), slow("4 seconds"), [
        { ...price, unit: "input_token", amount: 2, per: 1_000_000 },
        { ...price, unit: "output_token", amount: 10, per: 1_000_000 }
      ])
      const lines = record.costs?.lines.filter(({ service }) => service === "model") ?? []
      assert.includeMembers(lines.map(({ unit }) => unit), ["input_token", "output_token"])
      assert.isAbove(record.costs?.amount_micros ?? 0, 0)
      assert.closeTo(fact.cost_amount ?? 0, (record.costs?.amount_micros ?? 0) / 1e6, 1e-9)
    }), { start: mondayMorning })

  virtualTest(
    "comes too late for a webhook that has waited long enough, which says so and is not sent twice",
    () =>
      Effect.gen(function*() {
        const agent = agentWith({ webhook_wait_seconds: 2 })
        const { ended, record, sent } = yield* callOnce(agent, slow("9 seconds"))
        assert.deepInclude(record, { summary, output_variables: variables })
        assert.lengthOf(sent, 1)
        assert.deepInclude(sent[0]?.body, { summary: null, output_variables: { promise_date: null, mood: null } })
        assert.deepInclude(sent[0]?.body["extraction"], { status: "pending", tries: 0 })
        assert.approximately(sent[0]?.at ?? 0, ended + 2_000, 1_000)
      }),
    { start: mondayMorning }
  )

  virtualTest("is sent in a second webhook where the agent wants it", () =>
    Effect.gen(function*() {
      const agent = agentWith({ webhook_wait_seconds: 2, webhook_again: true })
      const { sent } = yield* callOnce(agent, slow("9 seconds"))
      assert.lengthOf(sent, 2)
      assert.strictEqual(sent[1]?.id, `${sent[0]?.id}-results`)
      assert.deepInclude(sent[1]?.body, { summary, output_variables: variables })
    }), { start: mondayMorning })

  virtualTest(
    "never changes how the call ended, nor keeps its webhook, when the model is away",
    () =>
      Effect.gen(function*() {
        const { fact, record, sent } = yield* callOnce(agentWith({}), away)
        assert.deepInclude(record, { completion_status: "completed", connectivity_status: "connected", summary: null })
        assert.deepInclude(record.extraction, { status: "failed", reason: "The model is away", tries: 5 })
        assert.deepInclude(fact, { completion_status: "completed", extraction_status: "failed" })
        assert.lengthOf(sent, 1)
        assert.deepInclude(sent[0]?.body["extraction"], { status: "pending" })
      }),
    { start: mondayMorning }
  )
})
