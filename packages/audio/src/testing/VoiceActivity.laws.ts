import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import type { VoiceActivityDetector } from "../activity/VoiceActivity.js"
import { VoiceActivityDetection } from "../activity/VoiceActivityDetection.js"
import { frameMillis } from "../Frame.js"
import { levelsOf } from "../levels/Levels.js"

/** Properties of the tested layer. */
export interface VoiceActivityLaws {
  /** A second or more of a voice without pauses of 200 ms, which begins and ends audibly, at a rate in hertz. */
  readonly voiceAt: (rate: number) => Float32Array
  /** Waits until a detector has made up its mind about the frames so far; by default it has at once. */
  readonly settle?: Effect.Effect<void>
}

/** Speech on a phone line, and the quietest noise that counts as audible there, in dBFS. */
const speechLevel = -20
const noiseLevel = -50

const atLevel = (samples: Float32Array, rate: number, level: number): Float32Array => {
  const gain = 10 ** ((level - levelsOf({ rate, samples }).rms) / 20)
  return samples.map((sample) => sample * gain)
}

/** Noise of even spectrum, the same each time. */
const noiseOf = (length: number, rate: number): Float32Array => {
  let state = 12_345
  const samples = Float32Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 1_073_741_824 - 1
  })
  return atLevel(samples, rate, noiseLevel)
}

const stateOf = ({ isSpeaking, level, noise, silentMillis, voicedMillis }: VoiceActivityDetector) => ({
  isSpeaking,
  level,
  noise,
  silentMillis,
  voicedMillis
})

/** A call: noise, then the voice, then noise, as frames. */
const callOf = (rate: number, voice: Float32Array) => {
  const length = rate * frameMillis / 1_000
  const before = rate
  const clean = new Float32Array(before + voice.length + rate)
  clean.set(atLevel(voice, rate, speechLevel), before)
  const noise = noiseOf(clean.length, rate)
  const samples = clean.map((sample, at) => sample + (noise[at] ?? 0))
  return Array.from({ length: Math.floor(samples.length / length) }, (_, frame) => ({
    samples: samples.subarray(frame * length, (frame + 1) * length),
    /** Milliseconds from the beginning of the voice to the end of the frame. */
    millis: (frame + 1) * frameMillis - 1_000
  }))
}

/** Laws of `VoiceActivityDetection` for a layer. */
export const voiceActivityLaws = <E>(
  name: string,
  live: Layer.Layer<VoiceActivityDetection, E>,
  { settle = Effect.void, voiceAt }: VoiceActivityLaws
) =>
  layer(live, { excludeTestServices: true })(`VoiceActivityDetection laws: ${name}`, (it) => {
    const openDetector = (
      rate: number
    ): Effect.Effect<VoiceActivityDetector, never, VoiceActivityDetection | Scope.Scope> =>
      Effect.flatMap(VoiceActivityDetection, ({ open }) => open({ rate }))

    for (const rate of [8_000, 16_000]) {
      it.scoped(`finds a voice at ${rate} Hz within 160 ms, and its end within 300`, () =>
        Effect.gen(function*() {
          const detector = yield* openDetector(rate)
          const voice = voiceAt(rate)
          const lasts = voice.length / rate * 1_000
          let [first, interrupts, last] = [Infinity, Infinity, -Infinity]
          for (const { millis, samples } of callOf(rate, voice)) {
            const activity = detector.push(samples)
            yield* settle
            assert.strictEqual(activity === "speech", detector.isSpeaking)
            assert.isAtMost(detector.voicedMillis, 300)
            if (activity === "speech") [first, last] = [Math.min(first, millis), millis]
            if (detector.voicedMillis >= 200) interrupts = Math.min(interrupts, millis)
          }
          assert.isAbove(first, 0)
          assert.isAtMost(first, 160)
          assert.isAtMost(interrupts, 420)
          assert.isAtMost(last, lasts + 300)
          assert.isAbove(detector.silentMillis, 500)
        }))
    }

    it.scoped("finds none in silence and in quiet noise", () =>
      Effect.gen(function*() {
        for (const samples of [new Float32Array(2 * 8_000), noiseOf(4 * 8_000, 8_000)]) {
          const detector = yield* openDetector(8_000)
          for (let at = 0; at < samples.length; at += 160) {
            detector.push(samples.subarray(at, at + 160))
            yield* settle
            assert.isFalse(detector.isSpeaking)
          }
          assert.strictEqual(detector.silentMillis, Infinity)
        }
      }))

    it.scoped("lets concealed and invalid frames change nothing", () =>
      Effect.gen(function*() {
        const detector = yield* openDetector(8_000)
        for (const { samples } of callOf(8_000, voiceAt(8_000)).slice(0, 75)) {
          detector.push(samples)
          yield* settle
        }
        const before = stateOf(detector)
        const broken = [NaN, Infinity].map((sample) => new Float32Array(160).fill(sample, 3, 4))
        for (const frame of [new Float32Array(), new Float32Array(159), ...broken]) {
          assert.strictEqual(detector.push(frame), "invalid")
        }
        assert.strictEqual(detector.push(new Float32Array(160).fill(0.5), true), "none")
        assert.deepStrictEqual(stateOf(detector), before)
        assert.strictEqual(detector.frameLength, 160)
      }))

    it.scoped("keeps calls apart", () =>
      Effect.gen(function*() {
        const [talking, silent] = [yield* openDetector(8_000), yield* openDetector(8_000)]
        const noise = noiseOf(160, 8_000)
        for (const { samples } of callOf(8_000, voiceAt(8_000)).slice(0, 90)) {
          talking.push(samples)
          silent.push(noise)
          yield* settle
        }
        assert.isTrue(talking.isSpeaking)
        assert.strictEqual(silent.silentMillis, Infinity)
      }))
  })
