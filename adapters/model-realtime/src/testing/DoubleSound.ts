import { alaw, fromLinear16, mulaw, toLinear16 } from "@trunkline/audio"
import { modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import { Effect } from "effect"

/** Formats of sound by their names in both generations. */
export const formats = {
  "audio/pcmu": { ...mulaw, rate: 8_000 },
  g711_ulaw: { ...mulaw, rate: 8_000 },
  "audio/pcma": { ...alaw, rate: 8_000 },
  g711_alaw: { ...alaw, rate: 8_000 },
  "audio/pcm": { encode: toLinear16, decode: fromLinear16, rate: 24_000 },
  pcm16: { encode: toLinear16, decode: fromLinear16, rate: 24_000 }
}

/** The format of a name; null for one that does not exist. */
export const formatOf = (name: string) =>
  Object.entries(formats).find(([formatName]) => formatName === name)?.[1] ?? null

/** The words in sound of `modemVoice`. */
export const wordsOf = (samples: Float32Array, rate: number): Promise<string> =>
  Effect.runPromise(
    Effect.flatMap(Transcriber, ({ transcribe }) => transcribe({ rate, samples }, { language: null })).pipe(
      Effect.provide(modemTranscriber)
    )
  )

/** A text in the sound of `modemVoice`. */
export const voiceOf = (text: string, rate: number): Promise<Float32Array> =>
  Effect.runPromise(Effect.provide(soundOf(text, { rate }), modemVoice()))

/** Mean square of samples. */
export const powerOf = (samples: Float32Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)
