import { LanguageCode } from "@trunkline/spoken-text"
import { Schema } from "effect"
import { languageProblems, type SpeechLanguages } from "../../options/speech/LanguageCodes.js"
import type { NamedProblem } from "../../options/speech/NamedSpeech.js"
import {
  fasterWhisperName,
  listenerKeyVariable,
  listenerLanguages,
  listenerProblems,
  type StreamingProviderName,
  whisperLanguagesOf,
  whisperProblems
} from "../../options/speech/NamedTranscriber.js"
import {
  voiceKeyVariable,
  voiceLanguages,
  voiceProblems,
  type VoiceProviderName
} from "../../options/speech/NamedVoice.js"
import { type Environment, HttpUrl, WebSocketUrl } from "../ConfigFields.js"

const text = Schema.optionalWith(Schema.NonEmptyString, { exact: true })
const languages = Schema.optionalWith(Schema.NonEmptyArray(LanguageCode), { exact: true })
const rate = Schema.optionalWith(Schema.Int.pipe(Schema.between(8_000, 48_000)), { exact: true })

/** Fields of parts by name. */
const fields = {
  /** Environment variable that holds the key; the provider's usual one unless said, such as `ELEVENLABS_API_KEY`. */
  api_key_env: text,
  model: text,
  /** Languages to restrict it to; those of the model unless listed. */
  languages
}

/** Fields of a voice by name. */
const voiceFields = {
  ...fields,
  /** Id of the voice, or one for each language; required by ElevenLabs and Cartesia. */
  voice: Schema.optionalWith(
    Schema.Union(
      Schema.NonEmptyString,
      Schema.partialWith(Schema.Record({ key: LanguageCode, value: Schema.NonEmptyString }), { exact: true })
    ),
    { exact: true }
  ),
  /** URL in place of the provider's. */
  base_url: Schema.optionalWith(HttpUrl, { exact: true }),
  native_rate: rate
}

// One structure for each kind: only single literals tell the members of a union apart.
const voiceOf = <Kind extends VoiceProviderName>(kind: Kind) =>
  Schema.Struct({ kind: Schema.Literal(kind), ...voiceFields })

/** Voices by the names of their providers. */
export const namedVoices = [
  voiceOf("elevenlabs"),
  voiceOf("cartesia"),
  voiceOf("sarvam"),
  voiceOf("openai"),
  voiceOf("deepgram"),
  voiceOf("kokoro"),
  voiceOf("piper")
] as const

/** A voice by the name of its provider. */
export const NamedVoiceSettings = Schema.Union(...namedVoices)
export type NamedVoiceSettings = typeof NamedVoiceSettings.Type

/** Fields of a live transcriber by name. */
const listenerFields = {
  ...fields,
  /** URL in place of the provider's. */
  url: Schema.optionalWith(WebSocketUrl, { exact: true }),
  sample_rate: rate
}

const listenerOf = <Kind extends StreamingProviderName>(kind: Kind) =>
  Schema.Struct({ kind: Schema.Literal(kind), ...listenerFields })

/** Live transcribers by the names of their providers. */
const namedListeners = [
  listenerOf("deepgram"),
  listenerOf("sarvam"),
  listenerOf("elevenlabs"),
  listenerOf("openai"),
  listenerOf("vosk")
] as const

type ListenerSettings = typeof namedListeners[number]["Type"]

/** A faster-whisper server, which hears turn by turn. */
const WhisperSettings = Schema.Struct({
  kind: Schema.Literal(fasterWhisperName),
  ...fields,
  base_url: Schema.optionalWith(HttpUrl, { exact: true })
})

/** Transcribers by the names of their providers. */
export const namedTranscribers = [...namedListeners, WhisperSettings] as const

/** A transcriber by the name of its provider. */
export const NamedTranscription = Schema.Union(...namedTranscribers)
export type NamedTranscription = typeof NamedTranscription.Type

/** Environment variable of the key of a part; undefined for a server that needs none. */
const variableOf = (namedText: string | undefined, usual: string | null): string | undefined =>
  namedText ?? usual ?? undefined

/** The voice of the settings, with its key from the environment. */
export const namedVoiceOf = (settings: NamedVoiceSettings, env: Environment) => {
  const { api_key_env, base_url: url, kind: name, languages, model, native_rate: rate, voice } = settings
  const variable = variableOf(api_key_env, voiceKeyVariable(name))
  return { name, model, voice, languages, url, rate, apiKey: variable && env[variable] }
}

/** True for the settings of a faster-whisper server. */
export const isWhisper = (settings: NamedTranscription): settings is typeof WhisperSettings.Type =>
  settings.kind === fasterWhisperName

/** The live transcriber of the settings, with its key from the environment. */
export const namedListenerOf = (settings: ListenerSettings, env: Environment) => {
  const { api_key_env, kind: name, languages, model, sample_rate: rate, url } = settings
  const variable = variableOf(api_key_env, listenerKeyVariable(name))
  return { name, model, voice: undefined, languages, url, rate, apiKey: variable && env[variable] }
}

/** The faster-whisper server of the settings. */
export const namedWhisperOf = (settings: typeof WhisperSettings.Type, env: Environment) => {
  const { api_key_env, base_url: url, kind: name, languages, model } = settings
  return { name, model, voice: undefined, languages, url, rate: undefined, apiKey: api_key_env && env[api_key_env] }
}

/** Names of settings, by those of parts, for one kind of settings. */
type Names = Readonly<Record<NamedProblem["field"], string>>

const voiceNames: Names = {
  apiKey: "api_key_env",
  languages: "languages",
  model: "model",
  rate: "native_rate",
  url: "base_url",
  voice: "voice"
}

const listenerNames: Names = { ...voiceNames, rate: "sample_rate", url: "url" }

/** Names under which the settings of a part are reported. */
interface Reported {
  readonly at: string
  readonly names: Names
  /** Environment variable of the key, and whether the settings name it. */
  readonly variable: string | undefined
  readonly isNamed: boolean
}

const lines = (
  { at, isNamed, names, variable }: Reported,
  problems: ReadonlyArray<NamedProblem>,
  env: Environment
): ReadonlyArray<string> => {
  const isMissing = isNamed && variable !== undefined && !env[variable]
  const keyLine = `${at}.api_key_env: The environment variable ${String(variable)} is not set`
  const others = problems.filter(({ field }) => field !== "apiKey")
  return [
    ...(isMissing || others.length < problems.length ? [keyLine] : []),
    ...others.map(({ field, message }) => `${at}.${names[field]}: ${message}`)
  ]
}

/** Problems of a voice by name, one line each. */
export const namedVoiceLines = (settings: NamedVoiceSettings, env: Environment): ReadonlyArray<string> =>
  lines(
    {
      at: "speech",
      names: voiceNames,
      variable: variableOf(settings.api_key_env, voiceKeyVariable(settings.kind)),
      isNamed: settings.api_key_env !== undefined
    },
    voiceProblems(namedVoiceOf(settings, env)),
    env
  )

/** Problems of a transcriber by name, one line each. */
export const namedTranscriberLines = (settings: NamedTranscription, env: Environment): ReadonlyArray<string> => {
  const isNamed = settings.api_key_env !== undefined
  return isWhisper(settings)
    ? lines(
      { at: "transcriber", names: voiceNames, variable: settings.api_key_env, isNamed },
      whisperProblems(namedWhisperOf(settings, env)),
      env
    )
    : lines(
      {
        at: "transcriber",
        names: listenerNames,
        variable: variableOf(settings.api_key_env, listenerKeyVariable(settings.kind)),
        isNamed
      },
      listenerProblems(namedListenerOf(settings, env)),
      env
    )
}

/** The parts of the settings that have languages. */
interface SpeechParts {
  readonly speech: NamedVoiceSettings | null
  readonly transcriber: NamedTranscription | null
}

const heardBy = (settings: NamedTranscription): SpeechLanguages["transcriberLanguages"] =>
  isWhisper(settings)
    ? whisperLanguagesOf(namedWhisperOf(settings, {}))
    : listenerLanguages(namedListenerOf(settings, {}))

/** Languages of agents that the parts do not support, one line each. */
export const agentLanguageLines = (
  agents: Parameters<typeof languageProblems>[0],
  { speech, transcriber }: SpeechParts
): ReadonlyArray<string> =>
  languageProblems(agents, {
    voiceLanguages: speech === null ? null : voiceLanguages(namedVoiceOf(speech, {})),
    transcriberLanguages: transcriber === null ? null : heardBy(transcriber)
  }).map(({ message, path }) => `${path}: ${message}`)
