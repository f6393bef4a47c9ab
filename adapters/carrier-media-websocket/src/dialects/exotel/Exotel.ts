import { Either, Schema } from "effect"
import { commonOptions, countryOption, settingsReader } from "../../settings/ConnectionOptions.js"
import {
  basicAuth,
  type Dialect,
  type DialectLine,
  formBody,
  newsOf,
  type Notice,
  type NoticeContent,
  type ProviderCall
} from "../Dialect.js"
import { isKeyed, withKey } from "../KeyedAddress.js"
import { toE164, toNational } from "../Numbers.js"
import { connected, failed, outcomeIn, type OutcomeWords, ringing, talking } from "../Outcomes.js"
import { textAt } from "../StreamFormat.js"
import { exotelRate, exotelStream } from "./ExotelStream.js"

const readSettings = settingsReader(
  Schema.Struct({
    ...commonOptions,
    ...countryOption,
    account_sid: Schema.String.pipe(Schema.pattern(/^[\w-]{1,64}$/)),
    api_key_env: Schema.NonEmptyString,
    api_token_env: Schema.NonEmptyString,
    /** Environment variable with a secret of yours: the field `key` of the address in the Voicebot applet. */
    events_key_env: Schema.NonEmptyString
  }),
  ["api_key", "api_token", "events_key"]
)

/** States of a call by its status. Source: https://developer.exotel.com/docs/voice-v1/api-reference/status-callback */
export const exotelStates: OutcomeWords = {
  queued: ringing,
  ringing,
  "in-progress": talking,
  answered: talking,
  completed: connected,
  busy: failed("busy"),
  "no-answer": failed("no_answer"),
  canceled: failed("no_answer", "exotel: cancelled"),
  failed: failed("failed", "exotel: the call failed")
}

/** State of a call by its status; null for a status that is not known. */
export const exotelState = (status: string): ProviderCall | null => outcomeIn(exotelStates, status)

/** Reads a report about one of our calls, or the request of a Voicebot applet for the address of its stream. */
const read = (country: string) => ({ fields, json }: Notice): NoticeContent | null => {
  const at = (name: string) => fields.get(name) ?? textAt(json, name)
  const call_id = at("CallSid")
  if (!/^\w{1,64}$/.test(call_id)) return null
  if (at("about") !== "status") {
    return { _tag: "Inbound", call_id, from: toE164(at("CallFrom"), country), to: toE164(at("CallTo"), country) }
  }
  const event = at("EventType")
  const reportedCall = exotelState(event === "answered" || event === "ringing" ? event : at("Status"))
  if (reportedCall === null) return null
  return {
    _tag: "Status",
    call_id,
    attempt_id: at("attempt") || null,
    event_id: `${call_id}:${event}:${at("Status")}`,
    news: newsOf(reportedCall)
  }
}

/** Address of a stream at our rate. */
const atRate = (url: string): string => `${url}?sample-rate=${exotelRate}`

/**
 * Exotel with AgentStream. Source: https://developer.exotel.com/docs/agentstream/developer-guide. It documents neither signatures
 * nor a request that ends a call: calls end when their stream is closed, and one that rings when its time is over. Requests about
 * our own calls are proven by the key of their address, and those of applets by the key in the address that the applet has.
 */
export const exotel: Dialect = {
  provider: "exotel",
  dedupe: { _tag: "None" },
  lineOf: (connection, environment) =>
    Either.map(readSettings(connection, environment), (settings): DialectLine => {
      const { account_sid, country_code } = settings
      const eventsKey = settings.secret("events_key")
      return {
        settings,
        apiUrl: settings.api_url ?? "https://api.in.exotel.com",
        tokenSecret: settings.secret("api_token"),
        authorization: basicAuth(settings.secret("api_key"), settings.secret("api_token")),
        create: ({ attempt_id, eventsUrl, from, limitSeconds, ringSeconds, streamUrl, to }) => ({
          method: "POST",
          path: `/v1/accounts/${account_sid}/calls/connect`,
          ...formBody([
            // Exotel dials "from" first: the contact.
            ["from", to],
            ["callerid", toNational(from, country_code)],
            ["streamurl", atRate(streamUrl)],
            ["streamtype", "bidirectional"],
            ["timeout", String(ringSeconds)],
            ...(limitSeconds === null ? [] : [["timelimit", String(Math.min(14_400, limitSeconds))] as const]),
            ["customfield", attempt_id],
            ["statuscallback", withKey(eventsKey, eventsUrl("status"))],
            ["statuscallbackcontenttype", "application/json"],
            ["statuscallbackevents[]", "ringing"],
            ["statuscallbackevents[]", "answered"],
            ["statuscallbackevents[]", "terminal"]
          ])
        }),
        readCallId: (json) => textAt(json, "call", "sid") || textAt(json, "Call", "Sid") || null,
        end: () => [],
        lookUp: (id) => [{ method: "GET", path: `/v1/Accounts/${account_sid}/Calls/${encodeURIComponent(id)}.json` }],
        readLookup: (json) => exotelState(textAt(json, "Call", "Status") || textAt(json, "call", "status")),
        isAuthentic: ({ address }) => isKeyed(eventsKey, address),
        read: read(country_code),
        connect: (_call, url) => ({
          reply: { contentType: "application/json", body: JSON.stringify({ url: atRate(url) }) }
        }),
        reject: (_call, reason) => ({
          reply: { status: 404, contentType: "application/json", body: JSON.stringify({ reason }) }
        }),
        stream: exotelStream
      }
    })
}
