import { concatSamples, levelsOf, makeResampler, mulaw, type Span, speechSpans } from "@trunkline/audio"
import { Synthesizer } from "@trunkline/speech"
import { Chunk, Effect, Stream } from "effect"

/** Sample rate of the lines, in hertz. */
export const sceneRate = 8_000

/** Level of speech on a phone line, in dBFS. */
const speechLevel = -20

/** Kinds of noise. `babble` is other people, whom every detector takes for people. */
export const noiseKinds = ["white", "hum", "street", "clatter", "music", "babble"] as const
export type NoiseKind = typeof noiseKinds[number]

/** Sound of a line as it is heard, and the spans in which the caller speaks, in samples. */
export interface Scene {
  readonly kind: NoiseKind
  /** Distance from speech to noise, in dB. */
  readonly distance: number
  readonly samples: Float32Array
  /** Utterances, each with its spans of speech: pauses from 200 ms are between them. */
  readonly utterances: ReadonlyArray<ReadonlyArray<Span>>
}

const sentences = [
  ["I would like to book a table for tonight, please.", "en-IN"],
  ["Yes.", "en-IN"],
  ["Could you tell me when you open tomorrow?", "en-IN"],
  ["No, wait, that is not what I meant.", "en-IN"],
  ["मेरा नाम आशा है और मैं कल दिल्ली आ रही हूँ", "hi-IN"],
  ["हाँ जी", "hi-IN"],
  ["என் ஆர்டர் இன்னும் வரவில்லை", "ta-IN"],
  ["আমি আগামীকাল আবার ফোন করব", "bn-IN"]
] as const

const strangers = [
  "The train to the coast leaves in about twenty minutes from the second platform over there.",
  "We went to the market this morning and bought far too many mangoes for the four of us.",
  "If you ask me they should have painted the whole house in another colour last summer.",
  "My brother works in the same office but he takes the early bus to avoid the traffic."
] as const

/** A generator of numbers from 0 to 1 by a seed. */
const randomBy = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const atLevel = (samples: Float32Array, level: number): Float32Array => {
  const gain = 10 ** ((level - levelsOf({ rate: sceneRate, samples }).rms) / 20)
  return samples.map((sample) => sample * gain)
}

/** Sound of a text by espeak-ng, without silence around it, at the level of a phone line. */
const speak = (text: string, language: typeof sentences[number][1]) =>
  Effect.gen(function*() {
    const { ability, speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(speak({ text, language, pace: 1, reference: null, take: 0 }))
    const resampler = makeResampler({ from: ability.nativeRate, to: sceneRate, band: "telephone" })
    const sound = concatSamples([...Chunk.map(pieces, resampler.push), resampler.end()])
    const spans = speechSpans({ rate: sceneRate, samples: sound })
    return atLevel(sound.slice(spans[0]?.from ?? 0, spans.at(-1)?.to), speechLevel)
  })

/** Noise of a length by a seed; its level is set afterwards. */
const noiseOf = (
  kind: NoiseKind,
  length: number,
  { random, people }: { readonly random: () => number; readonly people: ReadonlyArray<Float32Array> }
): Float32Array => {
  const white = () => random() * 2 - 1
  switch (kind) {
    case "white":
      return Float32Array.from({ length }, white)
    case "hum":
      return Float32Array.from(
        { length },
        (_, at) => Math.sin(at * 0.0785) + 0.4 * Math.sin(at * 0.2356) + 0.2 * white()
      )
    case "street": {
      let [low, swell, target] = [0, 0.5, 0.5]
      return Float32Array.from({ length }, (_, at) => {
        if (at % 4_000 === 0) target = 0.15 + 0.85 * random()
        swell += (target - swell) / 2_000
        low = 0.93 * low + white()
        return low * swell
      })
    }
    case "clatter": {
      let [loudness, decay] = [0, 0.99]
      return Float32Array.from({ length }, () => {
        if (random() < 1 / 4_000) [loudness, decay] = [0.3 + random(), 1 - 1 / (100 + 1_500 * random())]
        loudness *= decay
        return white() * (loudness + 0.01)
      })
    }
    case "music": {
      let chord: ReadonlyArray<number> = []
      return Float32Array.from({ length }, (_, at) => {
        if (at % 3_200 === 0) chord = [0, 4, 7].map((step) => 220 * 2 ** ((step + Math.floor(random() * 12)) / 12))
        const phase = 2 * Math.PI * at / sceneRate
        const fade = Math.exp(-(at % 3_200) / 2_400)
        return fade * chord.reduce((sum, tone) => sum + Math.sin(phase * tone) + Math.sin(phase * 2 * tone) / 3, 0)
      })
    }
    case "babble": {
      const samples = new Float32Array(length)
      for (const person of people) {
        const shift = Math.floor(random() * person.length)
        for (let at = 0; at < length; at++) {
          samples[at] = (samples[at] ?? 0) + (person[(at + shift) % person.length] ?? 0)
        }
      }
      return samples
    }
  }
}

const rests = [1.5, 2, 1.2, 2.5, 1.8]

/** A scene by a seed: all sentences with rests between them, over noise, through mu-law. */
const sceneOf = (
  kind: NoiseKind,
  distance: number,
  { people, seed, spoken }: {
    readonly seed: number
    readonly spoken: ReadonlyArray<Float32Array>
    readonly people: ReadonlyArray<Float32Array>
  }
): Scene => {
  const utterances: Array<ReadonlyArray<Span>> = []
  const pieces: Array<Float32Array> = []
  let at = 0
  const add = (samples: Float32Array): void => {
    pieces.push(samples)
    at += samples.length
  }
  spoken.forEach((samples, index) => {
    // Utterances begin anywhere within a frame.
    add(new Float32Array((rests[(index + seed) % rests.length] ?? 1) * sceneRate + (seed * 37 + index * 53) % 160))
    utterances.push(speechSpans({ rate: sceneRate, samples }).map(({ from, to }) => ({ from: from + at, to: to + at })))
    add(samples)
  })
  add(new Float32Array(2 * sceneRate))
  const clean = concatSamples(pieces)
  const noise = atLevel(noiseOf(kind, clean.length, { random: randomBy(seed), people }), speechLevel - distance)
  const mixed = clean.map((sample, index) => Math.max(-1, Math.min(1, sample + (noise[index] ?? 0))))
  return { kind, distance, samples: mulaw.decode(mulaw.encode(mixed)), utterances }
}

/** The corpus: each noise at each distance, by some seeds. Synthetic voices, so it shows regressions and no more. */
export const scenes = (distances: ReadonlyArray<number>, seeds: number) =>
  Effect.gen(function*() {
    const spoken = yield* Effect.forEach(sentences, ([text, language]) => speak(text, language))
    const people = yield* Effect.forEach(strangers, (text) => speak(text, "en-IN"))
    return noiseKinds.flatMap((kind) =>
      distances.flatMap((distance) =>
        Array.from({ length: seeds }, (_, seed) => sceneOf(kind, distance, { people, seed: seed + 1, spoken }))
      )
    )
  })
