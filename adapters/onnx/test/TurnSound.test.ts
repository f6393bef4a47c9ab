import { assert, describe, it } from "@effect/vitest"
import { makeTurnSound } from "../src/TurnSound.js"

const rate = 1_000

/** A frame of 20 ms with one value. */
const frame = (value: number): Float32Array => new Float32Array(20).fill(value)

describe("the sound of a turn", () => {
  it("begins 200 ms before its first voice", () => {
    const sound = makeTurnSound(rate, 8)
    for (let at = 0; at < 50; at++) sound.push(frame(0))
    sound.push(frame(0.5))
    sound.begin()
    sound.push(frame(0.25))
    const copy = sound.copy()
    assert.lengthOf(copy, 220)
    assert.strictEqual(copy[179], 0)
    assert.closeTo(copy[180] ?? 0, 0.5, 1e-4)
    assert.closeTo(copy[219] ?? 0, 0.25, 1e-4)
  })

  it("is as long as is kept, and the latest of it, for a turn that is longer", () => {
    const sound = makeTurnSound(rate, 1)
    sound.begin()
    for (let at = 0; at < 75; at++) sound.push(frame(at / 100))
    const copy = sound.copy()
    assert.lengthOf(copy, 1_000)
    assert.closeTo(copy[0] ?? 0, 0.25, 1e-4)
    assert.closeTo(copy[999] ?? 0, 0.74, 1e-4)
  })

  it("has no values beyond the range of samples", () => {
    const sound = makeTurnSound(rate, 1)
    sound.begin()
    sound.push(frame(7))
    sound.push(frame(-7))
    assert.deepStrictEqual([...new Set(sound.copy())], [1, -1])
  })
})
