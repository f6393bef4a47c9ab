import { assert, describe, it } from "@effect/vitest"
import { messageText, type ModelRequest } from "@trunkline/models"
import { Effect } from "effect"
import { agentVersion, holdTraced, modelOf, readTrace, replayed, use } from "./Fixtures.js"

const parameters = { type: "object", properties: { day: { type: "string" } } }

const tool = { name: "free_tables", description: "Finds free tables.", parameters }

const tables = { prompt: "You book tables.", first_message: "Hello, a table?", tools: [tool] }

const promptOf = ({ messages }: ModelRequest) => messages[0] === undefined ? "" : messageText(messages[0])

/** Looks for tables once the caller has named a day, and says goodbye after it. */
const model = modelOf((request) => {
  const last = request.messages.at(-1)
  if (last?.role === "tool" && last.name === "free_tables") {
    return { text: `There is one: ${messageText(last)}. Goodbye.`, ...use("end_call") }
  }
  const day = promptOf(request).includes("on Sunday") ? "Sunday" : "Monday"
  return promptOf(request).includes("Never look")
    ? { text: "I am sorry. Goodbye.", ...use("end_call") }
    : use("free_tables", { day })
})

const handlers = { free_tables: () => Effect.succeed({ content: "table 4", set: { table: 4 } }) }

const held = holdTraced({ version: agentVersion(tables), lines: ["A table for Monday, please"], model, handlers })

const trace = Effect.map(held, ({ text }) => readTrace(text))

describe("a replay through a changed agent", () => {
  it.effect("names the words that change, and keeps the answers of the caller", () =>
    Effect.gen(function*() {
      const script = (greeting: string) =>
        agentVersion({
          script: [{ id: "ask", say: greeting, expect: [{ match: ["yes"], set: { paid: true }, go: "goodbye" }] }],
          output_variables: [{ name: "paid", required: true }]
        })
      const { text } = yield* holdTraced({ version: script("Have you paid?"), lines: ["yes"] })
      const replay = yield* replayed(readTrace(text), script("Have you paid the bill?"))
      assert.deepStrictEqual(replay.differences, [
        { kind: "words", name: "agent", before: "Have you paid?", after: "Have you paid the bill?" }
      ])
      assert.isNull(replay.divergence)
      assert.strictEqual(replay.after?.completion_status, "completed")
    }))

  it.effect("stops at a changed prompt, where there is no model", () =>
    Effect.gen(function*() {
      const replay = yield* replayed(yield* trace, agentVersion({ ...tables, prompt: "You book tables. Be brief." }))
      assert.strictEqual(replay.status, "open")
      assert.strictEqual(replay.divergence?.reason, "the model is asked with another prompt")
      assert.strictEqual(replay.divergence?.turn, 2)
      assert.isNull(replay.after)
      assert.deepStrictEqual(replay.differences, [])
    }))

  it.effect("asks the model from there on, and takes the answers of tools from the trace", () =>
    Effect.gen(function*() {
      const changed = agentVersion({ ...tables, prompt: "You book tables. Be brief." })
      const replay = yield* replayed(yield* trace, changed, { model })
      assert.strictEqual(replay.status, "same")
      assert.deepStrictEqual(replay.answers, { trace: 0, model: 2 })
      assert.deepStrictEqual(replay.tokens, { input: 200, output: 20 })
      assert.deepStrictEqual(replay.tools_not_run, [])
      assert.strictEqual(replay.after?.variables["table"], 4)
    }))

  it.effect("runs no tool, and says which one would be called", () =>
    Effect.gen(function*() {
      const changed = agentVersion({ ...tables, prompt: "You book tables on Sunday." })
      const replay = yield* replayed(yield* trace, changed, { model })
      assert.deepStrictEqual(replay.tools_not_run, [{ name: "free_tables", arguments: `{"day":"Sunday"}` }])
      const tools = replay.differences.filter(({ kind }) => kind === "tool")
      assert.deepStrictEqual(tools, [{
        kind: "tool",
        name: "free_tables",
        before: `free_tables({"day":"Monday"}) done`,
        after: `free_tables({"day":"Sunday"}) failed`
      }])
      assert.deepInclude(replay.differences, { kind: "variable", name: "table", before: "4", after: null })
    }))

  it.effect("asks a mock for what the trace does not know of a tool", () =>
    Effect.gen(function*() {
      const changed = agentVersion({ ...tables, prompt: "You book tables on Sunday." })
      const toolMock = () => ({ content: "table 9", set: { table: 9 }, outcome: "done" as const })
      const replay = yield* replayed(yield* trace, changed, { model, toolMock })
      assert.deepStrictEqual(replay.tools_not_run, [])
      assert.strictEqual(replay.after?.variables["table"], 9)
    }))

  it.effect("names a tool that is used no more", () =>
    Effect.gen(function*() {
      const changed = agentVersion({ ...tables, prompt: "Never look." })
      const replay = yield* replayed(yield* trace, changed, { model })
      assert.deepInclude(replay.differences, {
        kind: "tool",
        name: "free_tables",
        before: `free_tables({"day":"Monday"}) done`,
        after: null
      })
    }))

  it.effect("tells that the caller has no more words", () =>
    Effect.gen(function*() {
      const changed = agentVersion({ ...tables, prompt: "Ask more." })
      const asks = modelOf(() => ({ text: "And then?" }))
      const replay = yield* replayed(yield* trace, changed, { model: asks })
      assert.isTrue(replay.caller_ran_out)
      assert.strictEqual(replay.status, "changed")
    }))

  it.effect("takes another agent, and tools that are not there any more", () =>
    Effect.gen(function*() {
      const replay = yield* replayed(yield* trace, agentVersion({ ...tables, tools: [] }), { model })
      assert.strictEqual(replay.divergence?.reason, "the model is asked with other tools")
      assert.deepInclude(replay.differences, { kind: "variable", name: "table", before: "4", after: null })
    }))
})
