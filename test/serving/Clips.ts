import { type Audio, AudioCodecs, concatSamples } from "@trunkline/audio"
import { modemTranscriber, modemVoice, Synthesizer, Transcriber } from "@trunkline/speech"
import { Chunk, Effect, Stream } from "effect"

/** Parts of a form of voices. Files are bytes with a name; `undefined` omits a part. */
export type VoiceParts = Readonly<
  Record<string, string | { readonly bytes: Uint8Array; readonly name: string } | undefined>
>

/** Builds a form of these parts. */
export const voiceForm = (parts: VoiceParts): FormData => {
  const form = new FormData()
  Object.entries(parts).forEach(([name, part]) => {
    if (typeof part === "string") form.append(name, part)
    else if (part !== undefined) form.append(name, new Blob([new Uint8Array(part.bytes)]), part.name)
  })
  return form
}

const rate = 24_000

/** WAV file in which the modem voice speaks a text. */
export const clipSaying = (text: string): Promise<Uint8Array> =>
  Effect.gen(function*() {
    const { speak } = yield* Synthesizer
    const silence = { rate, samples: new Float32Array(1) }
    const reference = { audio: silence, seconds: 1, text: null, language: null, voice_id: null }
    const pieces = yield* Stream.runCollect(speak({ text, language: "en-IN", pace: 1, reference, take: 0 }))
    const { encode } = yield* AudioCodecs
    return yield* encode({ rate, samples: concatSamples(Chunk.toReadonlyArray(pieces)) }, { codec: "wav", rate })
  }).pipe(Effect.provide([modemVoice({ nativeRate: rate }), AudioCodecs.layerPlain]), Effect.runPromise)

/** Decodes an audio file, and the text that the modem voice speaks in it. */
export const heardIn = (
  bytes: Uint8Array,
  contentType: string
): Promise<{ readonly audio: Audio; readonly text: string }> =>
  Effect.gen(function*() {
    const audio = yield* (yield* AudioCodecs).decode({ bytes, contentType, filename: null }, { seconds: 300 })
    return { audio, text: yield* (yield* Transcriber).transcribe(audio, { language: null }) }
  }).pipe(Effect.provide([modemTranscriber, AudioCodecs.layerPlain]), Effect.runPromise)
