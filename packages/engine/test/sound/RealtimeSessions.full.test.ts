import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { assertTurns, type RealtimeOfParts, sessionBroke } from "@trunkline/turn-taking/testing"
import { Duration, Effect } from "effect"
import { greeting, holdCall } from "./RealtimeFixture.js"

describe("a session that ends in mid-call", () => {
  const after = (millis: number, act: (parts: RealtimeOfParts) => void) => (parts: RealtimeOfParts) =>
    Effect.delay(Effect.sync(() => act(parts)), millis)

  virtualTest(
    "is followed by another one, which knows what was said, while nobody speaks",
    () =>
      Effect.gen(function*() {
        const { call, sessions } = yield* holdCall([
          { say: "I would like to book a table.", afterAgent: "1 second" },
          { say: "For four people.", afterAgent: "3 seconds" },
          { hangUp: true, afterAgent: "1 second" }
        ], { during: after(10_500, ({ sessions }) => sessions.at(-1)?.end()) })
        assertTurns(call, [
          greeting,
          "user: I would like to book a table.",
          "agent: For how many people shall I book the table?",
          "user: For four people.",
          "agent: Four people, very well. At which time would you like to come?"
        ])
        assert.lengthOf(sessions, 2)
        assert.deepStrictEqual(sessions[1]?.messages.map(({ content }) => content), [
          "Hello, this is the restaurant.",
          "I would like to book a table.",
          "For how many people shall I book the table?",
          "For four people.",
          "Four people, very well. At which time would you like to come?"
        ])
      })
  )

  virtualTest("is followed by another one, which hears a turn again that was cut", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "I would like to book a table.", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "1 second" }
      ], { during: after(4_500, ({ sessions }) => sessions.at(-1)?.end()) })
      assertTurns(call, [
        greeting,
        "user: I would like to book a table.",
        "agent: For how many people shall I book the table?"
      ])
      assert.lengthOf(sessions, 2)
    }))

  virtualTest("is followed by another one that says the rest of words of ours", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "I would like to book a table.", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "1 second" }
      ], { slow: Duration.millis(500), during: after(200, ({ sessions }) => sessions.at(-1)?.end()) })
      assertTurns(call, [
        greeting,
        "user: I would like to book a table.",
        "agent: For how many people shall I book the table?"
      ])
      assert.lengthOf(sessions, 2)
    }))

  virtualTest("is replaced before it expires, in a quiet moment", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "I would like to book a table.", afterAgent: "1 second" },
        { say: "For four people.", afterAgent: "5 seconds" },
        { hangUp: true, afterAgent: "1 second" }
      ], { longest: 71_000 })
      assert.lengthOf(call.turns, 5)
      assert.isAtLeast(sessions.length, 2)
    }))

  virtualTest("gives the call to the chain when no other one can be opened", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "I would like to book a table.", afterAgent: "1 second" },
        { say: "For four people.", afterAgent: "3 seconds" },
        { hangUp: true, afterAgent: "1 second" }
      ], {
        during: after(10_500, ({ refuse, sessions }) => {
          refuse(sessionBroke)
          sessions.at(-1)?.end()
        })
      })
      assertTurns(call, [
        greeting,
        "user: I would like to book a table.",
        "agent: For how many people shall I book the table?",
        "user: For four people.",
        "agent: The chain speaks."
      ])
      assert.lengthOf(sessions, 1)
      assert.isNull(call.report.fault)
    }))

  virtualTest(
    "gives the call to the chain in the middle of a turn, which it hears again",
    () =>
      Effect.gen(function*() {
        const { call } = yield* holdCall([
          { say: "I would like to book a table.", afterAgent: "1 second" },
          { hangUp: true, afterAgent: "1 second" }
        ], {
          during: after(4_500, ({ refuse, sessions }) => {
            refuse(sessionBroke)
            sessions.at(-1)?.end()
          })
        })
        assertTurns(call, [greeting, "user: I would like to book a table.", "agent: The chain speaks."])
      })
  )

  virtualTest(
    "gives the call to the chain without a loss of words, whenever it ends around a turn",
    () =>
      Effect.forEach(Array.from({ length: 10 }, (_, index) => 2_600 + 150 * index), (millis) =>
        Effect.gen(function*() {
          const { call } = yield* holdCall([
            { say: "I would like to book a table.", afterAgent: "1 second" },
            { hangUp: true, afterAgent: "1 second" }
          ], {
            during: after(millis, ({ refuse, sessions }) => {
              refuse(sessionBroke)
              sessions.at(-1)?.end()
            })
          })
          assert.deepStrictEqual(
            [millis, ...call.turns.map(({ role, text }) => `${role}: ${text}`)],
            [millis, greeting, "user: I would like to book a table.", "agent: The chain speaks."]
          )
        }))
  )

  virtualTest(
    "gives the call to the chain in the middle of an answer, which it goes on with",
    () =>
      Effect.gen(function*() {
        const { call } = yield* holdCall([
          { say: "I would like to book a table.", afterAgent: "1 second" },
          { hangUp: true, afterAgent: "1 second" }
        ], {
          slow: Duration.millis(500),
          during: after(6_500, ({ refuse, sessions }) => {
            refuse(sessionBroke)
            sessions.at(-1)?.end()
          })
        })
        assertTurns(call, [greeting, "user: I would like to book a table.", "agent: The chain speaks."])
      })
  )

  virtualTest("gives the call to the chain when it begins no answer in time", () =>
    Effect.gen(function*() {
      const { call } = yield* holdCall([
        { say: "I would like to book a table.", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "1 second" }
      ], { slow: Duration.seconds(30) })
      assertTurns(call, [greeting, "user: I would like to book a table.", "agent: The chain speaks."])
    }))

  virtualTest("is none: the chain holds a call for which no session could be opened", () =>
    Effect.gen(function*() {
      const { call, sessions } = yield* holdCall([
        { say: "I would like to book a table.", afterAgent: "1 second" },
        { hangUp: true, afterAgent: "1 second" }
      ], { refused: sessionBroke })
      assertTurns(call, [greeting, "user: I would like to book a table.", "agent: The chain speaks."])
      assert.lengthOf(sessions, 0)
    }))
})
