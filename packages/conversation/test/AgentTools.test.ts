import { assert, describe } from "@effect/vitest"
import { defineAgent, type DefinedAgent, type ToolCall } from "@trunkline/agents"
import { AgentTools } from "@trunkline/conversation"
import { runTestCall, testCallBrief } from "@trunkline/conversation/testing"
import { virtualTest } from "@trunkline/kernel/testing"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { Effect, Either, Layer, Schema } from "effect"

/** An agent with a tool `balance` that returns this content and passes its call on. */
const defined = (app_id: string, content: string, calls: Array<ToolCall> = []): DefinedAgent =>
  Either.getOrThrow(defineAgent({
    app_id,
    app_version: 1,
    committed: true,
    tools: (tool) => ({
      balance: tool({
        description: "The balance",
        parameters: Schema.Struct({ account: Schema.String }),
        handle: (_input, call) => {
          calls.push(call)
          return Effect.succeed({ content })
        }
      })
    })
  }))

/** The transcript of a call with the agent in which its model uses the tool. */
const transcriptWith = ({ agent: { versions: [version] } }: DefinedAgent, agents: ReadonlyArray<DefinedAgent>) =>
  runTestCall({ version, lines: ["Please", "Bye"] }).pipe(
    Effect.map(({ report }) => report.transcript),
    Effect.provide(
      Layer.merge(
        ScriptedModel.layer([{
          when: userSays("please"),
          toolCall: { name: "balance", arguments: { account: "A 1" } }
        }]),
        AgentTools.layerOfAgents(agents)
      )
    )
  )

const { app_id } = testCallBrief

describe("tools of an agent", () => {
  virtualTest("know their call", () => {
    const calls: Array<ToolCall> = []
    const agent = defined(app_id, "Forty rupees", calls)
    return Effect.gen(function*() {
      yield* transcriptWith(agent, [agent])
      const { agent_variables, app_overrides: _, maxDuration: _max, ...facts } = testCallBrief
      assert.deepStrictEqual(calls, [{ ...facts, variables: agent_variables, language_name: "English", digits: {} }])
    })
  })

  virtualTest("belong to it, even if another agent has one of the same name", () => {
    const mine = defined(app_id, "Forty rupees")
    const other = defined("sales", "Twelve rupees")
    const results = (agents: ReadonlyArray<DefinedAgent>) =>
      Effect.map(
        transcriptWith(mine, agents),
        (turns) => turns.flatMap(({ en_text, role }) => role === "tool" ? [en_text] : [])
      )
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* results([mine, other]), ["Forty rupees"])
      assert.deepStrictEqual(yield* results([other, mine]), ["Forty rupees"])
      assert.deepStrictEqual(yield* results([other]), ["There is no tool of this name."])
    })
  })

  virtualTest("leave their name, arguments and result in the transcript", () =>
    Effect.gen(function*() {
      const agent = defined(app_id, "Forty rupees")
      const turns = yield* transcriptWith(agent, [agent])
      assert.deepStrictEqual(
        turns.flatMap(({ at: _, ...turn }) => turn.role === "tool" ? [turn] : []),
        [{
          role: "tool",
          en_text: "Forty rupees",
          indic_text: null,
          language_name: null,
          tool_name: "balance",
          tool_arguments: "{\"account\":\"A 1\"}",
          tool_outcome: "done",
          tool_seconds: 0
        }]
      )
      for (const turn of turns) {
        if (turn.role !== "tool") assert.doesNotHaveAnyKeys(turn, ["tool_name", "tool_arguments"])
      }
    }))
})
