import { assert, describe } from "@effect/vitest"
import { defineAgent, type DefinedAgent } from "@trunkline/agents"
import { CallQuery } from "@trunkline/analytics"
import { virtualTest } from "@trunkline/kernel/testing"
import { ScriptedModel, toolAnswered, userSays } from "@trunkline/scripted-model"
import { Effect, Either, Layer, Logger, Schema } from "effect"
import { Engine } from "../../src/index.js"
import { campaignBody, collections, connections, mondayMorning, over, scope, upload } from "../Fixtures.js"

const agent: DefinedAgent = Either.getOrThrow(defineAgent({
  app_id: collections,
  app_version: 1,
  committed: true,
  tools: (tool) => ({
    balance: tool({
      description: "The balance of an account",
      parameters: Schema.Struct({ account: Schema.String }),
      handle: ({ account }, { user_phone_number }) =>
        Effect.succeed({ content: `${account} of ${user_phone_number} is due` })
    })
  })
}))

const model = ScriptedModel.layer([
  { when: toolAnswered("balance"), reply: "Goodbye", toolCall: { name: "end_call" } },
  { when: userSays(""), toolCall: { name: "balance", arguments: { account: "A1" } } }
])

const wholeDay = Schema.decodeUnknownSync(CallQuery)({
  start_datetime: "2024-05-20T00:00:00Z",
  end_datetime: "2024-05-21T00:00:00Z"
})

describe("tools of agents defined in code", () => {
  virtualTest(
    "run in the calls of an engine in memory, and are in the transcripts until these are erased",
    () =>
      Effect.gen(function*() {
        const { analytics, campaigns, erasure } = yield* Engine
        const { campaign_id } = yield* campaigns.create(scope, campaignBody(), "demo")
        yield* upload({ kind: "campaign", id: campaign_id }, "id,name,mobile\n1,Asha,9876543210\n")
        yield* over(campaign_id)
        const { items: [item] } = yield* analytics.attempts(scope, collections, wholeDay)
        const { attempt_id } = item ?? assert.fail("nobody was called")
        const { transcript } = yield* analytics.attempt(scope, attempt_id)
        assert.deepInclude(transcript?.messages.find(({ role }) => role === "tool"), {
          en_text: "A1 of +919876543210 is due",
          tool_name: "balance",
          tool_arguments: "{\"account\":\"A1\"}"
        })
        yield* erasure.user(scope, "1")
        assert.strictEqual((yield* Effect.flip(analytics.attempt(scope, attempt_id)))._tag, "NotFound")
      }).pipe(Effect.provide(Layer.provide(
        Engine.layerMemory({ agents: [agent], connections, model }),
        Logger.remove(Logger.defaultLogger)
      ))),
    { start: mondayMorning }
  )
})
