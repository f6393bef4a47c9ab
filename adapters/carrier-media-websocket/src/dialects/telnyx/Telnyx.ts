import { Duration, Either, Schema } from "effect"
import { commonOptions, machineOption, settingsReader } from "../../settings/ConnectionOptions.js"
import {
  type ApiRequest,
  type Dialect,
  type DialectLine,
  jsonBody,
  newsOf,
  type Notice,
  type NoticeContent
} from "../Dialect.js"
import { connected, failed, outcomeIn, type OutcomeWords } from "../Outcomes.js"
import { type StreamFormat, textAt } from "../StreamFormat.js"
import { isTelnyxSignature } from "./TelnyxSignature.js"
import { telnyxStream } from "./TelnyxStream.js"

/** Options of every line at Telnyx. */
export const telnyxOptions = {
  ...commonOptions,
  ...machineOption,
  /** Id of the Call Control application. */
  application_id: Schema.String.pipe(Schema.pattern(/^[\w-]{1,64}$/)),
  api_key_env: Schema.NonEmptyString,
  /** Public key of the account in base64, which proves requests; it is no secret. */
  public_key: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9+/]{43}=$/))
}

const readSettings = settingsReader(Schema.Struct(telnyxOptions), ["api_key"])

/** Outcomes of a call by the cause of its end. Source: https://developers.telnyx.com/docs/voice/programmable-voice/receiving-webhooks */
export const telnyxCauses: OutcomeWords = {
  user_busy: failed("busy"),
  call_rejected: failed("busy", "declined"),
  timeout: failed("no_answer"),
  no_answer: failed("no_answer"),
  originator_cancel: failed("no_answer", "telnyx: cancelled"),
  not_found: failed("failed", "telnyx: invalid_number"),
  unallocated_number: failed("failed", "telnyx: invalid_number"),
  invalid_number_format: failed("failed", "telnyx: invalid_number"),
  normal_clearing: connected,
  time_limit: connected
}

/** News of the end of a call by its cause. */
export const failureOf = (cause: string): Extract<NoticeContent, { readonly _tag: "Status" }>["news"] =>
  newsOf(outcomeIn(telnyxCauses, cause) ?? failed("provider_error", "telnyx: the call failed"))

/** State with which we mark our calls, since addresses of events are those of the application. */
const stateOf = (attempt_id: string): string => Buffer.from(attempt_id).toString("base64")

/** Reads an event. Source: https://developers.telnyx.com/docs/voice/programmable-voice/receiving-webhooks */
const read = ({ json }: Notice): NoticeContent | null => {
  const type = textAt(json, "data", "event_type")
  const at = (name: string) => textAt(json, "data", "payload", name)
  const call_id = at("call_control_id")
  if (type === "" || call_id === "") return null
  const status = (news: Extract<NoticeContent, { readonly _tag: "Status" }>["news"]): NoticeContent => ({
    _tag: "Status",
    call_id,
    attempt_id: Buffer.from(at("client_state"), "base64").toString() || null,
    event_id: textAt(json, "data", "id") || `${call_id}:${type}`,
    news
  })
  switch (type) {
    case "call.initiated":
      return at("direction") === "incoming"
        ? { _tag: "Inbound", call_id, from: at("from"), to: at("to") }
        : status({ _tag: "Ringing" })
    case "call.answered":
      return status({ _tag: "Answered" })
    case "call.hangup":
      return status(failureOf(at("hangup_cause")))
    case "call.machine.detection.ended":
      return { _tag: "Machine", call_id, isMachine: /^(machine|fax)/.test(at("result")) }
    default:
      return { _tag: "Other" }
  }
}

const streamFields = (stream_url: string) => ({
  stream_url,
  stream_track: "inbound_track",
  stream_bidirectional_mode: "rtp",
  stream_bidirectional_codec: "PCMU",
  stream_bidirectional_sampling_rate: 8_000
})

const action = (call_id: string, name: string, body: object): ApiRequest => ({
  method: "POST",
  path: `/v2/calls/${encodeURIComponent(call_id)}/actions/${name}`,
  ...jsonBody(body)
})

/** A line at Telnyx, by the fields that connect a call with the address of its stream. */
export const telnyxLine = (
  settings: Either.Either.Right<ReturnType<typeof readSettings>>,
  fieldsTo: (url: string) => object,
  stream: StreamFormat
): DialectLine => {
  const apiKey = settings.secret("api_key")
  return {
    settings,
    apiUrl: settings.api_url ?? "https://api.telnyx.com",
    tokenSecret: apiKey,
    authorization: { authorization: `Bearer ${apiKey}` },
    create: ({ attempt_id, eventsUrl, from, limitSeconds, ringSeconds, streamUrl, to }) => ({
      method: "POST",
      path: "/v2/calls",
      ...jsonBody({
        connection_id: settings.application_id,
        to,
        from,
        command_id: attempt_id,
        client_state: stateOf(attempt_id),
        webhook_url: eventsUrl("status"),
        webhook_url_method: "POST",
        timeout_secs: ringSeconds,
        ...(limitSeconds !== null && { time_limit_secs: limitSeconds }),
        ...(settings.machine_detection !== "off" && { answering_machine_detection: "detect" }),
        ...fieldsTo(streamUrl)
      })
    }),
    readCallId: (json) => textAt(json, "data", "call_control_id") || null,
    end: (id) => [action(id, "hangup", {})],
    lookUp: (id) => [{ method: "GET", path: `/v2/calls/${encodeURIComponent(id)}` }],
    readLookup: (json) =>
      textAt(json, "data", "is_alive") === "true"
        ? { state: "ringing", failure: null }
        : textAt(json, "data", "is_alive") === "false"
        ? { state: "over", failure: null }
        : null,
    transfer: (id, to) => action(id, "transfer", { to }),
    isAuthentic: (request) => isTelnyxSignature(settings.public_key, request),
    read,
    connect: (call_id, url) => call_id === null ? {} : { command: action(call_id, "answer", fieldsTo(url)) },
    reject: (call_id, reason) => ({
      command: action(call_id, "reject", { cause: reason === "no_capacity" ? "USER_BUSY" : "CALL_REJECTED" })
    }),
    stream
  }
}

/**
 * Telnyx with Call Control and media streams. Sources: https://developers.telnyx.com/api/call-control/dial-call and
 * https://developers.telnyx.com/docs/voice/programmable-voice/media-streaming. A command with the same `command_id` is
 * executed once within 60 seconds.
 */
export const telnyx: Dialect = {
  provider: "telnyx",
  dedupe: { _tag: "Key", ttl: Duration.seconds(60) },
  lineOf: (connection, environment) =>
    Either.map(readSettings(connection, environment), (settings) => telnyxLine(settings, streamFields, telnyxStream))
}
