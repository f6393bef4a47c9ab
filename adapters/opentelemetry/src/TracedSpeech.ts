import { noteSpan, type SpanOptions, withSpan } from "@trunkline/kernel"
import { Listener, Synthesizer, Transcriber } from "@trunkline/speech"
import { Effect, Layer } from "effect"
import { tracedStream } from "./TracedStream.js"

type Attributes = Readonly<Record<string, unknown>>

/**
 * Names of the spans of voices and transcripts. OpenTelemetry has not merged conventions for them; the open ones are used where
 * they are asked for.
 */
interface VoiceNames {
  readonly voiceConventions: boolean
}

const operation = (name: string, provider: string, { voiceConventions }: VoiceNames): Attributes =>
  voiceConventions ? { "gen_ai.operation.name": name, "gen_ai.provider.name": provider } : {}

/** The layer of a voice whose utterances have spans. Their texts are not in them. */
export const synthesizerLayer = <E, R>(
  voice: Layer.Layer<Synthesizer, E, R>,
  names: VoiceNames
): Layer.Layer<Synthesizer, E, R> => {
  const trace = ({ ability, speak }: Synthesizer["Type"]): Synthesizer["Type"] => ({
    ability,
    speak: (utterance) =>
      tracedStream(speak(utterance), () => {
        const { language, reference, text } = utterance
        const options = (): SpanOptions => ({
          kind: "client",
          attributes: {
            ...operation("text_to_speech", ability.engine, names),
            ...(names.voiceConventions && reference?.voice_id && { "gen_ai.speech.voice": reference.voice_id }),
            "trunkline.voice.engine": ability.engine,
            "trunkline.voice.language": language,
            "trunkline.voice.characters": text.length
          }
        })
        let samples = 0
        return {
          name: names.voiceConventions ? `text_to_speech ${ability.engine}` : "voice",
          options,
          onElements: (pieces, { isFirst, millis }) => {
            for (const { length } of pieces) samples += length
            return isFirst ? { "trunkline.voice.first_sound_ms": millis } : {}
          },
          onEnd: () => ({ "trunkline.voice.sound_seconds": samples / ability.nativeRate })
        }
      })
  })
  return Layer.provide(Layer.effect(Synthesizer, Effect.map(Synthesizer, trace)), voice)
}

/** Runs a transcription in a span, which has the number of characters of the words but not the words. */
const withTranscriptSpan =
  (attributes: Attributes, names: VoiceNames) =>
  <E, R>(words: Effect.Effect<string, E, R>): Effect.Effect<string, E, R> =>
    withSpan(names.voiceConventions ? "speech_to_text" : "transcript", () => ({
      kind: "client",
      attributes: { ...operation("speech_to_text", "trunkline", names), ...attributes }
    }))(Effect.tap(words, ({ length }) => noteSpan(() => ({ "trunkline.transcript.characters": length }))))

const languageAttribute = (language: string | null, { voiceConventions }: VoiceNames): Attributes =>
  language === null
    ? {}
    : { [voiceConventions ? "gen_ai.speech.input.language" : "trunkline.transcript.language"]: language }

/** The layer of a transcriber whose transcriptions have spans. */
export const transcriberLayer = <E, R>(
  transcriber: Layer.Layer<Transcriber, E, R>,
  names: VoiceNames
): Layer.Layer<Transcriber, E, R> => {
  const trace = ({ available, transcribe }: Transcriber["Type"]): Transcriber["Type"] => ({
    available,
    transcribe: (audio, options) =>
      withTranscriptSpan({
        ...languageAttribute(options.language, names),
        "trunkline.transcript.sound_seconds": audio.samples.length / audio.rate
      }, names)(transcribe(audio, options))
  })
  return Layer.provide(Layer.effect(Transcriber, Effect.map(Transcriber, trace)), transcriber)
}

/** The layer of a listener whose turns have spans, each from the question for the words to their arrival. */
export const listenerLayer = <E, R>(
  listener: Layer.Layer<Listener, E, R>,
  names: VoiceNames
): Layer.Layer<Listener, E, R> => {
  const trace = ({ open, ...rest }: Listener["Type"]): Listener["Type"] => ({
    ...rest,
    open: (options) =>
      Effect.map(open(options), (listening) => ({
        ...listening,
        flush: withTranscriptSpan(languageAttribute(options.language, names), names)(listening.flush)
      }))
  })
  return Layer.provide(Layer.effect(Listener, Effect.map(Listener, trace)), listener)
}
