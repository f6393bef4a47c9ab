import { assert, describe, it } from "@effect/vitest"
import { testCallBrief } from "@trunkline/conversation/testing"
import { messageText } from "@trunkline/models"
import { makeDebugger } from "@trunkline/replay"
import { Effect } from "effect"
import { agentVersion, catalogOf, modelOf, start, use } from "./Fixtures.js"

const version = agentVersion({
  prompt: "You book tables.",
  first_message: "Hello.",
  tools: [{ name: "free_tables", description: "Finds free tables.", parameters: { type: "object" } }]
})

let asked = 0

const model = modelOf(({ messages }) => {
  asked += 1
  const last = messages.at(-1)
  if (last?.role === "tool") return { text: messageText(last) }
  return messages.filter(({ role }) => role === "user").length > 2
    ? { text: "Goodbye.", ...use("end_call") }
    : use("free_tables")
})

const opened = (parts: object = {}) =>
  Effect.provide(
    makeDebugger({ brief: testCallBrief, version, model, startedAt: start, ...parts }),
    catalogOf(version)
  )

const texts = (turns: ReadonlyArray<{ readonly role: string; readonly text: string }>) =>
  turns.map(({ role, text }) => `${role}: ${text}`)

describe("a debugger", () => {
  it.live("shows what was said, what the model was sent, and what tools answer", () =>
    Effect.gen(function*() {
      const toolMock = () => ({ content: "table 4", set: { table: 4 }, outcome: "done" as const })
      const debug = yield* opened({ toolMock })
      assert.deepStrictEqual(texts((yield* debug.start).turns), ["agent: Hello."])
      const call = yield* debug.move({ _tag: "Say", text: "A table please" })
      assert.deepStrictEqual(texts(call?.turns ?? []), [
        "agent: Hello.",
        "user: A table please",
        "tool: table 4",
        "agent: table 4"
      ])
      assert.strictEqual(call?.variables["table"], 4)
      assert.include(call?.sent?.messages.map(({ role }) => role).join(), "system,assistant,user,assistant,tool")
      assert.strictEqual(call?.moves, 1)
      yield* debug.close
    }))

  it.live("steps back without asking the model again, and goes another way", () =>
    Effect.gen(function*() {
      const debug = yield* opened()
      yield* debug.start
      yield* debug.move({ _tag: "Say", text: "one" })
      yield* debug.move({ _tag: "Say", text: "two" })
      const before = asked
      const back = yield* debug.back(1)
      assert.strictEqual(asked, before)
      assert.strictEqual(back.turns.at(-1)?.role, "agent")
      assert.notInclude(texts(back.turns).join(), "two")
      assert.strictEqual(back.moves, 1)
      const other = yield* debug.move({ _tag: "Say", text: "three" })
      assert.include(texts(other?.turns ?? []).join(), "user: three")
      assert.strictEqual((yield* debug.start).turns.length, 1)
      yield* debug.close
    }))

  it.live("tells of tools that were not run, of silences, and of the end", () =>
    Effect.gen(function*() {
      const debug = yield* opened()
      yield* debug.start
      const call = yield* debug.move({ _tag: "Say", text: "A table" })
      assert.deepStrictEqual(call?.tools_not_run, [{ name: "free_tables", arguments: "{}" }])
      const silent = yield* debug.move({ _tag: "Wait" })
      assert.isAbove(silent?.seconds ?? 0, 8)
      const ended = yield* debug.move({ _tag: "HangUp" })
      assert.strictEqual(ended?.ended?.ended_by, "user")
      assert.isNull(yield* debug.move({ _tag: "Say", text: "hello?" }))
      assert.isNull((yield* debug.back(1)).ended)
      yield* debug.close
    }))
})
