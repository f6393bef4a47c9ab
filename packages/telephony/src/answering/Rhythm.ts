import { frameMillis } from "@trunkline/audio"

/** Rhythm of the voice since the answer, in milliseconds. */
export interface Rhythm {
  /** Time since the answer. */
  readonly at: number
  /** Voice of all frames. */
  readonly voiced: number
  /** Moment of the first voice; null before any. */
  readonly first: number | null
  /** Moment at which the present utterance began, or the latest one; null before any. */
  readonly began: number | null
  /** Moment of the last voice. */
  readonly ended: number
  /** Voice of the present or the latest utterance. */
  readonly voicedHere: number
}

/** Rhythm before the first frame. */
export const noRhythm: Rhythm = { at: 0, voiced: 0, first: null, began: null, ended: 0, voicedHere: 0 }

/** Silence that ends an utterance: those between the sentences of a recording are shorter. */
const utteranceGap = 500

/** Takes the next frame of 20 ms into the rhythm. */
export const stepRhythm = (rhythm: Rhythm, isVoice: boolean): Rhythm => {
  const at = rhythm.at + frameMillis
  if (!isVoice) return { ...rhythm, at }
  const begins = rhythm.began === null || rhythm.at - rhythm.ended >= utteranceGap
  return {
    at,
    voiced: rhythm.voiced + frameMillis,
    first: rhythm.first ?? rhythm.at,
    began: begins ? rhythm.at : rhythm.began,
    ended: at,
    voicedHere: begins ? frameMillis : rhythm.voicedHere + frameMillis
  }
}

/** Length of the present or the latest utterance, with its pauses. */
export const utteranceLength = ({ began, ended }: Rhythm): number => began === null ? 0 : ended - began

/** Silence since the last voice; that since the answer before any. */
export const silenceLength = ({ at, ended }: Rhythm): number => at - ended
