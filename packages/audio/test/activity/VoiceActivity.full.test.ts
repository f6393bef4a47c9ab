import { assert, describe, it } from "@effect/vitest"
import {
  alaw,
  concatSamples,
  type FrameActivity,
  levelsOf,
  makeVoiceActivityDetector,
  mulaw,
  type VoiceActivityDetector
} from "@trunkline/audio"
import { FastCheck } from "effect"
import { noiseOf } from "../Noise.js"
import { voiceOf } from "../Voice.js"

const rate = 8_000
const length = 160

const silence = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * rate))

/** Voices at the level of telephone speech, -20 dBFS: one without pauses, and one in syllables. */
const voices = [0, 4].map((syllables) => {
  const voice = voiceOf({ rate, seconds: 1.5, hertz: 130, syllables })
  const gain = 10 ** ((-20 - levelsOf(voice).rms) / 20)
  return voice.samples.map((sample) => sample * gain)
})

/** Noise at a level in dBFS, of even spectrum, or with more energy at low frequencies. */
const white = (length: number, level: number) => noiseOf(length, Math.sqrt(3) * 10 ** (level / 20))
const dull = (length: number, level: number) => {
  let sum = 0
  const samples = noiseOf(length, 1).map((sample) => sum = 0.9 * sum + sample)
  const gain = 10 ** ((level - levelsOf({ rate, samples }).rms) / 20)
  return samples.map((sample) => sample * gain)
}

const mixed = (one: Float32Array, other: Float32Array) => one.map((sample, at) => sample + (other[at] ?? 0))

const framesOf = (samples: Float32Array): ReadonlyArray<Float32Array> =>
  Array.from(
    { length: Math.floor(samples.length / length) },
    (_, at) => samples.subarray(at * length, (at + 1) * length)
  )

const judged = (samples: Float32Array, detector = makeVoiceActivityDetector({ rate })) =>
  framesOf(samples).map((frame) => detector.push(frame))

/** State that can be seen from outside. */
const stateOf = ({ isSpeaking, level, noise, silentMillis, voicedMillis }: VoiceActivityDetector) => ({
  isSpeaking,
  level,
  noise,
  silentMillis,
  voicedMillis
})

/** Seconds at which the clean voice first is as loud as the noise. */
const audibleAt = (samples: Float32Array, noise: number): number => {
  const step = 40
  for (let at = 0; at < samples.length; at += step) {
    if (levelsOf({ rate, samples: samples.subarray(at, at + step) }).rms >= noise) return at / rate
  }
  return Infinity
}

const firstSpeech = (activities: ReadonlyArray<FrameActivity>) => (activities.indexOf("speech") + 1) * 0.02

describe.each([["mu-law", mulaw], ["A-law", alaw]])("voice activity through %s", (_, law) => {
  const coded = (samples: Float32Array) => law.decode(law.encode(samples))

  describe.each([["white", white], ["dull", dull]])("in %s noise", (_, noise) => {
    it.each([10, 15, 20, 30])("is found within 60 ms at %i dB, and ends after its hangover", (snr) => {
      for (const voice of voices) {
        for (const before of [0.5, 1.005, 2.013]) {
          const clean = concatSamples([silence(before), voice, silence(1)])
          const activities = judged(coded(mixed(clean, noise(clean.length, -20 - snr))))
          const begins = audibleAt(clean, -20 - snr)
          assert.isAtLeast(firstSpeech(activities), begins)
          assert.isAtMost(firstSpeech(activities) - begins, 0.0601, `${before}`)
          const end = (activities.lastIndexOf("speech") + 1) * 0.02
          assert.closeTo(end, before + 1.5, 0.13)
        }
      }
    })

    it("is never found where there is none", () => {
      for (const level of [-25, -30, -40, -50, -60, -70]) {
        assert.notInclude(judged(coded(noise(60 * rate, level))), "speech", `${level}`)
      }
    })

    it("is not found in noise that grows, and is found above it", () => {
      const grown = noise(8 * rate, -30).map((sample, at) => sample * 10 ** (Math.min(0, at / rate - 6) * 5 / 20))
      const clean = concatSamples([silence(7), voices[0] ?? silence(1)]).subarray(0, 8 * rate)
      assert.notInclude(judged(coded(grown)), "speech")
      assert.closeTo(firstSpeech(judged(coded(mixed(clean, grown)))), 7.05, 0.06)
    })
  })

  it("is found on a line without noise, from the first words after 100 ms", () => {
    const activities = judged(coded(concatSamples([silence(0.1), voices[0] ?? silence(1), silence(0.5)])))
    assert.deepStrictEqual(activities.slice(0, 5), Array(5).fill("none"))
    assert.closeTo(firstSpeech(activities), 0.14, 0.021)
  })
})

describe("a voice activity detector", () => {
  const [vowel = silence(1), syllables = silence(1)] = voices

  it("counts 200 ms of voice within 300 for a voice, and never for clicks", () => {
    const detector = makeVoiceActivityDetector({ rate })
    judged(white(rate, -45), detector)
    const counts = framesOf(mixed(vowel, white(vowel.length, -45))).map((frame) => {
      detector.push(frame)
      return detector.voicedMillis
    })
    assert.deepStrictEqual(counts.slice(0, 16), Array.from({ length: 16 }, (_, at) => Math.min(15, at + 1) * 20))
    const clicks = white(2 * rate, -45)
    for (let at = 0; at < clicks.length; at += 1_600) clicks.fill(0.9, at, at + 40)
    judged(clicks.subarray(0, rate / 2), detector)
    const after = framesOf(clicks).map((frame) => {
      detector.push(frame)
      return detector.voicedMillis
    })
    assert.isBelow(Math.max(...after), 100)
  })

  it("counts silence from the last frame with a voice, and goes on for 80 ms", () => {
    const detector = makeVoiceActivityDetector({ rate })
    assert.strictEqual(detector.silentMillis, Infinity)
    judged(concatSamples([white(rate, -50), vowel.subarray(0, rate)]), detector)
    assert.strictEqual(detector.silentMillis, 0)
    const activities = framesOf(white(rate / 10, -50)).map((frame) => [detector.push(frame), detector.silentMillis])
    assert.deepStrictEqual(activities, [
      ["speech", 20],
      ["speech", 40],
      ["speech", 60],
      ["speech", 80],
      ["silence", 100]
    ])
  })

  it("holds the noise level while somebody speaks", () => {
    const detector = makeVoiceActivityDetector({ rate })
    judged(white(rate, -45), detector)
    const { noise } = detector
    judged(mixed(concatSamples([syllables, syllables, syllables]), white(36_000, -45)), detector)
    assert.closeTo(detector.noise, noise, 1.5)
  })

  it("gives noise up as speech that begins at once and stays, after 20 seconds", () => {
    const activities = judged(concatSamples([white(rate, -60), white(25 * rate, -35)]))
    assert.strictEqual(activities[20 * 50], "speech")
    assert.strictEqual(activities.at(-1), "silence")
  })

  it("rejects frames of another length, and samples that are not numbers, without a change", () => {
    const detector = makeVoiceActivityDetector({ rate })
    judged(white(rate, -45), detector)
    const before = stateOf(detector)
    const broken = [Number.NaN, Infinity, -Infinity].map((sample) => new Float32Array(length).fill(sample, 3, 4))
    for (const frame of [new Float32Array(), new Float32Array(159), new Float32Array(320), ...broken]) {
      assert.strictEqual(detector.push(frame), "invalid")
    }
    assert.deepStrictEqual(stateOf(detector), before)
    assert.strictEqual(makeVoiceActivityDetector({ rate: 16_000 }).push(new Float32Array(320)), "none")
  })

  it.prop(
    "judges the same frames alike, whatever concealed and invalid frames stand between them",
    [FastCheck.array(FastCheck.constantFrom("quiet", "loud", "hole", "invalid"), { maxLength: 300, size: "max" })],
    ([kinds]) => {
      const [detector, other] = [makeVoiceActivityDetector({ rate }), makeVoiceActivityDetector({ rate })]
      const quiet = framesOf(white(40 * rate, -45))
      const loud = framesOf(vowel)
      for (const [index, kind] of kinds.entries()) {
        if (kind === "hole") assert.strictEqual(detector.push(new Float32Array(length), true), "none")
        else if (kind === "invalid") assert.strictEqual(detector.push(new Float32Array(1)), "invalid")
        else {
          const frame = (kind === "quiet" ? quiet[index] : loud[index % loud.length]) ?? new Float32Array(length)
          const activity = detector.push(frame)
          assert.strictEqual(activity, other.push(frame))
          if (activity !== "none") assert.strictEqual(detector.isSpeaking, activity === "speech")
        }
        assert.deepStrictEqual(stateOf(detector), stateOf(other))
        assert.isAtMost(detector.voicedMillis, 300)
        assert.isTrue(detector.noise >= -60 && detector.noise <= 0)
      }
    }
  )
})
