import { assert, describe, it } from "@effect/vitest"
import { alaw, concatSamples, makeVoiceActivityDetector, mulaw } from "@trunkline/audio"
import { sampleTexts } from "@trunkline/speech/testing"
import { Effect, Random } from "effect"
import { noise, spokenBy } from "./ModemSpeech.js"

const rate = 8_000

describe.each([["mu-law", mulaw], ["A-law", alaw]])("the modem voice through %s", (_, law) => {
  it.effect.each([10, 20, 30])(
    "is one piece of speech to the voice activity detector, at %i dB over noise",
    (snr) =>
      Effect.gen(function*() {
        const { samples } = yield* spokenBy({ nativeRate: rate })(sampleTexts["hi-IN"])
        const clean = concatSamples([new Float32Array(rate), samples, new Float32Array(rate)])
        const around = yield* noise(clean.length, snr)
        const output = law.decode(law.encode(clean.map((sample, at) => sample + (around[at] ?? 0))))
        const { push } = makeVoiceActivityDetector({ rate })
        const activities = Array.from(
          { length: Math.floor(output.length / 160) },
          (_, at) => push(output.subarray(160 * at, 160 * (at + 1)))
        )
        const [from, to] = [activities.indexOf("speech"), activities.lastIndexOf("speech") + 1]
        assert.notInclude(activities.slice(from, to), "silence")
        assert.closeTo(0.02 * (from + 1), 1.04, 0.021)
        assert.closeTo(0.02 * to, 1 + samples.length / rate + 0.08, 0.021)
      }).pipe(Effect.withRandom(Random.make("noise")))
  )
})
