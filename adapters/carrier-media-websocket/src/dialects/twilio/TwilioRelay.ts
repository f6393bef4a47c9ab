import { Either, Schema } from "effect"
import { furtherFields, settingsReader } from "../../settings/ConnectionOptions.js"
import type { Dialect } from "../Dialect.js"
import { attributesOf } from "../Xml.js"
import { twilioLine, twilioOptions } from "./Twilio.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Attributes that are set here, with their options. */
const reservedAttributes = {
  url: null,
  events: null,
  applicationReconnect: null,
  language: "language",
  voice: "voice",
  ttsProvider: "tts_provider",
  transcriptionProvider: "transcription_provider",
  speechModel: "speech_model",
  hints: "hints",
  echoPromptFiltering: "echo_filter"
}

const readSettings = settingsReader(
  Schema.Struct({
    ...twilioOptions,
    /** Language that a call begins in; `en-IN` by default. */
    language: Schema.optionalWith(Schema.String.pipe(Schema.pattern(/^[a-z]{2,3}(-[A-Z]{2})?$/)), {
      exact: true,
      default: () => "en-IN"
    }),
    voice: optional(Schema.NonEmptyString),
    tts_provider: optional(Schema.NonEmptyString),
    transcription_provider: optional(Schema.NonEmptyString),
    speech_model: optional(Schema.NonEmptyString),
    /** Words that callers are likely to say, for the ear. */
    hints: optional(Schema.Array(Schema.NonEmptyString)),
    /** True so that words in which the caller's phone returns the agent's own voice are left out; as Twilio has it by default. */
    echo_filter: optional(Schema.Boolean),
    /** Other attributes of the noun, such as `interruptSensitivity`. */
    attributes: optional(
      furtherFields(
        Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[a-zA-Z]+$/)), value: Schema.String }),
        reservedAttributes
      )
    )
  }),
  ["auth_token"]
)

type RelaySettings = Either.Either.Right<ReturnType<typeof readSettings>>

/** Time that Twilio has to come back after a connection broke. */
const reconnectMillis = 15_000

/** Most hints of a call. */
const maxHints = 100

/** Hints in the form of the noun: without commas of their own, each once; undefined for none. */
const hintsOf = (hints: ReadonlyArray<string>): string | undefined => {
  const uniqueHints = new Set(hints.map((hint) => hint.replaceAll(",", " ").trim()).filter((hint) => hint !== ""))
  return uniqueHints.size === 0 ? undefined : Array.from(uniqueHints).slice(0, maxHints).join(",")
}

const connectTo = (settings: RelaySettings, url: string): string =>
  `<Connect><ConversationRelay${
    attributesOf({
      url,
      language: settings.language,
      voice: settings.voice,
      ttsProvider: settings.tts_provider,
      transcriptionProvider: settings.transcription_provider,
      speechModel: settings.speech_model,
      hints: hintsOf(settings.hints ?? []),
      dtmfDetection: "true",
      interruptible: "any",
      events: "speaker-events",
      applicationReconnect: "true",
      echoPromptFiltering: settings.echo_filter === undefined ? undefined : String(settings.echo_filter),
      ...settings.attributes
    })
  }/></Connect>`

/**
 * Twilio with ConversationRelay: Twilio hears and speaks, so that a call needs no speech service here. Sources:
 * https://www.twilio.com/docs/voice/twiml/connect/conversationrelay and, for hints and languages during a call,
 * https://www.twilio.com/docs/voice/conversationrelay/dynamic-configuration
 */
export const twilioRelay: Dialect = {
  provider: "twilio-relay",
  dedupe: { _tag: "None" },
  lineOf: (connection, environment) =>
    Either.map(
      readSettings(connection, environment),
      (settings) =>
        twilioLine(settings, (url) => connectTo(settings, url), {
          _tag: "Words",
          language: settings.language,
          reconnectMillis,
          tellsVoice: true,
          guesses: false,
          hints: (phrases) =>
            JSON.stringify({ type: "hints", hints: hintsOf([...settings.hints ?? [], ...phrases]) ?? "" }),
          textToken: (token, { interruptible, lang, last }) =>
            JSON.stringify({ type: "text", token, last, lang, interruptible })
        })
    )
}
