import { concatSamples, levelsOf, makeResampler, mulaw, readWav, speechSpans } from "@trunkline/audio"
import { Either } from "effect"
import { spawnSync } from "node:child_process"
import type { AnswerPart, Greeting } from "./answer-texts.js"

/** Sample rate of the lines, in hertz. */
export const answerRate = 8_000

/** Level of speech on a phone line, in dBFS. */
const speechLevel = -20

/** Voices of espeak-ng with their words a minute, by part of the corpus and language. */
const voices = {
  development: {
    en: [["en-gb", 150], ["en-us+f3", 180], ["en-gb-x-rp+m3", 165], ["en-us+f2", 140]],
    hi: [["hi", 150], ["hi+f3", 175], ["hi+m3", 160], ["hi+f2", 140]]
  },
  final: {
    en: [["en-us+m1", 170], ["en-gb-scotland+f4", 155], ["en-029+m7", 145], ["en-us+f1", 190]],
    hi: [["hi+m1", 170], ["hi+f4", 155], ["hi+m7", 145], ["hi+f1", 190]]
  }
} as const

/** Voices of each part. */
export const voiceCount = 4

/** Distances from speech to noise, in dB. */
export const noiseDistances = [40, 20, 12]

/** A generator of numbers from 0 to 1 by a seed. */
export const randomBy = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const atLevel = (samples: Float32Array, level: number): Float32Array => {
  const gain = 10 ** ((level - levelsOf({ rate: answerRate, samples }).rms) / 20)
  return samples.map((sample) => sample * gain)
}

const silence = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * answerRate))

/** Frequencies that sound together for some seconds, at a level in dBFS for each. */
export const chord = (frequencies: ReadonlyArray<number>, seconds: number, level = -16): Float32Array =>
  silence(seconds).map((_, at) =>
    frequencies.reduce((sum, hertz) => sum + Math.sin(2 * Math.PI * hertz * at / answerRate), 0) * Math.SQRT2 *
    10 ** (level / 20)
  )

/** Sound of a greeting by a voice, from its first to its last sound. */
export const speak = ({ language, text }: Greeting, part: AnswerPart, voice: number): Float32Array => {
  const [name, pace] = voices[part][language][voice % voiceCount] ?? voices[part].en[0]
  const { error, stdout } = spawnSync("espeak-ng", ["-v", name, "-s", String(pace), "--stdout", text], {
    maxBuffer: 64 * 1024 * 1024
  })
  if (error !== undefined) throw new Error("espeak-ng could not speak: install the package espeak-ng", { cause: error })
  const { rate, samples } = Either.getOrThrow(readWav(new Uint8Array(stdout), { seconds: 60 }))
  const resampler = makeResampler({ from: rate, to: answerRate, band: "telephone" })
  const sound = concatSamples([resampler.push(samples), resampler.end()])
  const spans = speechSpans({ rate: answerRate, samples: sound })
  return atLevel(sound.slice(spans[0]?.from ?? 0, spans.at(-1)?.to), speechLevel)
}

/** A call as it is heard from the answer on. */
export interface AnswerScene {
  readonly samples: Float32Array
  /** Milliseconds from the answer to the first sound and to the end of the speech. */
  readonly from: number
  readonly to: number
}

/** Frequencies of beeps of answering machines, in hertz, and their seconds. */
const beeps = [[1_000, 0.4], [1_400, 0.3], [850, 0.5], [440, 0.6], [2_000, 0.25]] as const

/** The scene of a sound: silence before it and, after a machine, a beep; in noise, through mu-law. */
export const sceneOf = (
  sound: Float32Array,
  { distance, hasBeep, isLate, seed }: {
    readonly distance: number
    readonly hasBeep: boolean
    readonly isLate: boolean
    readonly seed: number
  }
): AnswerScene => {
  const random = randomBy(seed)
  const before = isLate ? 1 + random() : 0.15 + random() * 0.65
  const [frequency, seconds] = beeps[Math.floor(random() * beeps.length)] ?? beeps[0]
  const beep = hasBeep ? [silence(0.3 + random() * 0.6), chord([frequency], seconds)] : []
  const clean = concatSamples([silence(before), sound, ...beep, silence(3)])
  let low = 0
  const noise = atLevel(
    clean.map(() => {
      low = 0.9 * low + random() * 2 - 1
      return low
    }),
    speechLevel - distance
  )
  const mixed = clean.map((sample, at) => Math.max(-1, Math.min(1, sample + (noise[at] ?? 0))))
  const from = before * 1_000
  return { samples: mulaw.decode(mulaw.encode(mixed)), from, to: from + sound.length / answerRate * 1_000 }
}

/** Busy tones of seven countries: frequencies, and the seconds of the tone and of the pause (ITU-T E.180, supplement 2). */
export const busyTones: ReadonlyArray<readonly [string, ReadonlyArray<number>, number]> = [
  ["India", [400], 0.75],
  ["United States", [480, 620], 0.5],
  ["United Kingdom", [400], 0.375],
  ["Germany", [425], 0.48],
  ["Japan", [400], 0.5],
  ["Australia", [425], 0.375],
  ["France", [440], 0.5]
]

/** The sound of a busy tone for eight seconds. */
export const busySound = (frequencies: ReadonlyArray<number>, seconds: number): Float32Array =>
  concatSamples(
    Array.from({ length: Math.ceil(4 / seconds) }, () => [chord(frequencies, seconds), silence(seconds)]).flat()
  )

/** The special information tone: three rising tones (ITU-T E.180). */
export const informationSound = (): Float32Array =>
  concatSamples([chord([950], 0.33), chord([1_400], 0.33), chord([1_800], 0.33), silence(3)])

/** Tones of a fax: the calling tone, and the answering tone (ITU-T T.30). */
export const faxSounds = (): ReadonlyArray<Float32Array> => [
  concatSamples([silence(0.2), chord([1_100], 0.5), silence(3), chord([1_100], 0.5), silence(1)]),
  concatSamples([silence(0.2), chord([2_100], 3), silence(1)])
]
