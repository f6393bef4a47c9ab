import { assert, describe, it } from "@effect/vitest"
import { makeVoiceActivityDetector } from "@trunkline/audio"
import { endOfTurnByWords, fixedEndOfTurn, turnTakingDefaults, type TurnTakingOptions } from "@trunkline/turn-taking"
import { makeTurnDetector, type TurnEvent } from "../src/TurnDetector.js"

const quiet = new Float32Array(160)
const voice = Float32Array.from({ length: 160 }, (_, at) => 0.3 * Math.sin(at * 0.7))

/** Line time between an event and the frames before it, and the event. */
interface Timed {
  readonly millis: number
  readonly event: TurnEvent
}

/** The machine over frames of a line at 8 kHz, after the first 100 ms of silence. */
const onLine = (options: Partial<TurnTakingOptions> = {}) => {
  const turn = makeTurnDetector(makeVoiceActivityDetector({ rate: 8_000 }), { ...turnTakingDefaults, ...options })
  /** Events of the same frame for some milliseconds, each with its time. */
  const hear = (samples: Float32Array, millis: number, concealed = false): ReadonlyArray<Timed> =>
    Array.from(
      { length: millis / 20 },
      (_, frame) => ({ millis: (frame + 1) * 20, event: turn.push(samples, concealed) })
    )
      .filter(({ event }) => event._tag !== "None")
  hear(quiet, 200)
  return {
    turn,
    speak: (millis: number) => hear(voice, millis),
    pause: (millis: number) => hear(quiet, millis),
    hear
  }
}

const asksAt = (millis: number): Timed => ({ millis, event: { _tag: "Ask" } })
const overAt = (millis: number, words: string): Timed => ({ millis, event: { _tag: "Over", words } })
const none: TurnEvent = { _tag: "None" }

describe("the turn of a caller", () => {
  it("does not begin with silence, or with a click", () => {
    const { hear, pause, turn } = onLine()
    assert.deepStrictEqual(pause(5_000), [])
    assert.deepStrictEqual([...hear(voice, 20), ...pause(2_000)], [])
    assert.isFalse(turn.isOpen)
  })

  it("asks for its words after 200 ms of silence, and ends when its policy says so", () => {
    const { pause, speak, turn } = onLine()
    assert.deepStrictEqual(speak(1_000), [])
    assert.isTrue(turn.isOpen)
    assert.deepStrictEqual(pause(200), [asksAt(200)])
    assert.deepStrictEqual(turn.answer("Hello there."), { _tag: "Words", words: "Hello there." })
    assert.deepStrictEqual(pause(400), [overAt(200, "Hello there.")])
    assert.isFalse(turn.isOpen)
  })

  it("ends with the answer when it comes after the silence that ends it", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    assert.deepStrictEqual(pause(800), [asksAt(200)])
    assert.deepStrictEqual(turn.answer("Hello there."), { _tag: "Over", words: "Hello there." })
  })

  it("does not end before all answers are there", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    pause(200)
    speak(500)
    assert.deepStrictEqual(pause(2_000), [asksAt(200)])
    assert.deepStrictEqual(turn.answer("I need"), none)
    assert.deepStrictEqual(turn.answer("a table."), { _tag: "Over", words: "I need a table." })
  })

  it("gives no words early while an answer is due, so that none are lost", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    pause(200)
    speak(500)
    pause(220)
    assert.deepStrictEqual(turn.answer("I need"), none)
    assert.deepStrictEqual(turn.answer("a table."), { _tag: "Words", words: "I need a table." })
  })

  it("ends without words after they were taken, and says when the caller goes on", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    pause(200)
    turn.answer("I need a table.")
    turn.take()
    assert.deepStrictEqual(pause(400), [overAt(200, "")])
    speak(1_000)
    pause(200)
    turn.answer("And")
    turn.take()
    assert.deepStrictEqual(speak(500).map(({ event }) => event), [{ _tag: "WentOn" }])
    pause(200)
    turn.answer("two chairs.")
    assert.deepStrictEqual(pause(400), [overAt(200, "two chairs.")])
  })

  it("joins a voice after the question, whether its answer has come or not", () => {
    for (const isEarly of [true, false]) {
      const { pause, speak, turn } = onLine()
      speak(1_000)
      assert.deepStrictEqual(pause(300), [asksAt(200)])
      if (isEarly) turn.answer("I need a")
      speak(100)
      if (!isEarly) turn.answer("I need a")
      speak(400)
      assert.deepStrictEqual(pause(200), [asksAt(200)])
      turn.answer("table.")
      assert.deepStrictEqual(pause(400), [overAt(200, "I need a table.")])
    }
  })

  it("is dropped when nothing was said", () => {
    const { pause, speak, turn } = onLine()
    speak(300)
    pause(200)
    assert.deepStrictEqual(turn.answer(""), none)
    assert.isFalse(turn.isOpen)
    assert.deepStrictEqual(pause(5_000), [])
  })

  it("keeps its words when a cough follows them", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    pause(200)
    turn.answer("I need a table")
    speak(200)
    pause(200)
    turn.answer("")
    assert.deepStrictEqual(pause(400), [overAt(200, "I need a table")])
  })

  it("waits as long as the words that were taken ask for when a cough follows them", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    pause(200)
    turn.answer("I need a table and")
    turn.take()
    assert.deepStrictEqual(speak(200).map(({ event }) => event), [{ _tag: "WentOn" }])
    pause(200)
    assert.deepStrictEqual(turn.answer(""), { _tag: "Words", words: "" })
    turn.take()
    assert.deepStrictEqual(pause(1_200), [overAt(1_000, "")])
  })

  it("waits for 3,000 ms at most, whatever the policy says", () => {
    const { pause, speak, turn } = onLine({ endOfTurn: fixedEndOfTurn(60_000) })
    speak(1_000)
    pause(200)
    turn.answer("Hello")
    assert.deepStrictEqual(pause(4_000), [overAt(2_800, "Hello")])
  })

  it("waits for 3,000 ms when its policy gives no number or fails", () => {
    const fail = () => {
      throw new Error("broken")
    }
    for (const endOfTurn of [() => Number.NaN, () => JSON.parse("null"), fail]) {
      const { pause, speak, turn } = onLine({ endOfTurn })
      speak(1_000)
      pause(200)
      turn.answer("Hello")
      assert.deepStrictEqual(pause(4_000), [overAt(2_800, "Hello")])
    }
  })

  it("waits as long as its last words ask for", () => {
    const silences = [["I see.", 400], ["I see and", 1_200], ["It is 42", 900], ["मेरा नाम आशा है", 400], ["मेरा", 1_200]]
    for (const [words, silence] of silences) {
      const { pause, speak, turn } = onLine({ endOfTurn: endOfTurnByWords })
      speak(1_000)
      pause(200)
      turn.answer(String(words))
      assert.deepStrictEqual(pause(2_000), [overAt(Number(silence) - 200, String(words))])
    }
  })

  it("tells its policy the time from the first to the last voice", () => {
    const times: Array<number> = []
    const endOfTurn = ({ spokenMillis }: { readonly spokenMillis: number }) => {
      times.push(spokenMillis)
      return 400
    }
    const { pause, speak, turn } = onLine({ endOfTurn })
    speak(1_000)
    pause(300)
    turn.answer("Hello")
    pause(300)
    assert.isNotEmpty(times)
    for (const time of times) assert.closeTo(time, 1_000, 40)
  })

  it("asks during a voice that never pauses, and ends with the answer", () => {
    const { speak, turn } = onLine({ longestTurn: 5_000 })
    const [question, ...more] = speak(6_000)
    assert.closeTo(question?.millis ?? 0, 5_000, 40)
    assert.deepStrictEqual(more, [])
    assert.deepStrictEqual(turn.answer("and so on and"), { _tag: "Over", words: "and so on and" })
    assert.isFalse(turn.isOpen)
    speak(100)
    assert.isTrue(turn.isOpen)
  })
})

describe("frames that say nothing about the turn of a caller", () => {
  it("are counted when they are invalid", () => {
    const { hear, speak, turn } = onLine()
    speak(1_000)
    assert.deepStrictEqual(hear(new Float32Array(80), 1_000), [])
    assert.deepStrictEqual(hear(new Float32Array(160).fill(Number.NaN), 1_000), [])
    assert.strictEqual(turn.invalidFrames, 100)
    assert.isTrue(turn.isOpen)
    assert.strictEqual(turn.silentMillis, 0)
  })

  it("neither begin a turn nor lengthen its silence when they are concealed", () => {
    const { hear, pause, speak, turn } = onLine()
    assert.deepStrictEqual(hear(voice, 1_000, true), [])
    assert.isFalse(turn.isOpen)
    speak(1_000)
    pause(100)
    assert.deepStrictEqual(hear(quiet, 2_000, true), [])
    assert.strictEqual(turn.silentMillis, 100)
    assert.deepStrictEqual(pause(100), [asksAt(100)])
  })

  it("stop no turn: without frames, as on a held call, no time passes", () => {
    const { pause, speak, turn } = onLine()
    speak(1_000)
    pause(200)
    turn.answer("I need a table.")
    assert.isTrue(turn.isOpen)
    assert.strictEqual(turn.silentMillis, 200)
    assert.deepStrictEqual(pause(200), [overAt(200, "I need a table.")])
  })
})
