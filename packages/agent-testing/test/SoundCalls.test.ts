import { assert, describe, it } from "@effect/vitest"
import { userSays } from "@trunkline/scripted-model"
import { Effect } from "effect"
import type { Caller, TestedCall } from "../src/index.js"
import { turnEntry } from "../src/record/PrintCall.js"
import { makeSoundLine } from "../src/sound.js"
import { callWith } from "./Fixtures.js"

const entriesOf = ({ turns }: TestedCall) => turns.map(turnEntry)

const long = "We are open until nine. On Sundays we open at ten, and close at five."

const rules = [
  { when: userSays("open"), reply: long },
  { when: userSays("thanks"), reply: "Goodbye.", toolCall: { name: "end_call", arguments: {} } },
  { when: userSays("Wait"), reply: "Of course, I wait." },
  { when: userSays("42"), reply: "Forty-two it is." }
]

/** A call with sound in which the caller asks for the opening hours, and goes on. */
const asking = (script: (caller: Caller) => Effect.Effect<unknown, { readonly message: string }>) =>
  callWith(
    { first_message: "Hello, the library." },
    { rules, line: makeSoundLine },
    (caller) =>
      Effect.gen(function*() {
        yield* caller.says("When are you open?", { pause: "1 second" })
        yield* script(caller)
      })
  )

describe("a caller on a line with sound", () => {
  it.effect("hears, says and thanks", () =>
    Effect.gen(function*() {
      const call = yield* asking((caller) =>
        Effect.gen(function*() {
          yield* caller.hears(/until (nine|ten)/)
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
      assert.deepStrictEqual([call.outcome, call.endedBy, call.violations], ["completed", "agent", []])
    }))

  it.effect("interrupts: the agent has said what was heard, and hears the words", () =>
    Effect.gen(function*() {
      const call = yield* asking((caller) => caller.interrupts("Wait, please.", { after: "2 seconds" }))
      assert.deepStrictEqual(entriesOf(call).slice(2), [
        "agent: We are open until nine.…",
        "caller: Wait, please.",
        "agent: Of course, I wait."
      ])
      assert.deepStrictEqual(call.violations, [])
    }))

  it.effect("presses keys, holds the call and coughs", () =>
    Effect.gen(function*() {
      const pressed = yield* asking((caller) => caller.presses("42#"))
      assert.deepStrictEqual(entriesOf(pressed).slice(3), ["caller: (presses 42#)", "agent: Forty-two it is."])
      const held = yield* asking((caller) => Effect.zipRight(caller.waits("1 second"), caller.holds("1 minute")))
      assert.deepStrictEqual(entriesOf(held).slice(2), [`agent: ${long}`, "caller: (holds)"])
      const noisy = yield* asking((caller) => Effect.zipRight(caller.waits("1 second"), caller.makesNoise()))
      assert.deepStrictEqual(entriesOf(noisy).slice(2), [`agent: ${long}`, "caller: (makes noise)"])
      assert.deepStrictEqual([pressed, held, noisy].flatMap(({ violations }) => violations), [])
    }))

  it.effect("hangs up into the agent's words, and has a bad line", () =>
    Effect.gen(function*() {
      const cut = yield* asking((caller) => caller.hangsUp({ after: "1 second" }))
      assert.deepStrictEqual([cut.endedBy, cut.violations], ["user", []])
      assert.match(entriesOf(cut)[2] ?? "", /^agent: We are.*…$/)
      const bad = yield* asking((caller) => Effect.zipRight(caller.hasBadLine(0.9), caller.says("Wait, please.")))
      assert.notInclude(entriesOf(bad), "agent: Of course, I wait.")
    }))
})
