import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeSileroWindows, type SileroRate, windowSizes } from "../src/SileroWindows.js"

/** Sound whose samples are their own places, from 1 on. */
const soundOf = (rate: SileroRate, frames: number): ReadonlyArray<Float32Array> => {
  const length = rate / 50
  return Array.from(
    { length: frames },
    (_, frame) => Float32Array.from({ length }, (_, at) => frame * length + at + 1)
  )
}

describe.each([8_000, 16_000] as const)("windows at %i Hz", (rate) => {
  const { context, window } = windowSizes(rate)
  const size = context + window

  it.prop(
    "follow each other without a gap, each with the end of the one before, from 64 ms before the first frame",
    [FastCheck.integer({ min: 0, max: 30 }), FastCheck.integer({ min: 1, max: 40 })],
    ([before, during]) => {
      const windows = makeSileroWindows(rate)
      assert.strictEqual(windows.size, size)
      const frames = soundOf(rate, before + during)
      frames.slice(0, before).forEach(windows.remember)
      const sound = frames.slice(before).flatMap((frame, index) =>
        Array.from(index === 0 ? windows.begin(frame) : windows.goOn(frame))
      )
      const first = (before + 1) * rate / 50 - 2 * window - context + 1
      const expected = Array.from(
        { length: sound.length / size },
        (_, index) => Array.from({ length: size }, (_, at) => Math.max(0, first + index * window + at))
      )
      assert.deepStrictEqual(sound, expected.flat())
      const heard = 2 * window + (during - 1) * rate / 50
      assert.strictEqual(sound.length / size, Math.floor(heard / window))
    }
  )
})
