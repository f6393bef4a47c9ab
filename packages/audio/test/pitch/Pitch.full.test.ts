import { assert, describe, it } from "@effect/vitest"
import { concatSamples, medianPitch, readWav, SampleRate, syllableRate } from "@trunkline/audio"
import { toneOf } from "@trunkline/audio/testing"
import { Either } from "effect"
import { noiseOf } from "../Noise.js"
import { isInstalled, output } from "../Tools.js"
import { voiceOf } from "../Voice.js"

const espoken = (text: string, ...args: ReadonlyArray<string>) =>
  Either.getOrThrow(readWav(output("espeak-ng", [...args, "--stdout", text]), { seconds: 60 }))

const sentence = "The quick brown fox jumps over the lazy dog, and then it runs away into the dark forest."

describe("pitch", () => {
  it.each([...SampleRate.literals, 11_025])("of voices from 60 to 400 Hz is accurate to 2 percent at %i", (rate) => {
    for (let hertz = 60, syllables = 0; hertz <= 400; hertz *= 1.08, syllables = 4 - syllables) {
      const pitch = medianPitch(voiceOf({ rate, seconds: 0.5, hertz, syllables }))
      assert.closeTo(pitch ?? 0, hertz, hertz * 0.02)
    }
  })

  it("is the median of a gliding voice, despite surrounding silence", () => {
    const { samples } = voiceOf({ rate: 24_000, seconds: 2, hertz: 180, glide: 0.2, syllables: 3 })
    const silence = new Float32Array(48_000)
    const pitch = medianPitch({ rate: 24_000, samples: concatSamples([silence, samples, silence]) })
    assert.closeTo(pitch ?? 0, 180, 9)
  })

  it("is detected in noise", () => {
    const { samples } = voiceOf({ rate: 16_000, seconds: 2, hertz: 110, syllables: 4 })
    const noise = noiseOf(samples.length, 0.05)
    const pitch = medianPitch({ rate: 16_000, samples: samples.map((sample, at) => sample + (noise[at] ?? 0)) })
    assert.closeTo(pitch ?? 0, 110, 2.2)
  })

  it("is null for noise, silence, an offset, a whistle and very short audio", () => {
    const recordings = [
      { rate: 16_000, samples: noiseOf(32_000, 0.5) },
      { rate: 16_000, samples: new Float32Array(32_000) },
      { rate: 16_000, samples: new Float32Array(32_000).fill(0.4) },
      { rate: 16_000, samples: new Float32Array() },
      toneOf({ rate: 16_000, seconds: 2, hertz: 1_000, level: 0.5 }),
      voiceOf({ rate: 16_000, seconds: 0.05, hertz: 120 })
    ]
    assert.deepStrictEqual(recordings.map(medianPitch), recordings.map(() => null))
  })

  it.skipIf(!isInstalled("espeak-ng"))("of espeak rises as it is told to speak higher", () => {
    const pitches = ["20", "50", "80"].map((pitch) => medianPitch(espoken(sentence, "-v", "en-gb", "-p", pitch)) ?? 0)
    assert.isAbove(pitches[0] ?? 0, 55)
    assert.isAbove(pitches[1] ?? 0, (pitches[0] ?? 0) * 1.15)
    assert.isAbove(pitches[2] ?? 0, (pitches[1] ?? 0) * 1.15)
    assert.isBelow(pitches[2] ?? 999, 170)
  })
})

describe("syllableRate", () => {
  it.each([2, 3, 4, 5, 6])("counts %i syllables per second", (syllables) => {
    for (const rate of [8_000, 22_050, 44_100]) {
      const { samples } = voiceOf({ rate, seconds: 4, hertz: 130, syllables })
      const silence = new Float32Array(2 * rate)
      const counted = syllableRate({ rate, samples: concatSamples([silence, samples, silence, samples]) })
      assert.closeTo(counted ?? 0, syllables, syllables * 0.1)
    }
  })

  it("is one for a long vowel, and null without speech", () => {
    const long = syllableRate(voiceOf({ rate: 16_000, seconds: 4, hertz: 130 }))
    assert.closeTo(long ?? 0, 0.25, 0.01)
    assert.isNull(syllableRate({ rate: 16_000, samples: new Float32Array(16_000) }))
  })

  it.skipIf(!isInstalled("espeak-ng"))("are about those of a sentence that espeak speaks", () => {
    // The sentence has 23 syllables.
    for (const speed of ["110", "150", "190"]) {
      const audio = espoken(sentence, "-v", "en-gb", "-s", speed)
      const spoken = 23 / (syllableRate(audio) ?? 1)
      assert.closeTo(spoken, audio.samples.length / audio.rate, 0.25 * spoken, speed)
    }
  })
})
