import { mulaw } from "@trunkline/audio"
import { parseObject, textAt } from "../dialects/StreamFormat.js"
import {
  type ApiResponse,
  type Asked,
  type DoubleCallFacts,
  type DoubleDialect,
  type FromHost,
  type ReceivedRequest,
  wrongCredentials
} from "./DoubleDialect.js"
import { isLive, liveRow, notice, record } from "./SmartfloLists.js"

/** Account of the double. */
export const smartfloAccount = {
  token: "smartflo-token",
  key: "smartflo-api-key",
  eventsKey: "smartflo-events-key"
}

const wrong = (problem: string): Asked => ({ _tag: "Wrong", problem })

const invalidCall: ApiResponse = { status: 422, body: { success: false, message: "Invalid Call ID" } }

const isDate = (text: string | null): boolean => text !== null && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)

const query = (path: string): Asked => {
  const { pathname, searchParams } = new URL(path, "http://smartflo.example")
  const call_id = searchParams.get("call_id")
  const isWanted = ({ id }: DoubleCallFacts): boolean => call_id === null || id === call_id
  if (pathname === "/v1/live_calls") {
    return {
      _tag: "Query",
      answer: (calls) => ({ status: 200, body: calls.filter((call) => isLive(call) && isWanted(call)).map(liveRow) })
    }
  }
  if (call_id === null && !isDate(searchParams.get("from_date"))) return wrong("records without dates")
  return {
    _tag: "Query",
    answer: (calls) => {
      const results = calls.filter((call) => !isLive(call) && call.state !== "queued" && isWanted(call)).map(record)
      return { status: 200, body: { count: results.length, limit: 100, page: 1, size: results.length, results } }
    }
  }
}

const readCreate = (body: object | null): Asked => {
  const at = (name: string): string => textAt(body, name)
  const ringSeconds = Number(at("customer_ring_timeout"))
  const custom = at("custom_identifier")
  if (at("api_key") !== smartfloAccount.key) return wrong("api_key")
  if (at("async") !== "1") return wrong("async")
  if (!/^\d{10,15}$/.test(at("customer_number"))) return wrong("customer_number")
  if (!/^91\d{10}$/.test(at("caller_id"))) return wrong("caller_id")
  if (!(ringSeconds >= 10 && ringSeconds <= 30)) return wrong("customer_ring_timeout")
  return {
    _tag: "Create",
    from: `+${at("caller_id")}`,
    to: `+${at("customer_number")}`,
    ringSeconds,
    limitSeconds: at("call_timeout") === "" ? null : Number(at("call_timeout")),
    attempt_id: custom.split(".")[0] ?? "",
    custom,
    stream: "panel",
    statusUrl: "",
    machineUrl: null,
    key: null
  }
}

const readRequest = ({ body, headers, method, path }: ReceivedRequest): Asked => {
  if (headers["authorization"] !== `Bearer ${smartfloAccount.token}`) return wrongCredentials
  const json = parseObject(body)
  if (method === "POST" && path === "/v1/click_to_call_support") return readCreate(json)
  if (method === "POST" && path === "/v1/call/hangup") return { _tag: "End", id: textAt(json, "call_id") }
  return method === "GET" && /^\/v1\/(live_calls|call\/records)(\?|$)/.test(path)
    ? query(path)
    : wrong(`${method} ${path}`)
}

const readSound = (message: object | null): FromHost => {
  const payload = textAt(message, "media", "payload")
  const bytes = Buffer.from(payload, "base64").length
  return bytes > 0 && bytes % 160 === 0
    ? { _tag: "Sound", payload, order: Number(textAt(message, "media", "chunk")) }
    : { _tag: "Wrong", problem: `sound of ${bytes} bytes` }
}

const fromHost = (text: string, streamSid: string): FromHost => {
  const message = parseObject(text)
  if (textAt(message, "streamSid") !== streamSid) return { _tag: "Wrong", problem: "a message without its stream" }
  switch (textAt(message, "event")) {
    case "media":
      return readSound(message)
    case "mark":
      return { _tag: "Mark", name: textAt(message, "mark", "name") }
    case "clear":
      return { _tag: "Clear" }
    default:
      return { _tag: "Wrong", problem: `the message ${text.slice(0, 60)}` }
  }
}

/** Smartflo with its Click to Call Support API and bi-directional voice streaming, from its side. */
export const smartfloDouble: DoubleDialect = {
  provider: "smartflo",
  newId: (count) => `h3.08-1770534283.${String(count).padStart(7, "0")}`,
  readRequest,
  createResponse: (call) => ({
    status: 200,
    body: { success: true, message: "Originate successfully queued", ref_id: `ref-${call.id}` }
  }),
  readLookup: () => invalidCall,
  ended: { status: 200, body: { success: true, message: "Call hangup successfully" } },
  endedBefore: invalidCall,
  notFound: invalidCall,
  refused: { status: 200, body: { success: false, message: "The number is on the list of those who are not called" } },
  panel: (lineUrl) => ({
    streamUrl: `${lineUrl.replace(/^http/, "ws")}/streams/${smartfloAccount.eventsKey}`,
    statusUrl: `${lineUrl}/events?key=${smartfloAccount.eventsKey}`
  }),
  status: (call, url) =>
    call.state === "queued" || call.state === "ringing" ? null : {
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(notice(call))
    },
  machine: () => null,
  askMillis: 2_000,
  ask: (call, url) => ({
    method: "GET",
    // As it is seen: a plus is not escaped, and comes as a space.
    url:
      `${url}?key=${smartfloAccount.eventsKey}&callId=ask-${call.id}&fromNumber=${call.from}&toNumber=${call.to}&status=initiated`,
    headers: {},
    body: ""
  }),
  readInstructions: (text) => {
    const reply = parseObject(text)
    const wss = textAt(reply, "wss_url")
    const isWhole = Object.keys(reply ?? {}).sort().join() === "success,wss_url" && textAt(reply, "success") === "true"
    return isWhole ? { streamUrl: wss } : { rejected: textAt(reply, "reason") }
  },
  handshake: () => ({}),
  rate: 8_000,
  decode: mulaw.decode,
  encode: mulaw.encode,
  messageMillis: 100,
  begin: (call, streamSid) => [
    JSON.stringify({ event: "connected" }),
    JSON.stringify({
      event: "start",
      sequenceNumber: "1",
      streamSid,
      start: {
        streamSid,
        accountSid: "acc-1",
        callSid: `sid-${call.id}`,
        from: call.from.slice(1),
        to: call.to.slice(1),
        direction: call.direction,
        mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, bitRate: 64, bitDepth: 8 },
        customParameters: call.custom === null ? {} : { custom_identifier: call.custom }
      }
    })
  ],
  sound: (payload, order, streamSid) =>
    JSON.stringify({
      event: "media",
      sequenceNumber: String(order + 1),
      streamSid,
      media: { chunk: String(order), timestamp: String(order * 100), payload }
    }),
  key: (digit, streamSid) => JSON.stringify({ event: "dtmf", streamSid, dtmf: { digit } }),
  mark: (name, streamSid) => JSON.stringify({ event: "mark", streamSid, mark: { name } }),
  stop: (call, streamSid) =>
    JSON.stringify({
      event: "stop",
      streamSid,
      stop: { accountSid: "acc-1", callSid: `sid-${call.id}`, reason: "The caller disconnected the call" }
    }),
  fromHost,
  marksClearedSound: true
}
