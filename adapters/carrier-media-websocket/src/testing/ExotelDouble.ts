import { fromLinear16, toLinear16 } from "@trunkline/audio"
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
export const exotelAccount = { sid: "acme1", key: "exotel-key", token: "exotel-token", eventsKey: "exotel-events-key" }

const statusOf: Readonly<Record<DoubleState, string>> = {
  queued: "queued",
  ringing: "queued",
  talking: "in-progress",
  completed: "completed",
  busy: "busy",
  no_answer: "no-answer",
  failed: "failed",
  cancelled: "canceled"
}

const wrong = (problem: string): Asked => ({ _tag: "Wrong", problem })

const requiredFields = ["from", "callerid", "streamurl", "statuscallback"]

const readCreate = (form: URLSearchParams): Asked => {
  const missing = requiredFields.filter((name) => !form.get(name))
  if (missing.length > 0) return wrong(`missing ${missing.join(", ")}`)
  if (form.get("streamtype") !== "bidirectional") return wrong("streamtype")
  if ((form.get("streamurl") ?? "").length > 600) return wrong("the address of the stream is too long")
  if (!/[?&]sample-rate=16000$/.test(form.get("streamurl") ?? "")) return wrong("the rate of the stream")
  if (!/^0\d{10}$/.test(form.get("callerid") ?? "")) return wrong("callerid")
  return {
    _tag: "Create",
    from: form.get("callerid") ?? "",
    to: form.get("from") ?? "",
    ringSeconds: Number(form.get("timeout")),
    limitSeconds: form.has("timelimit") ? Number(form.get("timelimit")) : null,
    attempt_id: form.get("customfield"),
    stream: { url: form.get("streamurl") ?? "" },
    statusUrl: form.get("statuscallback") ?? "",
    machineUrl: null,
    key: null
  }
}

const readRequest = ({ body, headers, method, path }: ReceivedRequest): Asked => {
  const credentials = Buffer.from(`${exotelAccount.key}:${exotelAccount.token}`).toString("base64")
  if (headers["authorization"] !== `Basic ${credentials}`) return wrongCredentials
  if (method === "POST" && path === `/v1/accounts/${exotelAccount.sid}/calls/connect`) {
    return readCreate(new URLSearchParams(body))
  }
  const [, id] = new RegExp(`^/v1/Accounts/${exotelAccount.sid}/Calls/(\\w+)\\.json$`).exec(path) ?? []
  return method === "GET" && id !== undefined ? { _tag: "Look", id } : wrong(`${method} ${path}`)
}

const fromHost = (text: string, stream_sid: string): FromHost => {
  const message = parseObject(text)
  if (textAt(message, "stream_sid") !== stream_sid) return { _tag: "Wrong", problem: "a message without its stream" }
  switch (textAt(message, "event")) {
    case "media": {
      const payload = textAt(message, "media", "payload")
      const bytes = Buffer.from(payload, "base64").length
      return bytes >= 3_200 && bytes <= 100_000 && bytes % 320 === 0
        ? { _tag: "Sound", payload }
        : { _tag: "Wrong", problem: `sound of ${bytes} bytes` }
    }
    case "mark":
      return { _tag: "Mark", name: textAt(message, "mark", "name") }
    case "clear":
      return { _tag: "Clear" }
    default:
      return { _tag: "Wrong", problem: `the message ${text.slice(0, 60)}` }
  }
}

const national = (number: string): string => number.replace(/^\+91/, "0")

const eventOf = ({ state }: DoubleCallFacts): string =>
  state === "ringing" ? "ringing" : state === "talking" ? "answered" : "terminal"

/** Exotel with AgentStream, from its side. */
export const exotelDouble: DoubleDialect = {
  provider: "exotel",
  newId: (count) => `a1b2c3${String(count).padStart(26, "0")}`,
  readRequest,
  createResponse: (call) => ({ status: 200, body: { call: { sid: call.id, status: "in-progress" } } }),
  readLookup: (call) => ({ status: 200, body: { Call: { Sid: call.id, Status: statusOf[call.state] } } }),
  ended: { status: 200, body: {} },
  notFound: { status: 404, body: { RestException: { Status: 404 } } },
  refused: { status: 403, body: { RestException: { Status: 403 } } },
  status: (call, url) => ({
    method: "POST",
    url,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ CallSid: call.id, EventType: eventOf(call), Status: statusOf[call.state] })
  }),
  machine: () => null,
  ask: (call, url) => ({
    method: "GET",
    url: `${url}?${new URLSearchParams({
      key: exotelAccount.eventsKey,
      CallSid: call.id,
      CallFrom: national(call.from),
      CallTo: national(call.to),
      Direction: "incoming"
    })}`,
    headers: {},
    body: ""
  }),
  readInstructions: (json) => {
    const streamUrl = textAt(parseObject(json), "url")
    return streamUrl === "" ? { rejected: textAt(parseObject(json), "reason") } : { streamUrl }
  },
  handshake: () => ({}),
  rate: 16_000,
  decode: fromLinear16,
  encode: toLinear16,
  messageMillis: 100,
  begin: (call, stream_sid) => [
    JSON.stringify({ event: "connected" }),
    JSON.stringify({
      event: "start",
      sequence_number: 1,
      stream_sid,
      start: {
        stream_sid,
        call_sid: call.id,
        account_sid: exotelAccount.sid,
        from: national(call.from),
        to: national(call.to),
        custom_parameters: {},
        media_format: { encoding: "raw/slin", sample_rate: "16000", bit_rate: "256kbps" }
      }
    })
  ],
  sound: (payload, order, stream_sid) =>
    JSON.stringify({
      event: "media",
      sequence_number: order + 1,
      stream_sid,
      media: { chunk: order, timestamp: String(order * 100), payload }
    }),
  key: (digit, stream_sid) => JSON.stringify({ event: "dtmf", stream_sid, dtmf: { digit, duration: "100" } }),
  mark: (name, stream_sid) => JSON.stringify({ event: "mark", stream_sid, mark: { name } }),
  stop: (call, stream_sid) =>
    JSON.stringify({
      event: "stop",
      stream_sid,
      stop: { call_sid: call.id, account_sid: exotelAccount.sid, reason: "callended" }
    }),
  fromHost,
  marksClearedSound: true
}
