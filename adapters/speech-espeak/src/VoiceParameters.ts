import type { LanguageCode } from "@trunkline/spoken-text"
import type { EspeakRequest } from "./Engine.js"
import type { VoiceTraits } from "./VoiceTraits.js"

/** A voice of espeak, relative to the mean of all. */
interface EspeakVoice {
  readonly name: string
  /** Difference in pitch as the male variant, in Hz. */
  readonly higher: number
  /** Difference in loudness, in dB. */
  readonly louder: number
}

/**
 * Voices of espeak by language. English is that of Britain for versions without an English of India.
 *
 * All figures here were measured with espeak-ng 1.51 on five sentences of each language. Those of the WebAssembly build are
 * the same; the tests measure the installed version.
 */
export const espeakVoices: Readonly<Record<LanguageCode, EspeakVoice>> = {
  "as-IN": { name: "as", higher: 1, louder: 1.5 },
  "bn-IN": { name: "bn", higher: -0.3, louder: 1.1 },
  "en-IN": { name: "en", higher: -1.5, louder: -0.8 },
  "gu-IN": { name: "gu", higher: 1.6, louder: -0.2 },
  "hi-IN": { name: "hi", higher: -1.5, louder: 0 },
  "kn-IN": { name: "kn", higher: -3, louder: -0.2 },
  "ml-IN": { name: "ml", higher: 3, louder: -0.9 },
  "mr-IN": { name: "mr", higher: 0.9, louder: -0.2 },
  "od-IN": { name: "or", higher: -0.6, louder: 1 },
  "pa-IN": { name: "pa", higher: 0.2, louder: -0.1 },
  "ta-IN": { name: "ta", higher: 1.1, louder: -0.2 },
  "te-IN": { name: "te", higher: -1.1, louder: -0.2 }
}

/** A variant of espeak, which applies to any voice. */
interface EspeakVariant {
  /** Suffix of the name of a voice. */
  readonly suffix: string
  /** Median pitch of its voices, in Hz, at every tenth pitch of espeak; the last one is at 99. */
  readonly pitches: ReadonlyArray<number>
  /** Factor of a difference in pitch, relative to the male variant. */
  readonly higherBy: number
  /** Loudness at 100 Hz, in dB of full scale; each octave adds 3 dB. */
  readonly level: number
}

/** Male variant, the default of espeak. */
const male: EspeakVariant = {
  suffix: "",
  pitches: [67, 71, 76, 83, 90, 100, 110, 122, 136, 152, 168],
  higherBy: 1,
  level: -19
}

/** Female variant. */
const female: EspeakVariant = {
  suffix: "+f2",
  pitches: [126, 136, 146, 159, 174, 191, 211, 234, 260, 290, 320],
  higherBy: 1.9,
  level: -20.1
}

/** Parameters with which espeak has the traits of a voice. */
export interface VoiceParameters extends Omit<EspeakRequest, "text"> {
  /** Factor of its samples, so that all languages and pitches are equally loud. */
  readonly gain: number
}

/** Range of espeak in Hz, the pitch from which the female variant is used, and the default for voices without a pitch. */
const hertz = { min: 67, female: 150, max: 320, default: 120 }

/** Range in which espeak is easy to understand, and its default. */
const wordRate = { min: 110, default: 175, max: 260 }

/** Loudness of all speech, in dB of full scale: that of the quietest voice, so that nothing is clipped. */
const targetLevel = -22

const maxPitch = 99

const clamp = (min: number, value: number, max: number) => Math.max(min, Math.min(max, value))

/** Pitch of espeak, 0 to 99, at which a variant has a median of so many Hz, or the nearest. */
const pitchFor = (target: number, { pitches }: EspeakVariant): number => {
  const above = pitches.findIndex((pitch) => pitch > target)
  const low = pitches[above - 1]
  const high = pitches[above]
  if (high === undefined) return maxPitch
  return low === undefined ? 0 : Math.round(10 * (above - 1 + (target - low) / (high - low)))
}

/** Parameters for a language with the traits of a voice. `english` is the voice of espeak for English. */
export const parametersFor = (traits: VoiceTraits, language: LanguageCode, english: string): VoiceParameters => {
  const target = clamp(hertz.min, traits.hertz ?? hertz.default, hertz.max)
  const variant = target < hertz.female ? male : female
  const { higher, louder, name } = espeakVoices[language]
  const { default: usual, max, min } = wordRate
  const loudness = variant.level + louder + 10 * Math.log10(target / 100)
  return {
    voice: `${language === "en-IN" ? english : name}${variant.suffix}`,
    pitch: Math.min(maxPitch, pitchFor(target - higher * variant.higherBy, variant)),
    wordsPerMinute: Math.round(clamp(min, usual * traits.tempo, max)),
    gain: Math.min(1, 10 ** ((targetLevel - loudness) / 20))
  }
}
