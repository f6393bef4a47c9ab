import { type Audio, concatSamples } from "@trunkline/audio"
import {
  modemTranscriber,
  modemVoice,
  type ModemVoiceOptions,
  type Reference,
  type SynthesisInput,
  Synthesizer,
  Transcriber
} from "@trunkline/speech"
import { sampleTexts } from "@trunkline/speech/testing"
import { Chunk, Effect, Random, Stream } from "effect"

/** A reference without sound. */
export const emptyReference: Reference = {
  audio: { rate: 8000, samples: new Float32Array() },
  seconds: 0,
  text: null,
  language: null,
  voice_id: null
}

/** An utterance with an empty reference. */
export const utterance = (text: string, change: Partial<SynthesisInput> = {}): SynthesisInput => ({
  text,
  language: "hi-IN",
  pace: 1,
  take: 0,
  reference: emptyReference,
  ...change
})

/** A sentence in each language, and harder texts. */
export const sentences: ReadonlyArray<string> = [
  ...Object.values(sampleTexts),
  "aaaaaaaaaaaaaaaa",
  "न्\u200dय “quoted” ₹ 😀\u000e!"
]

/** Audio of a text spoken by the modem voice. */
export const spokenBy = (options: ModemVoiceOptions = {}) => (text: string, change: Partial<SynthesisInput> = {}) =>
  Effect.gen(function*() {
    const { ability, speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(speak(utterance(text, change)))
    return { rate: ability.nativeRate, samples: concatSamples(Chunk.toReadonlyArray(pieces)) }
  }).pipe(Effect.provide(modemVoice(options)))

/** Transcript of audio by the modem transcriber. */
export const transcriptOf = (recording: Audio) =>
  Effect.flatMap(Transcriber, ({ transcribe }) => transcribe(recording, { language: null })).pipe(
    Effect.provide(modemTranscriber)
  )

/** White noise at the given number of decibels below the voice. */
export const noise = (length: number, decibels: number) =>
  Effect.map(
    Effect.replicateEffect(Random.next, length),
    (values) => Float32Array.from(values, (value) => 0.1 * 10 ** (-decibels / 20) * Math.sqrt(12) * (value - 0.5))
  )
