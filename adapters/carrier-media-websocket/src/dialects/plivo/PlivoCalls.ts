import { mulaw } from "@trunkline/audio"
import {
  type ApiRequest,
  type CallToCreate,
  jsonBody,
  newsOf,
  type Notice,
  type NoticeContent,
  type ProviderCall
} from "../Dialect.js"
import { toE164 } from "../Numbers.js"
import { connected, failed, outcomeIn, type OutcomeWords, ringing, talking } from "../Outcomes.js"
import { type SoundFormat, streamReader, textAt } from "../StreamFormat.js"
import { attributesOf, escapeXml } from "../Xml.js"

/** Causes of a hang-up that stand for a number that cannot be called. */
const invalidNumber = /unallocated|invalid destination|unknown destination|incomplete|does not exist/i

/** States of a call by its status. Source: https://www.plivo.com/docs/voice/xml/overview/request-to-answer-url (CallStatus) */
export const plivoStates = (provider: string): OutcomeWords => ({
  queued: ringing,
  initiated: ringing,
  early: ringing,
  ringing,
  "in-progress": talking,
  answer: talking,
  completed: connected,
  busy: failed("busy"),
  timeout: failed("no_answer"),
  "no-answer": failed("no_answer"),
  cancel: failed("no_answer", `${provider}: cancelled`),
  failed: failed("failed", `${provider}: the call failed`)
})

/**
 * State of a call by its status and the cause of its end; null for a status that is not known. Source of the causes:
 * https://www.plivo.com/docs/voice/troubleshooting/hangup-causes (HangupCauseName)
 */
export const plivoState = (provider: string, status: string, cause: string): ProviderCall | null =>
  status === "busy" && /reject/i.test(cause)
    ? failed("busy", "declined")
    : status === "failed" && invalidNumber.test(cause)
    ? failed("failed", `${provider}: invalid_number`)
    : outcomeIn(plivoStates(provider), status)

/** Status of a record of an ended call, which has a cause in place of it. */
const statusOfCause = (cause: string): string =>
  /busy|reject/i.test(cause)
    ? "busy"
    : /no answer|timeout/i.test(cause)
    ? "no-answer"
    : /cancel/i.test(cause)
    ? "cancel"
    : /normal|hangup|end of xml|api request/i.test(cause)
    ? "completed"
    : "failed"

/** Reads a call that was looked up: one in progress has a status, one that is over a cause. */
export const readPlivoLookup = (provider: string, json: unknown): ProviderCall | null => {
  const cause = textAt(json, "hangup_cause_name")
  const status = textAt(json, "call_status") || (textAt(json, "end_time") === "" ? "ringing" : statusOfCause(cause))
  const wasAnswered = textAt(json, "answer_time") !== "" && textAt(json, "end_time") !== ""
  return plivoState(provider, wasAnswered ? "completed" : status, cause)
}

/** Requests about calls of an account, whose API lies below `base`. */
export const plivoCalls = (base: string) => {
  const pathOf = (id: string) => `${base}/Call/${encodeURIComponent(id)}/`
  const digits = (number: string) => number.replace(/^\+/, "")
  return {
    create: (
      { eventsUrl, from, limitSeconds, ringSeconds, to }: CallToCreate,
      { detectsMachines }: { readonly detectsMachines: boolean }
    ): ApiRequest => ({
      method: "POST",
      path: `${base}/Call/`,
      ...jsonBody({
        from: digits(from),
        to: digits(to),
        answer_url: eventsUrl("answer"),
        answer_method: "POST",
        ring_url: eventsUrl("status"),
        hangup_url: eventsUrl("status"),
        ring_timeout: ringSeconds,
        ...(limitSeconds !== null && { time_limit: limitSeconds }),
        ...(detectsMachines && { machine_detection: "true", machine_detection_url: eventsUrl("machine") })
      })
    }),
    end: (id: string): ReadonlyArray<ApiRequest> => [
      { method: "DELETE", path: pathOf(id) },
      { method: "DELETE", path: `${base}/Request/${encodeURIComponent(id)}/` }
    ],
    lookUp: (id: string): ReadonlyArray<ApiRequest> => [
      { method: "GET", path: `${pathOf(id)}?status=live` },
      { method: "GET", path: `${pathOf(id)}?status=queued` },
      { method: "GET", path: pathOf(id) }
    ]
  }
}

/** Reads a request: of an inbound call, of an answered one for its stream, of a status, or of who answered. */
export const readPlivo = (provider: string, country: string) => ({ fields }: Notice): NoticeContent | null => {
  const call_id = fields.get("RequestUUID") || fields.get("CallUUID") || ""
  if (!/^[\w-]{1,64}$/.test(call_id)) return null
  const about = fields.get("about")
  const status = fields.get("CallStatus") ?? ""
  if (about === "answer") return { _tag: "Instruct", token: fields.get("token") ?? "" }
  if (about === "machine") return { _tag: "Machine", call_id, isMachine: fields.get("Machine") === "true" }
  if (about !== "status") {
    if (fields.get("Direction") !== "inbound" || status !== "ringing") return { _tag: "Other" }
    const [from = "", to = ""] = ["From", "To"].map((name) => toE164(fields.get(name) ?? "", country))
    return { _tag: "Inbound", call_id, from, to }
  }
  const reportedCall = plivoState(provider, status, fields.get("HangupCauseName") ?? fields.get("HangupCause") ?? "")
  if (reportedCall === null) return null
  return {
    _tag: "Status",
    call_id,
    attempt_id: fields.get("attempt"),
    event_id: `${call_id}:${status}`,
    news: newsOf(reportedCall)
  }
}

/** Instructions that connect a call with its stream. */
export const streamXml = (url: string): string =>
  `<Stream${attributesOf({ bidirectional: "true", keepCallAlive: "true", contentType: "audio/x-mulaw;rate=8000" })}>${
    escapeXml(url)
  }</Stream>`

/**
 * Streams in both directions: mu-law of 8 kHz, with checkpoints as marks. A socket that closes is the end of the call. Sources:
 * https://www.plivo.com/docs/voice/xml/audiostream and its pages of events.
 */
export const plivoStream: SoundFormat = {
  _tag: "Sound",
  rate: 8_000,
  decode: mulaw.decode,
  encode: mulaw.encode,
  pieceMillis: 20,
  closeIsEnd: true,
  read: streamReader({
    streamId: "streamId",
    callId: "callId",
    mark: { event: "playedStream", name: ["name"] }
  }),
  sound: (payload) =>
    `{"event":"playAudio","media":{"contentType":"audio/x-mulaw","sampleRate":8000,"payload":"${payload}"}}`,
  mark: (name, streamId) => JSON.stringify({ event: "checkpoint", streamId, name }),
  clear: (streamId) => JSON.stringify({ event: "clearAudio", streamId }),
  keys: (digits, streamId) => JSON.stringify({ event: "sendDTMF", streamId, dtmf: digits })
}
