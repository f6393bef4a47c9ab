import { assert, describe, it } from "@effect/vitest"
import { userSays } from "@trunkline/scripted-model"
import { Effect } from "effect"
import type { Caller, TestedCall } from "../src/index.js"
import { turnEntry } from "../src/record/PrintCall.js"
import { callWith } from "./Fixtures.js"

const entriesOf = ({ turns }: TestedCall) => turns.map(turnEntry)

const long = "We are open until nine. On Sundays we open at ten, and close at five."

const rules = [
  { when: userSays("open"), reply: long },
  { when: userSays("thanks"), reply: "Goodbye.", toolCall: { name: "end_call", arguments: {} } },
  { when: userSays("Wait"), reply: "Of course, I wait." },
  { when: userSays("42"), reply: "Forty-two it is." }
]

const version = { first_message: "Hello, the library." }

/** A call in which the caller asks for the opening hours, and goes on. */
const asking = (script: (caller: Caller) => Effect.Effect<unknown, { readonly message: string }>, seed = 1) =>
  callWith(version, { rules, seed }, (caller) =>
    Effect.gen(function*() {
      yield* caller.says("When are you open?", { pause: "1 second" })
      yield* script(caller)
    }))

describe("a caller on a line of text", () => {
  it.effect("hears, says and thanks, in seconds since the answer", () =>
    Effect.gen(function*() {
      const call = yield* asking((caller) =>
        Effect.gen(function*() {
          assert.strictEqual(yield* caller.hears("LIBRARY"), "Hello, the library.")
          assert.strictEqual(yield* caller.hears(/until (nine|ten)/), long)
          yield* caller.says("That is enough, thanks.", { pause: "500 millis" })
        })
      )
      assert.deepStrictEqual(entriesOf(call), [
        "agent: Hello, the library.",
        "caller: When are you open?",
        `agent: ${long}`,
        "caller: That is enough, thanks.",
        "agent: Goodbye."
      ])
      const [greeting, question, answer] = call.turns
      assert.deepStrictEqual([greeting?.from, greeting?.to, question?.from], [0, 1.267, 2.267])
      assert.strictEqual(question?.to, answer?.from)
      assert.deepStrictEqual([call.outcome, call.endedBy, call.violations], ["completed", "agent", []])
    }))

  it.effect("interrupts: the agent has said what was heard, and hears the words", () =>
    Effect.gen(function*() {
      const call = yield* asking((caller) => caller.interrupts("Wait, please.", { after: "2 seconds" }))
      assert.deepStrictEqual(entriesOf(call).slice(2), [
        "agent: We are open until nine. On…",
        "caller: Wait, please.",
        "agent: Of course, I wait."
      ])
      assert.deepStrictEqual(call.violations, [])
      assert.strictEqual(call.record[2]?.text, "We are open until nine. On")
    }))

  it.effect("shows that it listens, which does not interrupt", () =>
    Effect.gen(function*() {
      const call = yield* asking((caller) => caller.interrupts("Okay.", { after: "2 seconds" }))
      assert.deepStrictEqual(entriesOf(call).slice(2), [`agent: ${long}`, "caller: Okay."])
    }))

  it.effect("cannot interrupt words that are over", () =>
    Effect.gen(function*() {
      const { failed } = yield* asking((caller) => caller.interrupts("Wait!", { after: "9 seconds" }))
      assert.match(failed ?? "", /The agent had said ".*" after 4\.6 s, before the caller interrupted: use a smaller/)
    }))

  it.effect("presses keys, which the agent gets together", () =>
    Effect.gen(function*() {
      const call = yield* callWith(version, { rules }, (caller) => caller.presses("42#"))
      assert.deepStrictEqual(entriesOf(call).slice(1), ["caller: (presses 42#)", "agent: Forty-two it is."])
    }))

  it.effect("cannot press what is no key", () =>
    Effect.gen(function*() {
      for (const keys of ["", "four", "4 2", "A"]) {
        const { failed } = yield* callWith(version, { rules }, (caller) => caller.presses(keys))
        assert.include(failed ?? "", `The caller cannot press "${keys}": keys are 0 to 9, * and #.`)
      }
    }))

  it.effect("holds the call, in which no words are lost and no silence counts", () =>
    Effect.gen(function*() {
      const call = yield* asking((caller) => Effect.zipRight(caller.waits("1 second"), caller.holds("1 minute")))
      assert.deepStrictEqual(entriesOf(call).slice(2), [`agent: ${long}`, "caller: (holds)"])
      assert.isAbove(call.seconds, 60)
      assert.deepStrictEqual(call.violations, [])
    }))

  it.effect("makes noise, which delays the agent's words and is none", () =>
    Effect.gen(function*() {
      const call = yield* asking((caller) => Effect.zipRight(caller.waits("1 second"), caller.makesNoise("2 seconds")))
      const [answer] = call.turns.slice(2)
      assert.strictEqual(answer?.role === "agent" && answer.text, long)
      assert.closeTo((answer?.to ?? 0) - (answer?.from ?? 0), 6.6, 0.1)
    }))

  it.effect("has a bad line, on which the seed decides what is lost", () =>
    Effect.gen(function*() {
      const words = "one two three four five six seven eight nine ten"
      const bad = (seed: number) =>
        callWith(version, { seed }, (caller) => Effect.zipRight(caller.hasBadLine(0.5), caller.says(words)))
      const textOf = ({ turns }: TestedCall) =>
        turns.flatMap((turn) => turn.role === "caller" ? [turn.text] : [])[0] ?? ""
      const [one, again, other] = yield* Effect.all([bad(1), bad(1), bad(2)])
      assert.isBelow(textOf(one).length, words.length)
      assert.strictEqual(textOf(one), textOf(again))
      assert.notStrictEqual(textOf(one), textOf(other))
      assert.deepStrictEqual(one, again)
    }))

  it.effect("hangs up, also into the agent's words; then nothing can be said", () =>
    Effect.gen(function*() {
      const call = yield* asking((caller) =>
        Effect.zipRight(caller.hangsUp({ after: "1 second" }), caller.says("And then?"))
      )
      assert.deepStrictEqual(entriesOf(call).slice(2), ["agent: We are open…", "caller: (hangs up)"])
      assert.match(call.failed ?? "", /The call was over before the caller said "And then\?"/)
      assert.deepStrictEqual([call.endedBy, call.violations], ["user", []])
    }))

  it.effect("stays silent: the agent asks, and then says goodbye", () =>
    Effect.gen(function*() {
      const call = yield* callWith(version, { rules, lastSilence: Infinity }, () => Effect.void)
      assert.deepStrictEqual(entriesOf(call), [
        "agent: Hello, the library.",
        "agent: Are you still there?",
        "agent: Are you still there?",
        "agent: Thank you. Goodbye."
      ])
      assert.strictEqual(call.endedBy, "agent")
    }))

  it.effect("does not hear words in time, or before the end", () =>
    Effect.gen(function*() {
      const late = yield* asking((caller) => caller.hears("midnight", { within: "6 seconds" }))
      assert.match(
        late.failed ?? "",
        /The caller did not hear "midnight" within 6 s\. Its last words were "We are open/
      )
      const over = yield* asking((caller) => Effect.zipRight(caller.says("Enough, thanks."), caller.hears("midnight")))
      assert.match(
        over.failed ?? "",
        /The call was over, and the caller had not heard "midnight"\. Its last words were/
      )
    }))
})
