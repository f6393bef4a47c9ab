import { Either, Schema } from "effect"
import { commonOptions, machineOption, settingsReader } from "../../settings/ConnectionOptions.js"
import { basicAuth, type Dialect, type DialectLine } from "../Dialect.js"
import { type StreamFormat, textAt } from "../StreamFormat.js"
import { attributesOf, xmlReply } from "../Xml.js"
import { mediaStreams } from "./MediaStreams.js"
import {
  isTwilioSignature,
  isTwilioStream,
  readTwilio,
  twilioCalls,
  twilioRefusal,
  twilioReject,
  twilioState
} from "./TwilioApi.js"

/** Options of every line at Twilio. */
export const twilioOptions = {
  ...commonOptions,
  ...machineOption,
  /** Id of the account, which is part of addresses. */
  account_sid: Schema.String.pipe(Schema.pattern(/^AC[0-9a-f]{32}$/)),
  /** Environment variable with the account's auth token, which also proves requests. */
  auth_token_env: Schema.NonEmptyString
}

const readSettings = settingsReader(Schema.Struct(twilioOptions), ["auth_token"])

/** A line at Twilio, by the instructions that connect a call with the address of its stream. */
export const twilioLine = (
  settings: Either.Either.Right<ReturnType<typeof readSettings>>,
  connectTo: (url: string) => string,
  stream: StreamFormat
): DialectLine => {
  const authToken = settings.secret("auth_token")
  const { create, end, lookUp, transfer } = twilioCalls(settings.account_sid)
  const detectsMachines = settings.machine_detection !== "off"
  return {
    settings,
    apiUrl: settings.api_url ?? "https://api.twilio.com",
    tokenSecret: authToken,
    authorization: basicAuth(settings.account_sid, authToken),
    create: (call) => create(call, { detectsMachines, instructions: connectTo(call.streamUrl) }),
    readCallId: (json) => textAt(json, "sid") || null,
    readRefusal: twilioRefusal,
    end,
    lookUp,
    readLookup: (json) => twilioState(textAt(json, "status")),
    transfer,
    isAuthentic: (request) => isTwilioSignature(authToken, request),
    isAuthenticStream: (address, headers) => isTwilioStream(authToken, address, headers),
    read: readTwilio,
    connect: (_call, url) => ({ reply: xmlReply(connectTo(url)) }),
    reject: (_call, reason) => ({ reply: xmlReply(twilioReject(reason)) }),
    stream
  }
}

/**
 * Twilio with Media Streams. Source: https://www.twilio.com/docs/voice/twiml/stream. It has no idempotency keys, and a call
 * cannot be found by anything but its id.
 */
export const twilio: Dialect = {
  provider: "twilio",
  dedupe: { _tag: "None" },
  lineOf: (connection, environment) =>
    Either.map(
      readSettings(connection, environment),
      (settings) => twilioLine(settings, (url) => `<Connect><Stream${attributesOf({ url })}/></Connect>`, mediaStreams)
    )
}
