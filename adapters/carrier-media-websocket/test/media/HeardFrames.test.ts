import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeHeardFrames } from "../../src/media/HeardFrames.js"

const rate = 8_000

/** Sound of a frame: its number, which a frame that was given tells again. */
const frameOf = (number: number): Float32Array => new Float32Array(rate / 50).fill(number)

/** Frames of a caller whose provider stalls: after some frames, for some beats of 20 ms. */
const callWith = (stalls: ReadonlyArray<{ readonly after: number; readonly beats: number }>) => {
  const given: Array<number> = []
  let filled = 0
  const frames = makeHeardFrames(rate, (event) => {
    if (event._tag !== "Frame") return
    if (event.concealed) filled += 1
    else given.push(event.samples[0] ?? 0)
  })
  let [now, sent, late] = [0, 0, 0]
  const beat = (arrives: boolean): void => {
    now += 20
    late += 1
    for (; arrives && late > 0; late--) frames.add(frameOf(++sent), null, now)
    frames.tick(now)
  }
  for (const { after, beats } of stalls) {
    for (let count = 0; count < after; count++) beat(true)
    for (let count = 0; count < beats; count++) beat(false)
  }
  beat(true)
  return { given, filled, sent }
}

const allOf = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)

describe("the sound of a caller", () => {
  it("is filled in while none comes", () => {
    const { filled } = callWith([{ after: 10, beats: 20 }])
    assert.isAtLeast(filled, 15)
    assert.isAtMost(filled, 20)
  })

  it("is heard after a process did nothing for seconds, although messages come late and together from then on", () => {
    const { given, sent } = callWith([
      { after: 5, beats: 150 },
      ...Array.from({ length: 20 }, () => ({ after: 1, beats: 5 }))
    ])
    assert.deepStrictEqual(given, allOf(sent))
  })

  it("is filled in again after it was filled in for sound that came late", () => {
    const { filled } = callWith([{ after: 10, beats: 100 }, { after: 10, beats: 30 }])
    assert.isAtLeast(filled, 95 + 15)
  })

  it("is heard, whatever the network holds up", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.array(FastCheck.record({ after: FastCheck.nat(30), beats: FastCheck.nat(200) }), { maxLength: 12 }),
      (stalls) => {
        const { given, sent } = callWith(stalls)
        assert.deepStrictEqual(given, allOf(sent))
      }
    )))

  it("is dropped beyond two seconds that a provider is ahead of the time", () => {
    let count = 0
    const frames = makeHeardFrames(rate, () => count += 1)
    for (let number = 1; number <= 1_000; number++) frames.add(frameOf(number), null, 0)
    assert.isAtLeast(count, 100)
    assert.isAtMost(count, 102)
  })
})
