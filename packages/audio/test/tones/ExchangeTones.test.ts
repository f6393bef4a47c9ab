import { assert, describe, it } from "@effect/vitest"
import { alaw, concatSamples, type ExchangeTone, makeExchangeToneDetector, mulaw } from "@trunkline/audio"
import { FastCheck } from "effect"
import { noiseOf } from "../Noise.js"
import { voiceOf } from "../Voice.js"
import { chord, framesOf, information, rate, rhythm, silence } from "./ToneSounds.js"

const heardIn = (samples: Float32Array): ExchangeTone | null => {
  const detector = makeExchangeToneDetector({ rate })
  for (const frame of framesOf(samples)) detector.push(frame)
  return detector.tone
}

const withNoise = (samples: Float32Array, level: number): Float32Array => {
  const noise = noiseOf(samples.length, Math.sqrt(3) * 10 ** (level / 20))
  return samples.map((sample, at) => sample + (noise[at] ?? 0))
}

/** Busy tones of ITU-T E.180, supplement 2. */
const busy: ReadonlyArray<readonly [string, Float32Array]> = [
  ["India", rhythm([400], [0.75, 0.75], 5)],
  ["most of Europe", rhythm([425], [0.5, 0.5], 5)],
  ["the United Kingdom", rhythm([400], [0.375, 0.375], 5)],
  ["North America", rhythm([480, 620], [0.5, 0.5], 5)],
  ["China", rhythm([450], [0.35, 0.35], 5)],
  ["exchanges with 440 Hz", rhythm([440], [0.5, 0.5], 5)]
]

const congestion: ReadonlyArray<readonly [string, Float32Array]> = [
  ["India", rhythm([400], [0.25, 0.25], 6)],
  ["most of Europe", rhythm([425], [0.25, 0.25], 6)],
  ["North America", rhythm([480, 620], [0.25, 0.25], 6)],
  ["Italy", rhythm([425], [0.2, 0.2], 6)]
]

/** Tone whose loudness varies 25 times a second, as that of ringing in India. */
const modulated = (seconds: number) =>
  chord([400], seconds).map((sample, at) => sample * (1 + 0.8 * Math.sin(2 * Math.PI * 25 * at / rate)) / 1.8)

const repeated = (parts: ReadonlyArray<Float32Array>, times: number) =>
  concatSamples(Array.from({ length: times }, () => parts).flat())

const others: ReadonlyArray<readonly [string, Float32Array]> = [
  ["ringing in India", repeated([modulated(0.4), silence(0.2), modulated(0.4), silence(2)], 8)],
  ["ringing in pairs", rhythm([400, 450], [0.4, 0.2, 0.4, 2], 8)],
  ["ringing of one second", rhythm([425], [1, 4], 8)],
  ["ringing in North America", rhythm([440, 480], [2, 4], 6)],
  ["a tone without an end", chord([425], 20)],
  ["call waiting", rhythm([425], [0.2, 0.6, 0.2, 4], 6)],
  ["a number that does not exist, by its long tone", rhythm([400], [2.5, 0.5], 6)],
  ["silence", silence(20)],
  ["noise", noiseOf(20 * rate, 0.2)],
  ["noise on and off", repeated([noiseOf(0.5 * rate, 0.2), silence(0.5)], 10)],
  ["other tones on and off", rhythm([1_000], [0.5, 0.5], 10)],
  ["two tones on and off", rhythm([697, 1_209], [0.25, 0.25], 10)],
  ["a voice", voiceOf({ rate, seconds: 20, hertz: 130, glide: 0.1, syllables: 4 }).samples],
  ["a high voice in even words", voiceOf({ rate, seconds: 20, hertz: 215, syllables: 2 }).samples],
  ["three falling tones", information([1_800, 1_400, 950])],
  ["three rising tones that are too long", information([950, 1_400, 1_800], [1, 1, 1])]
]

describe("the tones of exchanges", () => {
  it("are recognized by their frequencies and rhythms", () => {
    for (const [country, sound] of busy) assert.strictEqual(heardIn(sound), "busy", country)
    for (const [country, sound] of congestion) assert.strictEqual(heardIn(sound), "congestion", country)
  })

  it("are recognized in noise, faint or loud, and through both laws", () => {
    for (const [country, sound] of busy) {
      assert.strictEqual(heardIn(withNoise(sound, -35)), "busy", country)
      assert.strictEqual(heardIn(sound.map((sample) => sample / 10)), "busy", country)
      for (const { decode, encode } of [mulaw, alaw]) {
        assert.strictEqual(heardIn(decode(encode(sound))), "busy", country)
      }
    }
  })

  it("are recognized wherever their frames begin, between an announcement and its end", () => {
    const voice = voiceOf({ rate, seconds: 4, hertz: 180, syllables: 4 }).samples
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(159), FastCheck.constantFrom(...busy), (offset, [country, sound]) => {
        const samples = concatSamples([new Float32Array(offset), voice, silence(0.5), sound, silence(1)])
        assert.strictEqual(heardIn(samples), "busy", country)
      })
    )
  })

  it("are three rising tones before an announcement", () => {
    assert.strictEqual(heardIn(information([950, 1_400, 1_800])), "information")
    assert.strictEqual(heardIn(information([913.8, 1_370.6, 1_776.7], [0.274, 0.274, 0.38])), "information")
    assert.strictEqual(heardIn(information([985.2, 1_428.5, 1_776.7], [0.38, 0.274, 0.38])), "information")
    assert.strictEqual(heardIn(withNoise(information([950, 1_400, 1_800]), -35)), "information")
  })

  it("are neither ringing nor a voice, nor anything else", () => {
    for (const [name, sound] of others) {
      assert.isNull(heardIn(sound), name)
      assert.isNull(heardIn(withNoise(sound, -40)), `${name}, with noise`)
    }
  })

  it("are no rhythm after two repeats, and are none when their rhythm changes", () => {
    assert.isNull(heardIn(rhythm([425], [0.5, 0.5], 3)))
    assert.isNull(heardIn(rhythm([425], [0.5, 0.5, 0.25, 0.25], 6)))
  })

  it("survive lost frames that were filled in", () => {
    const detector = makeExchangeToneDetector({ rate })
    const noise = noiseOf(160, 0.3)
    framesOf(rhythm([400], [0.75, 0.75], 6)).forEach((frame, at) => {
      if (at % 20 === 7) detector.push(noise, true)
      else detector.push(frame)
    })
    assert.strictEqual(detector.tone, "busy")
  })
})
