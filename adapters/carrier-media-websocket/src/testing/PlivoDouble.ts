import { mulaw } from "@trunkline/audio"
import { plivoSignature } from "../dialects/plivo/PlivoSignature.js"
import { parseObject, textAt } from "../dialects/StreamFormat.js"
import {
  type Asked,
  type DoubleCallFacts,
  type DoubleDialect,
  type DoubleState,
  type FromHost,
  type ReceivedRequest,
  wrongCredentials
} from "./DoubleDialect.js"

/** Accounts of the doubles of Plivo and Vobiz. */
export const plivoAccount = { id: "MAPLIVODOUBLE", token: "plivo-auth-token" }
export const vobizAccount = { id: "MAVOBIZDOUBLE", token: "vobiz-auth-token", eventsKey: "vobiz-events-key" }

const statusOf: Readonly<Record<DoubleState, string>> = {
  queued: "queued",
  ringing: "ringing",
  talking: "in-progress",
  completed: "completed",
  busy: "busy",
  no_answer: "no-answer",
  failed: "failed",
  cancelled: "cancel"
}

const causeOf = ({ isInvalid, state }: DoubleCallFacts): string => {
  switch (state) {
    case "completed":
      return "Normal Hangup"
    case "busy":
      return "Busy Line"
    case "no_answer":
      return "No Answer"
    case "cancelled":
      return "Cancelled"
    default:
      return isInvalid ? "Unallocated number" : "Network Error"
  }
}

const isOver = ({ state }: DoubleCallFacts): boolean => !["queued", "ringing", "talking"].includes(state)

const digitsOf = (number: string): string => number.replace(/^\+/, "")

const fieldsOf = (call: DoubleCallFacts): Readonly<Record<string, string>> => ({
  CallUUID: call.id,
  ...(call.direction === "outbound" && { RequestUUID: call.id }),
  From: digitsOf(call.from),
  To: digitsOf(call.to),
  Direction: call.direction,
  CallStatus: statusOf[call.state],
  ...(isOver(call) && { HangupCauseName: causeOf(call), HangupCause: causeOf(call) })
})

const wrong = (problem: string): Asked => ({ _tag: "Wrong", problem })

const readCreate = (body: string): Asked => {
  const json = parseObject(body)
  const missing = ["from", "to", "answer_url", "hangup_url", "ring_timeout"].filter((name) => textAt(json, name) === "")
  if (missing.length > 0) return wrong(`missing ${missing.join(", ")}`)
  if (textAt(json, "from").startsWith("+")) return wrong("numbers have no plus")
  const statusUrl = textAt(json, "hangup_url")
  return {
    _tag: "Create",
    from: `+${textAt(json, "from")}`,
    to: `+${textAt(json, "to")}`,
    ringSeconds: Number(textAt(json, "ring_timeout")),
    limitSeconds: textAt(json, "time_limit") === "" ? null : Number(textAt(json, "time_limit")),
    attempt_id: new URL(statusUrl).searchParams.get("attempt"),
    stream: { askAt: textAt(json, "answer_url") },
    statusUrl,
    machineUrl: textAt(json, "machine_detection_url") || null,
    key: null
  }
}

const unescape = (text: string): string =>
  text.replaceAll("&quot;", "\"").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

const fromHost = (text: string, streamId: string): FromHost => {
  const message = parseObject(text)
  const isOurs = textAt(message, "streamId") === streamId
  switch (textAt(message, "event")) {
    case "playAudio":
      return textAt(message, "media", "contentType") === "audio/x-mulaw" &&
          textAt(message, "media", "sampleRate") === "8000"
        ? { _tag: "Sound", payload: textAt(message, "media", "payload") }
        : { _tag: "Wrong", problem: "the format of sound" }
    case "checkpoint":
      return isOurs ? { _tag: "Mark", name: textAt(message, "name") } : { _tag: "Wrong", problem: "a checkpoint" }
    case "clearAudio":
      return isOurs ? { _tag: "Clear" } : { _tag: "Wrong", problem: "clearAudio without its stream" }
    case "sendDTMF":
      return { _tag: "Keys", digits: textAt(message, "dtmf") }
    default:
      return { _tag: "Wrong", problem: `the message ${text.slice(0, 60)}` }
  }
}

/** Makes a double of Plivo's kind. */
const makeDouble = ({ base, credentials, inboundKey, provider, sign }: {
  readonly provider: string
  /** Path of the account. */
  readonly base: string
  readonly credentials: (headers: Readonly<Record<string, string>>) => boolean
  /** Headers that prove a request. */
  readonly sign: (url: string, body: string) => Readonly<Record<string, string>>
  /** Query of the address that the account has for inbound calls. */
  readonly inboundKey: string
}): DoubleDialect => {
  const post = (url: string, fields: Readonly<Record<string, string>>) => {
    const body = String(new URLSearchParams(fields))
    return {
      method: "POST" as const,
      url,
      headers: { "content-type": "application/x-www-form-urlencoded", ...sign(url, body) },
      body
    }
  }
  const readRequest = ({ body, headers, method, path }: ReceivedRequest): Asked => {
    if (!credentials(headers)) return wrongCredentials
    if (method === "POST" && path === `${base}/Call/`) return readCreate(body)
    const [, kind, id, query = ""] = new RegExp(`^${base}/(Call|Request)/([\\w-]+)/(\\?status=\\w+)?$`).exec(path) ?? []
    if (id === undefined || kind === undefined) return wrong(`${method} ${path}`)
    if (method === "DELETE") return { _tag: "End", id: kind === "Call" ? id : `request:${id}` }
    return method === "GET" ? { _tag: "Look", id: query === "" ? id : `${id}${query}` } : wrong(`${method} ${path}`)
  }
  return {
    provider,
    newId: (count) => `5a9fcfee-3d4c-11ef-bef9-${String(count).padStart(12, "0")}`,
    readRequest,
    createResponse: (call) => ({ status: 201, body: { message: "call fired", request_uuid: call.id, api_id: "api" } }),
    readLookup: (call) => ({
      status: 200,
      body: isOver(call)
        ? {
          call_uuid: call.id,
          end_time: "2026-11-29 10:00:00",
          answer_time: call.state === "completed" ? "2026-11-29 09:59:00" : "",
          hangup_cause_name: causeOf(call)
        }
        : { call_uuid: call.id, call_status: statusOf[call.state] }
    }),
    ended: { status: 204, body: null },
    notFound: { status: 404, body: { error: "not found" } },
    refused: { status: 400, body: { error: "destination barred" } },
    status: (call, url) => call.state === "talking" ? null : post(url, fieldsOf(call)),
    machine: (call, url, isMachine) => post(url, { ...fieldsOf(call), Machine: String(isMachine) }),
    ask: (call, url) => post(call.direction === "inbound" ? `${url}${inboundKey}` : url, fieldsOf(call)),
    readInstructions: (xml) => {
      const [, streamUrl] = /<Stream bidirectional="true" keepCallAlive="true"[^>]*>([^<]+)<\/Stream>/.exec(xml) ?? []
      const [, rejected = ""] = /<Hangup reason="(\w+)"/.exec(xml) ?? []
      return streamUrl === undefined ? { rejected } : { streamUrl: unescape(streamUrl) }
    },
    handshake: () => ({}),
    rate: 8_000,
    decode: mulaw.decode,
    encode: mulaw.encode,
    messageMillis: 20,
    begin: (call, streamId) => [
      JSON.stringify({
        event: "start",
        sequenceNumber: 0,
        start: {
          callId: call.id,
          streamId,
          accountId: "1",
          tracks: ["inbound"],
          mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000 }
        },
        extra_headers: "{}"
      })
    ],
    sound: (payload, order, streamId) =>
      JSON.stringify({
        event: "media",
        sequenceNumber: order,
        streamId,
        media: { track: "inbound", timestamp: String(order * 20), chunk: order, payload }
      }),
    key: (digit, streamId) =>
      JSON.stringify({ event: "dtmf", streamId, dtmf: { track: "inbound", digit, timestamp: "1" } }),
    mark: (name, streamId) => JSON.stringify({ event: "playedStream", streamId, name }),
    stop: () => null,
    fromHost,
    marksClearedSound: false
  }
}

/** Plivo with audio streams, from its side. */
export const plivoDouble: DoubleDialect = makeDouble({
  provider: "plivo",
  base: `/v1/Account/${plivoAccount.id}`,
  credentials: ({ authorization }) =>
    authorization === `Basic ${Buffer.from(`${plivoAccount.id}:${plivoAccount.token}`).toString("base64")}`,
  inboundKey: "",
  sign: (address, text) => {
    const body = new TextEncoder().encode(text)
    const nonce = "12345678901234567890"
    return {
      "x-plivo-signature-v3-nonce": nonce,
      "x-plivo-signature-v3": plivoSignature(plivoAccount.token, nonce, { address, body, method: "POST" })
    }
  }
})

/** Vobiz, from its side. */
export const vobizDouble: DoubleDialect = makeDouble({
  provider: "vobiz",
  base: `/api/v1/Account/${vobizAccount.id}`,
  credentials: (headers) => headers["x-auth-id"] === vobizAccount.id && headers["x-auth-token"] === vobizAccount.token,
  inboundKey: `?key=${vobizAccount.eventsKey}`,
  sign: () => ({})
})
