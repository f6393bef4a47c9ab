import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { sessionBroke } from "@trunkline/turn-taking/testing"
import { Effect } from "effect"
import { holdDuplexCall } from "./DuplexFixture.js"

const greeting = "agent: Hello, this is the restaurant."

describe("a call that a duplex model holds", () => {
  virtualTest(
    "has turns that the voice answers by itself, and turns that the agent answers",
    () =>
      Effect.gen(function*() {
        const { call, sessions, transcript } = yield* holdDuplexCall([
          { say: "Hi.", afterAgent: "1 second" },
          { say: "Is a table free?", afterAgent: "2 seconds" },
          { say: "No, bye.", afterAgent: "2 seconds" }
        ])
        assert.deepStrictEqual(transcript, [
          greeting,
          "user: Hi.",
          "agent: Hi there, how can I help?",
          "user: Is a table free?",
          "tool: {\"table\":7}",
          "agent: One moment. Table seven is free.",
          "user: No, bye.",
          "agent: Goodbye, see you tonight."
        ])
        assert.strictEqual(call.report.ended_by, "agent")
        assert.isNull(call.report.fault)
        const [session] = sessions
        assert.deepStrictEqual(
          session?.commands.flatMap((command) => command._tag === "Comment" ? [command] : []),
          [
            { _tag: "Comment", delegation: null, text: "Hello, this is the restaurant." },
            { _tag: "Comment", delegation: "delegation_1", text: "Table seven is free." },
            { _tag: "Comment", delegation: "delegation_2", text: "Goodbye, see you tonight." }
          ]
        )
      })
  )

  virtualTest(
    "is interrupted: the voice stops, and only what was heard is in the record",
    () =>
      Effect.gen(function*() {
        const { call, sessions, transcript } = yield* holdDuplexCall([
          { say: "Tell me the rules.", afterAgent: "1 second" },
          { say: "Please stop.", intoAgent: "2 seconds" },
          { hangUp: true, afterAgent: "2 seconds" }
        ])
        assert.lengthOf(transcript, 5)
        assert.match(transcript[2] ?? "", /^agent: First, we keep a table/u)
        assert.notInclude(transcript[2], "dogs")
        assert.deepStrictEqual(transcript.slice(3), ["user: Please stop.", "agent: As you like."])
        assert.isNull(call.report.fault)
        assert.isFalse(sessions[0]?.commands.some(({ _tag }) => _tag === "Cancel"))
      })
  )

  virtualTest("goes on through a word of attention", () =>
    Effect.gen(function*() {
      const { transcript } = yield* holdDuplexCall([
        { say: "Tell me the rules.", afterAgent: "1 second" },
        { say: "hmm", intoAgent: "2 seconds" },
        { hangUp: true, afterAgent: "2 seconds" }
      ], { react: (words) => words === "hmm" ? {} : { delegates: true } })
      assert.deepStrictEqual(transcript.slice(1), [
        "user: Tell me the rules.",
        "agent: First, we keep a table for a quarter of an hour. And no dogs are allowed."
      ])
    }))

  virtualTest(
    "has words of the voice that nobody asked for, and is handed over with new instructions",
    () =>
      Effect.gen(function*() {
        const { call, sessions, transcript } = yield* holdDuplexCall([
          { say: "My bill, please.", afterAgent: "5 seconds" },
          { hangUp: true, afterAgent: "2 seconds" }
        ], { during: ({ sessions }) => Effect.delay(Effect.sync(() => sessions[0]?.say("Take your time.")), 5_000) })
        assert.deepStrictEqual(transcript.filter((turn) => !turn.startsWith("tool")), [
          greeting,
          "agent: Take your time.",
          "user: My bill, please.",
          "agent: This is billing."
        ])
        const instructions = sessions[0]?.commands.flatMap((command) =>
          command._tag === "Configure" ? [command.setup.instructions] : []
        )
        assert.lengthOf(instructions ?? [], 2)
        assert.include(instructions?.[0], "You are the restaurant's agent.")
        assert.include(instructions?.[1], "You write bills.")
        assert.isNull(call.report.fault)
      })
  )

  virtualTest("is answered by the agent when the voice neither answers nor asks", () =>
    Effect.gen(function*() {
      const { transcript } = yield* holdDuplexCall([
        { say: "I am quiet.", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "2 seconds" }
      ])
      assert.deepStrictEqual(transcript, [greeting, "user: I am quiet.", "agent: The agent answers."])
    }))

  virtualTest("takes keys, asks into silence, and ends", () =>
    Effect.gen(function*() {
      const { call, transcript } = yield* holdDuplexCall([{ press: "12", afterAgent: "1 second" }])
      assert.deepStrictEqual(transcript, [
        greeting,
        "user: 12",
        "agent: The agent answers.",
        "agent: Are you still there?",
        "agent: Then goodbye."
      ])
      assert.strictEqual(call.report.ended_by, "agent")
    }))

  virtualTest("keeps words that nobody has answered when the caller hangs up", () =>
    Effect.gen(function*() {
      const { transcript } = yield* holdDuplexCall([
        { say: "I am quiet.", afterAgent: "1 second" },
        { hangUp: true, after: "1 second" }
      ])
      assert.deepStrictEqual(transcript, [greeting, "user: I am quiet."])
    }))
})

describe("a duplex session that ends in mid-call", () => {
  virtualTest("is followed by another one, which knows what was said", () =>
    Effect.gen(function*() {
      const { sessions, transcript } = yield* holdDuplexCall([
        { say: "Hi.", afterAgent: "1 second" },
        { say: "Is a table free?", afterAgent: "5 seconds" },
        { hangUp: true, afterAgent: "2 seconds" }
      ], { during: ({ sessions }) => Effect.delay(Effect.sync(() => sessions[0]?.end()), 10_000) })
      assert.deepStrictEqual(transcript.at(-1), "agent: One moment. Table seven is free.")
      assert.lengthOf(sessions, 2)
      assert.deepStrictEqual(sessions[1]?.history.map(({ content }) => content), [
        "Hello, this is the restaurant.",
        "Hi.",
        "Hi there, how can I help?"
      ])
    }))

  virtualTest(
    "is followed by another one, which says what the first had not begun to say",
    () =>
      Effect.gen(function*() {
        const { sessions, transcript } = yield* holdDuplexCall([
          { say: "Hi.", afterAgent: "1 second" },
          { hangUp: true, afterAgent: "2 seconds" }
        ], { slow: "1 second", during: ({ sessions }) => Effect.delay(Effect.sync(() => sessions[0]?.end()), 500) })
        assert.deepStrictEqual(transcript, [greeting, "user: Hi.", "agent: Hi there, how can I help?"])
        assert.lengthOf(sessions, 2)
      })
  )

  virtualTest("gives the call to the chain when no other one can be opened", () =>
    Effect.gen(function*() {
      const { call, sessions, transcript } = yield* holdDuplexCall([
        { say: "Hi.", afterAgent: "1 second" },
        { say: "Is a table free?", afterAgent: "5 seconds" },
        { hangUp: true, afterAgent: "2 seconds" }
      ], {
        during: ({ refuse, sessions }) =>
          Effect.delay(
            Effect.sync(() => {
              refuse(sessionBroke)
              sessions[0]?.end()
            }),
            10_000
          )
      })
      assert.deepStrictEqual(transcript.at(-1), "agent: Table seven is free.")
      assert.lengthOf(sessions, 1)
      assert.isNull(call.report.fault)
    }))

  virtualTest("gives the call to the chain when its voice does not say what it is given", () =>
    Effect.gen(function*() {
      const { call, transcript } = yield* holdDuplexCall([
        { say: "Is a table free?", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "2 seconds" }
      ], { voice: () => null })
      assert.deepStrictEqual(transcript.filter((turn) => !turn.startsWith("tool")), [
        greeting,
        "user: Is a table free?",
        "agent: Table seven is free."
      ])
      assert.isNull(call.report.fault)
    }))

  virtualTest("is none: the chain holds a call for which no session could be opened", () =>
    Effect.gen(function*() {
      const { sessions, transcript } = yield* holdDuplexCall([
        { say: "Is a table free?", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "2 seconds" }
      ], { refused: sessionBroke })
      assert.deepStrictEqual(transcript.at(-1), "agent: Table seven is free.")
      assert.lengthOf(sessions, 0)
    }))
})
