import { type Audio, concatSamples } from "@trunkline/audio"
import { BadRequest } from "@trunkline/errors"
import type { LanguageCode } from "@trunkline/spoken-text"
import { Chunk, Effect, Layer, Stream } from "effect"
import { yieldToOthers } from "../modem/PilotTones.js"
import { type SpeechFailure, Synthesizer } from "../Synthesizer.js"
import { Transcriber } from "../Transcriber.js"
import { type Cepstra, cepstraOf, coefficientCount, speechIn, tracts } from "./Cepstra.js"
import { warpedDistance } from "./TimeWarping.js"

/** Phrases that a book holds at most. */
const maxPhrases = 64

/** Largest ratio of the lengths of two sounds that may be the same phrase. */
const maxStretch = 2

/**
 * Distances up to which a sound is the nearest phrase, and up to which it is when the second one is clearly farther.
 * Measured with espeak-ng, seven voices and 16 phrases through mu-law, with noise and loss: sounds of a phrase are 0.2 to
 * 10.6 from it, with a median of 5.5; those of other sentences are 9.9 to 13.1 from the nearest phrase.
 */
const near = 9.6
const fair = 11.5

/**
 * Share of the distance of the second phrase that is clearly nearer, and the usual distance of an unrelated one. Of phrases in
 * American and Scottish accents it was at most 0.87, of other sentences at least 0.94.
 */
const clearly = 0.88
const unrelatedDistance = 12

/** Least ratio of the spread of a sound to that of a phrase: steady noise hardly has any. */
const minSpread = 0.5

/** Mean length of the rows of cepstra, which are differences from their mean. */
const spreadOf = ({ rows, values }: Cepstra): number => {
  let sum = 0
  for (let at = 0; at < rows; at++) {
    sum += Math.hypot(...values.subarray(at * coefficientCount, (at + 1) * coefficientCount))
  }
  return sum / Math.max(1, rows)
}

interface Phrase {
  readonly text: string
  readonly cepstra: Cepstra
  readonly spread: number
}

/** Options of `phraseBook`. */
export interface PhraseBookOptions {
  /** The language of the phrases. Default: `en-IN`. */
  readonly language?: LanguageCode
}

/** Distance of a sound, heard with each tract, from a phrase. */
const distanceOf = (recording: ReadonlyArray<Cepstra>, { cepstra }: Phrase): number => {
  const rows = recording[0]?.rows ?? 0
  if (Math.max(rows, cepstra.rows) > maxStretch * Math.min(rows, cepstra.rows)) return Infinity
  return Math.min(...recording.map((one) => warpedDistance(one, cepstra)))
}

/** The phrase that a sound is; an empty text for none. */
const recognize = Effect.fnUntraced(function*(audio: Audio, phrases: ReadonlyArray<Phrase>) {
  const speech = speechIn(audio)
  const maxRows = phrases.reduce((most, { cepstra }) => Math.max(most, cepstra.rows), 0)
  // A row lasts 80 samples; sound that is too long for all phrases is not analysed.
  if (speech.length === 0 || speech.length > 80 * (maxStretch * maxRows + 2)) return ""
  const cepstraList: Array<Cepstra> = []
  for (const tract of tracts) {
    cepstraList.push(cepstraOf(speech, tract))
    yield* yieldToOthers
  }
  const spread = cepstraList[0] === undefined ? 0 : spreadOf(cepstraList[0])
  let best = { text: "", distance: Infinity }
  let second = unrelatedDistance
  for (const phrase of phrases) {
    const distance = spread < minSpread * phrase.spread ? Infinity : distanceOf(cepstraList, phrase)
    if (distance < best.distance) {
      second = Math.min(second, best.distance)
      best = { text: phrase.text, distance }
    } else second = Math.min(second, distance)
    yield* yieldToOthers
  }
  return best.distance <= near || (best.distance <= fair && best.distance <= clearly * second) ? best.text : ""
})

const learn = (text: string, language: LanguageCode) =>
  Effect.gen(function*() {
    const { ability, speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(speak({ text, language, pace: 1, reference: null, take: 0 }))
    const samples = concatSamples(Chunk.toReadonlyArray(pieces))
    yield* yieldToOthers
    const cepstra = cepstraOf(speechIn({ rate: ability.nativeRate, samples }))
    return { text, cepstra, spread: spreadOf(cepstra) }
  })

/**
 * Transcriber for tests that knows some phrases: the synthesizer speaks each once, and a sound is the phrase whose cepstra
 * are nearest by dynamic time warping, or nothing when none is near. It needs no model, and works on the telephone, for
 * other voices of the synthesizer, at a pace from 0.8 to 1.25, with noise 15 dB below the speech and some lost frames.
 * Phrases that sound alike are confused. More than 64 phrases fail with `BadRequest`.
 *
 * @example
 * ```ts
 * const layer = phraseBook(["Yes, please.", "No, thank you."]).pipe(Layer.provide(SpeechEspeak.layer()))
 * ```
 */
export const phraseBook = (
  phrases: ReadonlyArray<string>,
  { language = "en-IN" }: PhraseBookOptions = {}
): Layer.Layer<Transcriber, SpeechFailure, Synthesizer> =>
  Layer.effect(
    Transcriber,
    Effect.gen(function*() {
      if (phrases.length > maxPhrases) {
        return yield* new BadRequest({ message: `A phrase book holds up to ${maxPhrases} phrases`, param: "phrases" })
      }
      const entries = yield* Effect.forEach(phrases, (text) => learn(text, language))
      return { available: true, transcribe: (audio: Audio) => recognize(audio, entries) }
    })
  )
