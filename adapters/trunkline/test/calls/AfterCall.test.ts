import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { openai, type TrunklineOptions } from "trunkline"
import { call, later, withTrunkline } from "../Fixtures.js"
import { sendCompletion, startServer } from "../telemetry/ModelServer.js"

type Ended = Parameters<NonNullable<TrunklineOptions["onCallEnded"]>>[0]

/** An agent with a script, so that a model is only asked after the call. */
const agents: TrunklineOptions["agents"] = [{
  app_id: "reminder",
  script: [{ id: "ask", say: "When can you pay?" }],
  output_variables: [
    { name: "promise_date", type: "date" },
    { name: "amount", type: "integer" },
    { name: "mood", type: "enum", values: ["calm", "angry"] }
  ],
  after_call: { summary: true, extract: true }
}]

const simulator: TrunklineOptions["simulator"] = { speed: 1000, default: ["On Friday, 500 rupees.", "Bye."] }

/** Makes a call with this model; returns what `onCallEnded` was told, and the record. */
const callWith = (model: TrunklineOptions["model"]) => {
  const told = later<Ended>()
  const options = { agents, simulator, onCallEnded: told.resolve, ...(model !== undefined && { model }) }
  return withTrunkline(options, async (trunkline) => {
    const { attempt_id } = await trunkline.calls.create(call)
    const ended = await told.promise
    return { ended, record: await trunkline.attempts.get(attempt_id) }
  })
}

describe("after a call", () => {
  it.scopedLive("a model of an OpenAI-compatible server is asked once, with the schema of the answer", () =>
    Effect.gen(function*() {
      const answer = {
        summary: "Pays on Friday.",
        variables: { promise_date: "2026-12-04", amount: 500, mood: "calm" }
      }
      const server = yield* startServer((_, response) => sendCompletion(response, { text: JSON.stringify(answer) }))
      const model = openai({ baseUrl: `${server.url}/v1`, model: "small" })
      const { ended, record } = yield* Effect.promise(() => callWith(model))
      assert.deepInclude(ended, { summary: answer.summary, output_variables: answer.variables })
      assert.deepInclude(record, { summary: answer.summary, output_variables: answer.variables })
      assert.deepInclude(record.extraction, { status: "done", tries: 1, reason: null })
      assert.strictEqual(record.completion_status, "completed")
      const asked = server.received.map(({ body }) => body)
      assert.lengthOf(asked, 1)
      assert.include(asked[0], "json_schema")
      assert.include(asked[0], "On Friday, 500 rupees.")
      assert.notInclude(asked[0], call.to)
    }))

  it("the scripted model gives values of the types", async () => {
    const { ended } = await callWith(undefined)
    assert.strictEqual(ended.extraction?.status, "done")
    assert.isString(ended.summary)
    assert.match(String(ended.output_variables?.["promise_date"] ?? "2026-12-04"), /^\d{4}-\d\d-\d\d$/)
  })

  it("a model that is broken leaves the call as it was, and its reason in the record without secrets", async () => {
    const broken = {
      generate: async () => {
        throw new Error("the key sk-abcdefghijkl1234 is refused")
      }
    }
    const withoutWait: TrunklineOptions["agents"] = [{
      app_id: "reminder",
      script: [{ id: "ask", say: "When can you pay?" }],
      after_call: { summary: true, webhook_wait_seconds: 0 }
    }]
    const told = later<Ended>()
    const options = { agents: withoutWait, simulator, onCallEnded: told.resolve, model: broken }
    await withTrunkline(options, async (trunkline) => {
      const { attempt_id } = await trunkline.calls.create(call)
      const ended = await told.promise
      assert.deepInclude(ended, { completion_status: "completed", summary: null })
      assert.strictEqual(ended.extraction?.status, "pending")
      assert.notInclude(JSON.stringify(await trunkline.attempts.get(attempt_id)), "abcdefghijkl1234")
    })
  })
})
