import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { assertGaps, assertHeard, assertTurns } from "@trunkline/turn-taking/testing"
import { Duration, Effect } from "effect"
import { greeting, holdCall } from "./RealtimeFixture.js"

describe("a call that a realtime model holds", () => {
  virtualTest("has turns, an interruption, and an end", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "I would like to book a table.", afterAgent: "1 second" },
        { say: "At seven.", afterAgent: "1 second" },
        { say: "That is enough, thank you.", intoAgent: "3 seconds" },
        { say: "No, bye.", afterAgent: "1 second" }
      ])
      assertTurns(call, [
        greeting,
        "user: I would like to book a table.",
        "agent: For how many people shall I book the table?",
        "user: At seven.",
        "agent: Seven it is. Let me read you…",
        "user: That is enough, thank you.",
        "agent: Of course. Is there anything else?",
        "user: No, bye.",
        "agent: Goodbye, see you tonight."
      ])
      assertGaps(call, { least: "380 millis", most: "500 millis" })
      assertHeard(call, { not: ["First", /hour/] })
      assert.strictEqual(call.report.ended_by, "agent")
      const [session] = sessions
      assert.lengthOf(sessions, 1)
      assert.deepStrictEqual(
        session?.commands.filter(({ _tag }) => _tag === "Truncate"),
        [{ _tag: "Truncate", reply: 3, heardMillis: 3_020 }]
      )
      const [heard] = call.report.transcript.filter(({ en_text }) => en_text.startsWith("Seven"))
      assert.strictEqual(heard?.en_text, "Seven it is. Let me read you our rules for")
      assert.strictEqual(heard?.timings?.ended_at, 10_720)
    }))

  virtualTest("uses tools, whose results the session is told", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "Is something free?", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "1 second" }
      ])
      assertTurns(call, [greeting, "user: Is something free?", "agent: Table seven is free."])
      const [use] = call.report.transcript.filter(({ role }) => role === "tool")
      assert.deepInclude(use, {
        tool_name: "find_table",
        tool_arguments: JSON.stringify({ people: 2 }),
        tool_outcome: "done",
        en_text: JSON.stringify({ table: 7 })
      })
      assert.lengthOf(sessions, 1)
      assert.deepStrictEqual(sessions[0]?.messages.map(({ role }) => role), [
        "assistant",
        "user",
        "assistant",
        "tool",
        "assistant"
      ])
    }))

  virtualTest("goes on after a word of attention, and after a noise", () =>
    Effect.gen(function*() {
      const { call } = yield* holdCall([
        { say: "At seven.", afterAgent: "1 second" },
        { say: "hmm", intoAgent: "2 seconds" },
        { hangUp: true, afterAgent: "1 second" }
      ])
      const said = call.report.transcript.flatMap(({ en_text, role }) => role === "agent" ? [en_text] : [])
      assert.deepStrictEqual(said.length, 2)
      assert.include(said[1], "First, we keep a table for a quarter of an hour.")
    }))

  virtualTest("joins the parts of a turn, when the caller goes on before the answer", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "A table", afterAgent: "1 second" },
        { say: "for four people.", after: "430 millis" },
        { hangUp: true, afterAgent: "1 second" }
      ], { slow: Duration.seconds(1) })
      assertTurns(call, [
        greeting,
        "user: A table",
        "user: for four people.",
        "agent: Four people, very well. At which time would you like to come?"
      ])
      const said = call.report.transcript.flatMap(({ en_text, role }) => role === "user" ? [en_text] : [])
      assert.deepStrictEqual(said, ["A table for four people."])
      assert.lengthOf(sessions, 1)
      assert.lengthOf(sessions[0]?.commands.filter(({ _tag }) => _tag === "Cancel") ?? [], 1)
    }))

  virtualTest("is handed over, with a part of the history in a session of its own", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "I would like to book a table.", afterAgent: "1 second" },
        { say: "My bill, please.", afterAgent: "1 second" },
        { say: "Thank you.", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "1 second" }
      ])
      assertTurns(call, [
        greeting,
        "user: I would like to book a table.",
        "agent: For how many people shall I book the table?",
        "user: My bill, please.",
        "agent: This is billing.",
        "user: Thank you.",
        "agent: Of course. Is there anything else?"
      ])
      assert.lengthOf(sessions, 2)
      const [first] = sessions[1]?.messages ?? []
      assert.notStrictEqual(first?.content, "I would like to book a table.")
      assert.isNull(call.report.fault)
    }))

  virtualTest("takes keys, asks into silence, and ends", () =>
    Effect.gen(function*() {
      const { call } = yield* holdCall([{ press: "12", intoAgent: "1 second" }])
      assertTurns(call, [
        "agent: Hello, this…",
        "user: 12",
        "agent: Of course. Is there anything else?",
        "agent: Are you still there?",
        "agent: Then goodbye."
      ])
      assert.strictEqual(call.report.ended_by, "agent")
    }))
})
