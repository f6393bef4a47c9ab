import { assert, describe, it } from "@effect/vitest"
import {
  type Audio,
  concatSamples,
  durationOf,
  padSilence,
  speechShare,
  speechSpans,
  speechStart,
  trimSilence
} from "@trunkline/audio"
import { toneOf } from "@trunkline/audio/testing"
import { FastCheck } from "effect"
import { noiseOf } from "../Noise.js"
import { voiceOf } from "../Voice.js"

const rate = 16_000

const silence = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * rate))

const voice = (seconds: number): Float32Array => voiceOf({ rate, seconds, hertz: 120, syllables: 4 }).samples

/** Concatenates chunks over noise of a level. */
const over = (noise: number, ...pieces: ReadonlyArray<Float32Array>): Audio => {
  const samples = concatSamples(pieces)
  const around = noiseOf(samples.length, noise)
  return { rate, samples: samples.map((sample, at) => sample + (around[at] ?? 0)) }
}

const spansOf = (audio: Audio) => speechSpans(audio).map(({ from, to }) => [from / rate, to / rate] as const)

/** Asserts the start and end of spans to within a tolerance in seconds. */
const assertSpans = (audio: Audio, expected: ReadonlyArray<readonly [number, number]>, message?: string) => {
  const spans = spansOf(audio)
  assert.strictEqual(spans.length, expected.length, message)
  spans.forEach(([from, to], index) => {
    assert.closeTo(from, expected[index]?.[0] ?? -1, 0.06, message)
    assert.closeTo(to, expected[index]?.[1] ?? -1, 0.09, message)
  })
}

describe("speech", () => {
  it.each([0, 0.0003, 0.003, 0.02])("is detected between silences, over noise of %f", (noise) => {
    const audio = over(noise, silence(0.7), voice(1), silence(0.8), voice(1.5), silence(0.5))
    assertSpans(audio, [[0.7, 1.7], [2.5, 4]])
    assert.closeTo(speechShare(audio), 2.5 / 4.5, 0.06)
    assert.closeTo(speechStart(audio), 0.7, 0.06)
  })

  it("is detected while the noise grows louder", () => {
    const audio = over(0, silence(0.7), voice(1), silence(1.4), voice(1), silence(0.7))
    const around = noiseOf(audio.samples.length, 0.02)
    const samples = audio.samples.map((sample, at) =>
      sample + (around[at] ?? 0) * 0.02 ** (1 - at / audio.samples.length)
    )
    assertSpans({ rate, samples }, [[0.7, 1.7], [3.1, 4.1]])
  })

  it("is detected at any rate, and at the edges of audio", () => {
    for (const rate of [8_000, 11_025, 44_100]) {
      const { samples } = voiceOf({ rate, seconds: 2, hertz: 200, syllables: 4 })
      const [span, ...others] = speechSpans({
        rate,
        samples: concatSamples([samples, new Float32Array(rate), samples])
      })
      assert.isAtMost(span?.from ?? 9, 0.06 * rate)
      assert.closeTo(span?.to ?? 0, 2 * rate, 0.09 * rate)
      assert.closeTo(others[0]?.to ?? 0, 5 * rate, 0.09 * rate)
    }
  })

  it("continues over short pauses, and is not detected in a click", () => {
    assertSpans(over(0.001, silence(0.5), voice(0.7), silence(0.15), voice(0.7), silence(0.5)), [[0.5, 2.05]])
    const click = silence(1)
    click.fill(0.9, 8_000, 8_150)
    assertSpans(over(0.001, click, voice(1), silence(0.5)), [[1, 2]])
  })

  it("is not detected in silence, inaudible audio and an offset", () => {
    const silences = [silence(2), silence(0), noiseOf(2 * rate, 0.001), silence(2).fill(0.5), silence(0.005).fill(0.1)]
    for (const samples of silences) {
      assert.deepStrictEqual(speechSpans({ rate, samples }), [])
      assert.strictEqual(speechShare({ rate, samples }), 0)
      assert.strictEqual(speechStart({ rate, samples }), 0)
    }
  })

  it("covers all of audio with constant level", () => {
    assert.strictEqual(speechShare(toneOf({ rate, seconds: 1, hertz: 440, level: 0.5 })), 1)
  })
})

describe("trimming", () => {
  it("keeps speech and a margin at both ends", () => {
    const audio = over(0.0005, silence(1), voice(2), silence(1.5))
    assert.closeTo(durationOf(trimSilence(audio)), 2.1, 0.1)
    assert.closeTo(speechStart(trimSilence(audio)), 0.05, 0.01)
    assert.closeTo(durationOf(trimSilence(audio, { margin: 0.3 })), 2.6, 0.1)
    assert.closeTo(durationOf(trimSilence(audio, { margin: 0 })), 2, 0.1)
  })

  it("keeps audio without silence at its ends, and pauses within speech", () => {
    const audio = over(0, voice(1), silence(1), toneOf({ rate, seconds: 1, hertz: 300, level: 0.4 }).samples)
    assert.deepStrictEqual(trimSilence(audio), audio)
  })

  it.prop(
    "never returns empty audio for non-empty input, nor anything but a section of it",
    [FastCheck.array(FastCheck.tuple(FastCheck.nat(2_000), FastCheck.double({ min: 0, max: 1, noNaN: true })), {
      maxLength: 8
    })],
    ([parts]) => {
      const audio = { rate: 8_000, samples: concatSamples(parts.map(([length, level]) => noiseOf(length, level ** 4))) }
      const { samples } = trimSilence(audio)
      assert.strictEqual(samples.length > 0, audio.samples.length > 0)
      const from = audio.samples.findIndex((_, at) =>
        samples.every((sample, index) => sample === audio.samples[at + index])
      )
      assert.isAtLeast(from, samples.length === 0 ? -1 : 0)
    },
    { fastCheck: { numRuns: 50 } }
  )
})

describe("padding", () => {
  it("appends silence up to exactly the given length, and never shortens", () => {
    const audio = { rate, samples: Float32Array.of(0.5, -0.5) }
    assert.deepStrictEqual(padSilence(audio, 4), { rate, samples: Float32Array.of(0.5, -0.5, 0, 0) })
    assert.deepStrictEqual(padSilence(audio, 1), audio)
  })
})
