import { mulaw } from "@trunkline/audio"
import { createHmac } from "node:crypto"
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

/** Account of the double. */
export const twilioAccount = { sid: `AC${"0".repeat(32)}`, token: "twilio-auth-token" }

const statusOf: Readonly<Record<DoubleState, string>> = {
  queued: "queued",
  ringing: "ringing",
  talking: "in-progress",
  completed: "completed",
  busy: "busy",
  no_answer: "no-answer",
  failed: "failed",
  cancelled: "canceled"
}

const base = `/2010-04-01/Accounts/${twilioAccount.sid}/Calls`

const sign = (url: string, fields: Readonly<Record<string, string>>): string =>
  createHmac("sha1", twilioAccount.token)
    .update(url + Object.keys(fields).sort().map((name) => name + fields[name]).join(""))
    .digest("base64")

const post = (url: string, fields: Readonly<Record<string, string>>) => ({
  method: "POST" as const,
  url,
  headers: {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "x-twilio-signature": sign(url, fields)
  },
  body: String(new URLSearchParams(fields))
})

const fieldsOf = (call: DoubleCallFacts): Readonly<Record<string, string>> => ({
  CallSid: call.id,
  AccountSid: twilioAccount.sid,
  From: call.from,
  To: call.to,
  Direction: call.direction === "inbound" ? "inbound" : "outbound-api",
  CallStatus: statusOf[call.state],
  ...(call.isInvalid && { SipResponseCode: "404" })
})

const unescape = (text: string): string =>
  text.replaceAll("&quot;", "\"").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

/** Address of a stream, or of a relay, in instructions. */
const streamIn = (twiml: string): string | null => {
  const [, url] = /<Connect[^>]*><(?:Stream|ConversationRelay)\b[^>]*\burl="([^"]+)"/.exec(twiml) ?? []
  return url === undefined ? null : unescape(url)
}

const wrong = (problem: string): Asked => ({ _tag: "Wrong", problem })

/** Fields that a call cannot be created without. */
const requiredFields = ["To", "From", "Twiml", "StatusCallback", "Timeout"]

const readCreate = (form: URLSearchParams): Asked => {
  const missing = requiredFields.filter((name) => !form.get(name))
  if (missing.length > 0) return wrong(`missing ${missing.join(", ")}`)
  const url = streamIn(form.get("Twiml") ?? "")
  if (url === null) return wrong("the instructions have no stream")
  if (form.getAll("StatusCallbackEvent").join() !== "ringing,answered,completed") return wrong("events of the status")
  const statusUrl = form.get("StatusCallback") ?? ""
  return {
    _tag: "Create",
    from: form.get("From") ?? "",
    to: form.get("To") ?? "",
    ringSeconds: Number(form.get("Timeout")),
    limitSeconds: form.has("TimeLimit") ? Number(form.get("TimeLimit")) : null,
    attempt_id: new URL(statusUrl).searchParams.get("attempt"),
    stream: { url },
    statusUrl,
    machineUrl: form.get("AsyncAmdStatusCallback"),
    key: null
  }
}

/** Reads a request to Twilio's API of calls. */
const twilioAsked = ({ body, headers, method, path }: ReceivedRequest): Asked => {
  const credentials = Buffer.from(`${twilioAccount.sid}:${twilioAccount.token}`).toString("base64")
  if (headers["authorization"] !== `Basic ${credentials}`) return wrongCredentials
  const form = new URLSearchParams(body)
  if (method === "POST" && path === `${base}.json`) return readCreate(form)
  const [, id] = new RegExp(`^${base}/(\\w+)\\.json$`).exec(path) ?? []
  if (id === undefined) return wrong(`${method} ${path}`)
  if (method === "GET") return { _tag: "Look", id }
  if (form.get("Status") === "completed") return { _tag: "End", id }
  const [, to] = /<Dial>([^<]+)<\/Dial>/.exec(form.get("Twiml") ?? "") ?? []
  return to === undefined ? wrong("a change of a call") : { _tag: "Transfer", id, to }
}

const fromHost = (text: string, streamSid: string): FromHost => {
  const message = parseObject(text)
  if (textAt(message, "streamSid") !== streamSid) return { _tag: "Wrong", problem: "a message without its stream" }
  switch (textAt(message, "event")) {
    case "media":
      return { _tag: "Sound", payload: textAt(message, "media", "payload") }
    case "mark":
      return { _tag: "Mark", name: textAt(message, "mark", "name") }
    case "clear":
      return { _tag: "Clear" }
    default:
      return { _tag: "Wrong", problem: `the message ${text.slice(0, 60)}` }
  }
}

/** Twilio with Media Streams, from its side. */
export const twilioDouble: DoubleDialect = {
  provider: "twilio",
  newId: (count) => `CA${String(count).padStart(32, "0")}`,
  readRequest: twilioAsked,
  createResponse: (call) => ({ status: 201, body: { sid: call.id, status: "queued" } }),
  readLookup: (call) => ({ status: 200, body: { sid: call.id, status: statusOf[call.state] } }),
  ended: { status: 200, body: { status: "completed" } },
  notFound: { status: 404, body: { code: 20404 } },
  refused: { status: 400, body: { code: 21215, message: "Geo permission" } },
  status: (call, url) => post(url, fieldsOf(call)),
  machine: (call, url, isMachine) => post(url, { CallSid: call.id, AnsweredBy: isMachine ? "machine_start" : "human" }),
  ask: (call, url) => post(url, fieldsOf(call)),
  readInstructions: (twiml) => {
    const streamUrl = streamIn(twiml)
    const [, rejected = ""] = /<Reject reason="(\w+)"/.exec(twiml) ?? []
    return streamUrl === null ? { rejected } : { streamUrl }
  },
  handshake: (url) => ({ "x-twilio-signature": sign(url, {}) }),
  rate: 8_000,
  decode: mulaw.decode,
  encode: mulaw.encode,
  messageMillis: 20,
  begin: (call, streamSid) => [
    JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" }),
    JSON.stringify({
      event: "start",
      sequenceNumber: "1",
      streamSid,
      start: {
        streamSid,
        accountSid: twilioAccount.sid,
        callSid: call.id,
        tracks: ["inbound"],
        customParameters: {},
        mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 }
      }
    })
  ],
  sound: (payload, order, streamSid) =>
    JSON.stringify({
      event: "media",
      sequenceNumber: String(order + 1),
      streamSid,
      media: { track: "inbound", chunk: String(order), timestamp: String(order * 20), payload }
    }),
  key: (digit, streamSid) => JSON.stringify({ event: "dtmf", streamSid, dtmf: { track: "inbound_track", digit } }),
  mark: (name, streamSid) => JSON.stringify({ event: "mark", streamSid, mark: { name } }),
  stop: (call, streamSid) =>
    JSON.stringify({ event: "stop", streamSid, stop: { accountSid: twilioAccount.sid, callSid: call.id } }),
  fromHost,
  marksClearedSound: true
}

/** Twilio with ConversationRelay, from its side. */
export const twilioRelayDouble: DoubleDialect = {
  ...twilioDouble,
  provider: "twilio-relay",
  isRelay: true,
  reconnectMillis: 15_000,
  readRequest: (request) =>
    request.body.includes("Twiml") && !decodeURIComponent(request.body).includes("ConversationRelay")
      && !decodeURIComponent(request.body).includes("Dial")
      ? { _tag: "Wrong", problem: "the instructions have no relay" }
      : twilioAsked(request)
}
