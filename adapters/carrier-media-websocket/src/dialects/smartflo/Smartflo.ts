import { Either, Schema } from "effect"
import { commonOptions, countryOption, settingsReader, slowPollOption } from "../../settings/ConnectionOptions.js"
import { isSameText } from "../../settings/PublicAddress.js"
import { type Dialect, type DialectLine, jsonBody, newsOf, type Notice, type NoticeContent } from "../Dialect.js"
import { isKeyed } from "../KeyedAddress.js"
import { toE164 } from "../Numbers.js"
import { textAt } from "../StreamFormat.js"
import { makeSmartfloCalls, type SmartfloCalls } from "./SmartfloCalls.js"
import { filled, readSmartfloLookup, smartfloState } from "./SmartfloReports.js"
import { readMark, smartfloStream } from "./SmartfloStream.js"

const FieldName = Schema.String.pipe(Schema.pattern(/^[a-z]\w{0,63}$/))

const readSettings = settingsReader(
  Schema.Struct({
    ...commonOptions,
    ...slowPollOption,
    ...countryOption,
    /** Environment variable with an API token: API Connect, API Tokens. */
    api_token_env: Schema.NonEmptyString,
    /** Environment variable with the key of the Click to Call Support API, whose destination is the endpoint of the stream. */
    api_key_env: Schema.NonEmptyString,
    /** Environment variable with a secret of yours, which is in the addresses that the panel has. */
    events_key_env: Schema.NonEmptyString,
    /** Field of a call for data of its caller, which its stream and its notices tell again. */
    custom_field: Schema.optionalWith(FieldName, { exact: true, default: () => "custom_identifier" }),
    /** Field by which the reply to a dynamic endpoint tells its success: older panels had it without one c. */
    reply_field: Schema.optionalWith(Schema.Literal("success", "sucess"), {
      exact: true,
      default: () => "success" as const
    })
  }),
  ["api_token", "api_key", "events_key"]
)

/** Form of the secret in addresses: it is a segment of a path, and nobody guesses it. */
const isEventsKey = (text: string): boolean => /^[\w-]{16,128}$/.test(text)

/** Milliseconds for the decision on a call that came in: the provider drops it after 2 s. */
const decisionMillis = 1_700

/** Reads a notice about a call, or the request of a dynamic endpoint for the address of a stream. */
const read = (calls: SmartfloCalls, { country, customField }: {
  readonly country: string
  readonly customField: string
}) =>
({ fields, json, now }: Notice): NoticeContent | null => {
  const at = (name: string) => filled(textAt(json, name) || (fields.get(name) ?? ""))
  const mark = readMark(at(customField))
  const inboundId = at("callId")
  if (inboundId !== "") {
    if (mark !== null) return { _tag: "Instruct", token: mark.token }
    const numbers = { from: toE164(at("fromNumber"), country), to: toE164(at("toNumber"), country) }
    if (!/^[\w.-]{1,128}$/.test(inboundId) || calls.isCalling(numbers, now)) return null
    calls.remember(inboundId, numbers, now)
    return { _tag: "Inbound", call_id: inboundId, ...numbers }
  }
  const id = at("call_id")
  if (mark === null) return id === "" ? null : { _tag: "Other" }
  const status = at("call_status") || at("status")
  const isOver = at("end_stamp") !== ""
  const state = smartfloState({
    status,
    causes: [at("hangup_cause_code"), at("hangup_cause_key"), at("hangup_cause"), at("reason_key")],
    isOver,
    isConnected: at("call_connected") === "1" || Number(at("billsec")) > 0
  })
  calls.tell(mark.attempt_id, id, state !== null)
  return state === null ? { _tag: "Other" } : {
    _tag: "Status",
    call_id: mark.attempt_id,
    attempt_id: mark.attempt_id,
    event_id: `${mark.attempt_id}:${status.toLowerCase()}${isOver ? ":over" : ""}`,
    news: newsOf(state)
  }
}

const isYes = (text: string): boolean => text === "true" || text === "1"
const isNo = (text: string): boolean => text === "false" || text === "0"

/**
 * Smartflo of Tata Tele Business Services, whose Click to Call Support API calls a person and connects them with a voice streaming
 * endpoint. Sources, below https://docs.smartflo.tatatelebusiness.com: /reference/v1click_to_call (create), /reference/v1callhangup
 * (end), /reference/v1live_calls and /reference/v1callrecords (look up), /docs/webhook and /docs/webhook-1 (notices),
 * /docs/standard-operating-procedure-sop-for-voice-streaming (endpoints), /reference/rate-limiting-on-api-requests; and
 * https://docs.acefone.in/docs/dynamic-and-static-websocket-options-in-the-voice-streaming-page (its request and its reply).
 *
 * There are no signatures: a secret is in the addresses that the panel has. A stream of a call of ours comes to one static address
 * and tells the token of its call in the field of our own; one without it is refused. A call has the id of its attempt here, since
 * the response tells no id by which the API knows it.
 */
export const smartflo: Dialect = {
  provider: "smartflo",
  dedupe: { _tag: "None" },
  lineOf: (connection, environment) =>
    Either.flatMap(
      readSettings(connection, environment),
      (settings): Either.Either<DialectLine, ReadonlyArray<string>> => {
        const { country_code: country, custom_field: customField, reply_field } = settings
        const eventsKey = settings.secret("events_key")
        if (!isEventsKey(eventsKey)) {
          return Either.left(["options.events_key_env: The secret must be 16 to 128 letters, digits, - and _"])
        }
        const calls = makeSmartfloCalls({ apiKey: settings.secret("api_key"), country, customField })
        return Either.right({
          settings,
          apiUrl: settings.api_url ?? "https://api-smartflo.tatateleservices.com",
          // The secret of the addresses is in the logs of proxies, so that no token is made from it.
          tokenSecret: settings.secret("api_key"),
          authorization: { authorization: `Bearer ${settings.secret("api_token")}` },
          create: calls.create,
          readCallId: (json) => isYes(textAt(json, "success")) ? textAt(json, "ref_id") || "accepted" : null,
          readRefusal: (json) => isNo(textAt(json, "success")) ? { reason: "the call was refused" } : null,
          lateIds: calls,
          end: (call_id) => [{ method: "POST", path: "/v1/call/hangup", ...jsonBody({ call_id }) }],
          lookUp: (id) =>
            ["/v1/live_calls", "/v1/call/records"].map((path) => ({
              method: "GET",
              path: `${path}?${new URLSearchParams({ call_id: id })}`
            })),
          readLookup: readSmartfloLookup,
          isAuthentic: ({ address }) => isKeyed(eventsKey, address),
          isFixedStream: (segment) => isSameText(segment, eventsKey),
          read: read(calls, { country, customField }),
          connect: (_call, wss_url) => ({
            reply: { contentType: "application/json", body: JSON.stringify({ [reply_field]: true, wss_url }) }
          }),
          reject: (_call, reason) => ({
            reply: { status: 404, contentType: "application/json", body: JSON.stringify({ reason }) }
          }),
          decisionMillis,
          stream: smartfloStream(customField)
        })
      }
    )
}
