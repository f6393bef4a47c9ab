import { assert, describe, it } from "@effect/vitest"
import { makeSileroJudge } from "../src/SileroJudge.js"

const frame = new Float32Array(160)

/** A call at 8 kHz whose model hears each window with the next probability, once `answer` is called. */
const onCall = ({ always = false } = {}) => {
  const asked: Array<{ readonly query: number; readonly count: number }> = []
  const judge = makeSileroJudge({
    always,
    rate: 8_000,
    ask: (query, windows, count) => {
      assert.strictEqual(windows.length, count * 288)
      asked.push({ query, count })
    }
  })
  return {
    asked,
    /** Verdicts on frames at a distance from the noise. */
    hear: (aboveNoise: number, frames = 1) =>
      Array.from({ length: frames }, () => judge.judge(frame, aboveNoise, aboveNoise >= 7)),
    /** Answers all that was asked with one probability. */
    answer: (probability: number) => {
      for (const { query, count } of asked.splice(0)) judge.answer(query, Array<number>(count).fill(probability))
    }
  }
}

describe("frames that energy is sure of", () => {
  it("are not asked for: those near the noise, and loud ones in speech that was heard", () => {
    const { answer, asked, hear } = onCall()
    assert.deepStrictEqual(hear(1, 50), Array(50).fill(false))
    assert.isEmpty(asked)
    hear(30)
    assert.deepStrictEqual(asked, [{ query: 1, count: 2 }])
    answer(0.9)
    hear(30, 4)
    asked.length = 0
    assert.deepStrictEqual(hear(30, 50), Array(50).fill(true))
    assert.isEmpty(asked)
  })

  it("are asked for again in speech after a fifth of a second without a voice", () => {
    const { answer, asked, hear } = onCall()
    hear(30)
    answer(0.9)
    hear(30, 10)
    hear(0, 10)
    asked.length = 0
    hear(30)
    assert.deepStrictEqual(asked, [{ query: 2, count: 2 }])
  })
})

describe("frames in doubt", () => {
  it("are heard with the 64 ms before them, and then window by window", () => {
    const { asked, hear } = onCall()
    hear(0, 20)
    hear(5, 8)
    assert.deepStrictEqual(asked.map(({ count }) => count), [2, 1, 1, 1, 1])
  })

  it("have a voice when the model hears one, below the level at which a voice begins too", () => {
    const { answer, hear } = onCall()
    assert.deepStrictEqual(hear(5), [false])
    answer(0.6)
    assert.deepStrictEqual(hear(5), [true])
    answer(0.4)
    assert.deepStrictEqual(hear(5), [true], "a voice goes on down to 0.35")
    answer(0.3)
    assert.deepStrictEqual(hear(5, 2), [false, false])
  })

  it("have none when the model hears none, though they are loud", () => {
    const { answer, hear } = onCall()
    assert.deepStrictEqual(hear(10), [true], "energy decides until the first answer")
    answer(0.1)
    assert.deepStrictEqual(hear(10), [false])
  })

  it("far above the noise get three windows to become a voice", () => {
    const { answer, hear } = onCall()
    hear(30)
    answer(0.1)
    assert.deepStrictEqual(hear(30, 2), [true, true])
    answer(0.1)
    assert.deepStrictEqual(hear(30), [false])
  })

  it("are judged by energy when no answer comes for 200 ms, and when the model is too slow", () => {
    const { answer, asked, hear } = onCall()
    hear(10)
    answer(0.1)
    const verdicts = hear(10, 30)
    assert.deepStrictEqual(verdicts.slice(0, 9), Array(9).fill(false))
    assert.deepStrictEqual(verdicts.slice(12), Array(18).fill(true))
    assert.isAtMost(asked.reduce((sum, { count }) => sum + count, 0), 30)
  })

  it("ignore answers to an earlier query", () => {
    const { asked, answer, hear } = onCall()
    hear(5)
    const [first] = asked.splice(0)
    hear(0, 20)
    hear(5)
    assert.strictEqual(first?.query, 1)
    answer(0.9)
    assert.deepStrictEqual(hear(5), [true])
  })
})

it("asks for every frame when it is always asked", () => {
  const { answer, asked, hear } = onCall({ always: true })
  hear(0, 50)
  assert.isAtLeast(asked.reduce((sum, { count }) => sum + count, 0), 9)
  // A model that was behind is asked anew once it has caught up.
  answer(0.9)
  hear(0)
  answer(0.9)
  assert.deepStrictEqual(hear(0), [true])
})

describe("a model that is too slow", () => {
  it("is not asked for more than eight windows ahead, however often a doubt begins anew", () => {
    const { asked, hear } = onCall()
    for (let doubt = 0; doubt < 10; doubt++) {
      hear(5, 4)
      hear(0, 5)
    }
    const windows = asked.reduce((sum, { count }) => sum + count, 0)
    assert.isAtMost(windows, 8 + 2, "a first request has two windows")
  })

  it("is asked again once it has caught up", () => {
    const { answer, asked, hear } = onCall()
    for (let doubt = 0; doubt < 10; doubt++) {
      hear(5, 4)
      hear(0, 5)
    }
    answer(0.1)
    hear(5)
    assert.isNotEmpty(asked)
  })
})
