import { Either, Schema } from "effect"
import { settingsReader } from "../../settings/ConnectionOptions.js"
import type { Dialect } from "../Dialect.js"
import { attributesOf } from "../Xml.js"
import { twilioLine, twilioOptions } from "./Twilio.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

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
    /** Other attributes of the noun, such as `interruptSensitivity`. */
    attributes: optional(
      Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[a-zA-Z]+$/)), value: Schema.String })
    )
  }),
  ["auth_token"]
)

type RelaySettings = Either.Either.Right<ReturnType<typeof readSettings>>

/** Time that Twilio has to come back after a connection broke. */
const reconnectMillis = 15_000

const connectTo = (settings: RelaySettings, url: string): string =>
  `<Connect><ConversationRelay${
    attributesOf({
      url,
      language: settings.language,
      voice: settings.voice,
      ttsProvider: settings.tts_provider,
      transcriptionProvider: settings.transcription_provider,
      speechModel: settings.speech_model,
      hints: settings.hints?.join(","),
      dtmfDetection: "true",
      interruptible: "any",
      events: "speaker-events",
      applicationReconnect: "true",
      ...settings.attributes
    })
  }/></Connect>`

/**
 * Twilio with ConversationRelay: Twilio hears and speaks, so that a call needs no speech service here. Source:
 * https://www.twilio.com/docs/voice/twiml/connect/conversationrelay
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
          reconnectMillis
        })
    )
}
