import { Effect, Schema } from "effect"
import { formOf } from "./Multipart.js"
import type { DialectOptions, SpeechDialect } from "./SpeechDialect.js"

/** What the server makes of a voice; it goes back to it as it came. */
const isVoice = Schema.is(
  Schema.Struct({ gpt_cond_latent: Schema.Array(Schema.Unknown), speaker_embedding: Schema.Array(Schema.Unknown) })
)

/**
 * Coqui's streaming server for XTTS, in two steps: the clip goes to `/clone_speaker`, and what that answers goes with the
 * text to `path`, `/tts_stream` unless told otherwise. The published server takes English alone of our languages, though
 * the model knows Hindi.
 */
export const xttsStreaming = (
  { extra = {}, languages = ["en-IN"], path = "/tts_stream" }: DialectOptions = {}
): SpeechDialect => ({
  name: "xtts-streaming",
  cloning: "zero-shot",
  languages,
  controls: [],
  request: ({ clip, languageName, reference, text }, learn) =>
    Effect.gen(function*() {
      const cloning = Effect.map(clip, (clip) => ({
        path: "/clone_speaker",
        body: formOf({}, { file: "wav_file", clip })
      }))
      const { gpt_cond_latent, speaker_embedding } = yield* learn(reference, cloning, isVoice)
      const voice = { gpt_cond_latent, speaker_embedding }
      return { path, body: { ...extra, ...voice, text, language: languageName, add_wav_header: true }, answers: "wav" }
    })
})
