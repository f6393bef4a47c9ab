import { assert, describe, it } from "@effect/vitest"
import { makeVoiceActivityDetector } from "@trunkline/audio"
import { endOfTurnByModel, endOfTurnByWords, type TurnJudge, turnTakingDefaults } from "@trunkline/turn-taking"
import { makeTurnDetector } from "../src/TurnDetector.js"

const quiet = new Float32Array(160)
const voice = Float32Array.from({ length: 160 }, (_, at) => 0.3 * Math.sin(at * 0.7))

/** A line whose judge is answered by the test. */
const onLine = () => {
  const answers: Array<(completion: number) => void> = []
  let [begun, frames] = [0, 0]
  const judge: TurnJudge = {
    begin: () => {
      begun += 1
    },
    push: () => {
      frames += 1
    },
    ask: (answer) => void answers.push(answer)
  }
  const turn = makeTurnDetector(makeVoiceActivityDetector({ rate: 8_000 }), turnTakingDefaults, judge)
  const hear = (samples: Float32Array, millis: number) => {
    for (let at = 0; at < millis; at += 20) turn.push(samples, false)
  }
  hear(quiet, 200)
  return {
    turn,
    answers,
    speak: (millis: number) => hear(voice, millis),
    pause: (millis: number) => hear(quiet, millis),
    counts: () => ({ begun, frames })
  }
}

/** A turn whose words and sound are told after 200 ms of silence, which then goes on. */
const endOf = (words: string, completion: number) => {
  const { answers, pause, speak, turn } = onLine()
  speak(1_000)
  pause(200)
  answers[0]?.(completion)
  turn.answer(words)
  pause(2_000)
  return turn.end()
}

describe("the end of a turn with a model of its sound", () => {
  it("comes sooner when words and sound are complete, and later when the sound goes on", () => {
    assert.deepInclude(endOf("I need a table.", 0.9), { required_ms: 300, completeness: "finished", completion: 0.9 })
    assert.deepInclude(endOf("I need a table.", 0.1), { required_ms: 1_000, completeness: "finished", completion: 0.1 })
    assert.deepInclude(endOf("I need a table and", 0.9), { required_ms: 700, completeness: "unfinished" })
    assert.deepInclude(endOf("I need a table and", 0.1), { required_ms: 1_600, completeness: "unfinished" })
    assert.deepInclude(endOf("My number is 98765", 0.9), { required_ms: 900, completeness: "number" })
  })

  it("is that of the words until the model has answered, and when it gives no probability", () => {
    for (const words of ["Hello there.", "and so", "at 7", ""]) {
      const pause = { words, spokenMillis: 1_000, completion: null }
      assert.deepStrictEqual(endOfTurnByModel(pause), endOfTurnByWords(pause))
    }
    for (const wrong of [Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY]) {
      const end = endOf("I need a table.", wrong)
      assert.deepInclude(end, { required_ms: 400 })
      assert.notProperty(end, "completion")
    }
  })

  it("asks once a pause, and takes no answer for a pause that is over", () => {
    const { answers, counts, pause, speak, turn } = onLine()
    speak(1_000)
    pause(300)
    assert.lengthOf(answers, 1)
    speak(500)
    answers[0]?.(0.9)
    turn.answer("I need a table")
    pause(200)
    assert.lengthOf(answers, 2)
    answers[0]?.(0.9)
    turn.answer("for two.")
    pause(340)
    assert.isNotNull(turn.end())
    assert.notProperty(turn.end(), "completion")
    assert.strictEqual(counts().begun, 1)
    assert.strictEqual(counts().frames, (200 + 1_000 + 300 + 500 + 200 + 340) / 20)
    speak(400)
    assert.strictEqual(counts().begun, 2)
  })
})
