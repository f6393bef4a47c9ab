import { Duration, Either, Schema } from "effect"
import { furtherFields, settingsReader } from "../../settings/ConnectionOptions.js"
import type { Dialect } from "../Dialect.js"
import type { WordsFormat } from "../StreamFormat.js"
import { telnyxLine, telnyxOptions } from "./Telnyx.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Fields that are set here, with their options. */
const reservedFields = {
  url: null,
  language: "language",
  voice: "voice",
  tts_provider: "tts_provider",
  transcription_engine: "transcription_engine"
}

const readSettings = settingsReader(
  Schema.Struct({
    ...telnyxOptions,
    /** Language that a call begins in; `en-IN` by default. */
    language: Schema.optionalWith(Schema.String.pipe(Schema.pattern(/^[a-z]{2,3}(-[A-Z]{2})?$/)), {
      exact: true,
      default: () => "en-IN"
    }),
    /** Such as `Telnyx.Natural.abbie`; that of Telnyx by default. */
    voice: optional(Schema.NonEmptyString),
    tts_provider: optional(Schema.NonEmptyString),
    /** Such as `Deepgram`. */
    transcription_engine: optional(Schema.NonEmptyString),
    /** Such as `deepgram/nova-3`. */
    transcription_model: optional(Schema.NonEmptyString),
    /** Other fields of `conversation_relay_config`, such as `languages`. */
    relay: optional(
      furtherFields(
        Schema.Record({ key: Schema.String.pipe(Schema.pattern(/^[a-z_]+$/)), value: Schema.Unknown }),
        reservedFields
      )
    )
  }),
  ["api_key"]
)

type RelaySettings = Either.Either.Right<ReturnType<typeof readSettings>>

/** Fields of a command that connect a call with its relay, once it is answered. */
const relayFields = (
  { language, relay, transcription_engine, transcription_model, tts_provider, voice }: RelaySettings,
  url: string
) => ({
  conversation_relay_config: {
    url,
    language,
    ...(voice !== undefined && { voice }),
    ...(tts_provider !== undefined && { tts_provider }),
    ...(transcription_engine !== undefined && { transcription_engine }),
    ...(transcription_model !== undefined && { transcription_engine_config: { transcription_model } }),
    dtmf_detection: true,
    interruptible: "any",
    ...relay
  }
})

/** Telnyx does not connect again, and tells neither when the voice begins nor when it ends. Tokens have no other fields. */
const formatOf = (language: string): WordsFormat => ({
  _tag: "Words",
  language,
  reconnectMillis: 0,
  tellsVoice: false,
  guesses: true,
  textToken: (token, { last }) => JSON.stringify({ type: "text", token: token === "" ? " " : token, last })
})

/**
 * Telnyx with Conversation Relay: Telnyx hears and speaks, with the messages of Twilio's. Sources:
 * https://developers.telnyx.com/docs/voice/programmable-voice/conversation-relay and
 * https://developers.telnyx.com/api-reference/websockets/conversationrelay-websocket-channel
 */
export const telnyxRelay: Dialect = {
  provider: "telnyx-relay",
  dedupe: { _tag: "Key", ttl: Duration.seconds(60) },
  lineOf: (connection, environment) =>
    Either.map(
      readSettings(connection, environment),
      (settings) => telnyxLine(settings, (url) => relayFields(settings, url), formatOf(settings.language))
    )
}
