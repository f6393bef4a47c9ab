import type { LanguageCode } from "@trunkline/spoken-text"
import type { Speaking } from "../engine/Engine.js"
import { type EspeakVariant, espeakVoices, man, woman } from "./Calibration.js"
import type { Traits } from "./Traits.js"

/** How espeak speaks so that it has the traits of a voice. */
export interface Manner extends Omit<Speaking, "text"> {
  /** What its samples are multiplied by, so that all languages and pitches are equally loud. */
  readonly gain: number
}

/** What espeak reaches, in Hz; from where on a voice is spoken as a woman; and the pitch of one that has none. */
const hertz = { lowest: 67, woman: 150, highest: 320, unknown: 120 }

/** espeak is well understood within these. */
const wordsPerMinute = { fewest: 110, usual: 175, most: 260 }

/** How loud all speech is, in dB of full scale: as loud as the quietest voice, so that nothing is ever clipped. */
const level = -22

const highestPitch = 99

const between = (least: number, value: number, most: number) => Math.max(least, Math.min(most, value))

/** espeak's pitch, 0 to 99, at which a variant has a median of so many Hz, or the nearest there is. */
const pitchFor = (wanted: number, { pitches }: EspeakVariant): number => {
  const above = pitches.findIndex((pitch) => pitch > wanted)
  const low = pitches[above - 1]
  const high = pitches[above]
  if (high === undefined) return highestPitch
  return low === undefined ? 0 : Math.round(10 * (above - 1 + (wanted - low) / (high - low)))
}

/** How to speak a language with the traits of a voice. `english` is espeak's voice for English. */
export const mannerOf = (traits: Traits, language: LanguageCode, english: string): Manner => {
  const wanted = between(hertz.lowest, traits.hertz ?? hertz.unknown, hertz.highest)
  const variant = wanted < hertz.woman ? man : woman
  const { higher, louder, name } = espeakVoices[language]
  const { fewest, most, usual } = wordsPerMinute
  const loudness = variant.level + louder + 10 * Math.log10(wanted / 100)
  return {
    voice: `${language === "en-IN" ? english : name}${variant.suffix}`,
    pitch: Math.min(highestPitch, pitchFor(wanted - higher * variant.higherBy, variant)),
    wordsPerMinute: Math.round(between(fewest, usual * traits.tempo, most)),
    gain: Math.min(1, 10 ** ((level - loudness) / 20))
  }
}
