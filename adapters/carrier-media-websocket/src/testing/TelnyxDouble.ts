import { mulaw } from "@trunkline/audio"
import { generateKeyPairSync, sign as signWith } from "node:crypto"
import { parseObject, textAt } from "../dialects/StreamFormat.js"
import {
  type Asked,
  type DoubleCallFacts,
  type DoubleDialect,
  type FromHost,
  type ReceivedRequest,
  type SentRequest,
  wrongCredentials
} from "./DoubleDialect.js"

const keys = generateKeyPairSync("ed25519")

/** Account of the double; its public key is the last 32 bytes of the DER form. */
export const telnyxAccount = {
  application: "1494404757140276705",
  key: "telnyx-api-key",
  publicKey: keys.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64")
}

const wrong = (problem: string): Asked => ({ _tag: "Wrong", problem })

const post = (url: string, event_type: string, call: DoubleCallFacts, more: object = {}): SentRequest => {
  const body = JSON.stringify({
    data: {
      record_type: "event",
      event_type,
      id: `${call.id}-${event_type}`,
      payload: {
        call_control_id: call.id,
        client_state: call.attempt_id === null ? null : Buffer.from(call.attempt_id).toString("base64"),
        from: call.from,
        to: call.to,
        direction: call.direction === "inbound" ? "incoming" : "outgoing",
        ...more
      }
    }
  })
  const timestamp = String(Math.floor(Date.now() / 1000))
  return {
    method: "POST",
    url,
    headers: {
      "content-type": "application/json",
      "telnyx-timestamp": timestamp,
      "telnyx-signature-ed25519": signWith(null, Buffer.from(`${timestamp}|${body}`), keys.privateKey).toString(
        "base64"
      )
    },
    body
  }
}

const causeOf = ({ isInvalid, state }: DoubleCallFacts): string => {
  switch (state) {
    case "completed":
      return "normal_clearing"
    case "busy":
      return "user_busy"
    case "no_answer":
      return "timeout"
    case "cancelled":
      return "originator_cancel"
    default:
      return isInvalid ? "not_found" : "unspecified"
  }
}

const isStream = (json: unknown): boolean =>
  textAt(json, "stream_bidirectional_mode") === "rtp" && textAt(json, "stream_bidirectional_codec") === "PCMU"

/** Address of the stream, or of the relay, that a command asks for; empty without a good one. */
const streamIn = (json: unknown, isRelay: boolean): string => {
  if (!isRelay) return isStream(json) ? textAt(json, "stream_url") : ""
  const isGood = textAt(json, "stream_url") === "" && textAt(json, "conversation_relay_config", "language") !== ""
  return isGood ? textAt(json, "conversation_relay_config", "url") : ""
}

const readCreate = (body: string, isRelay: boolean): Asked => {
  const json = parseObject(body)
  if (textAt(json, "connection_id") !== telnyxAccount.application) return wrong("connection_id")
  const url = streamIn(json, isRelay)
  if (!/^wss?:/.test(url)) return wrong("no stream in both directions")
  return {
    _tag: "Create",
    from: textAt(json, "from"),
    to: textAt(json, "to"),
    ringSeconds: Number(textAt(json, "timeout_secs")),
    limitSeconds: textAt(json, "time_limit_secs") === "" ? null : Number(textAt(json, "time_limit_secs")),
    attempt_id: Buffer.from(textAt(json, "client_state"), "base64").toString(),
    stream: { url },
    statusUrl: textAt(json, "webhook_url"),
    machineUrl: textAt(json, "answering_machine_detection") === "detect" ? textAt(json, "webhook_url") : null,
    key: textAt(json, "command_id") || null
  }
}

const askedBy = (isRelay: boolean) => ({ body, headers, method, path }: ReceivedRequest): Asked => {
  if (headers["authorization"] !== `Bearer ${telnyxAccount.key}`) return wrongCredentials
  if (method === "POST" && path === "/v2/calls") return readCreate(body, isRelay)
  const [, id, action] = /^\/v2\/calls\/([^/]+)(?:\/actions\/(\w+))?$/.exec(decodeURIComponent(path)) ?? []
  if (id === undefined) return wrong(`${method} ${path}`)
  const json = parseObject(body)
  if (method === "GET" && action === undefined) return { _tag: "Look", id }
  switch (action) {
    case "hangup":
      return { _tag: "End", id }
    case "transfer":
      return { _tag: "Transfer", id, to: textAt(json, "to") }
    case "answer":
      return streamIn(json, isRelay) === "" ? wrong("an answer") : { _tag: "Answer", id, url: streamIn(json, isRelay) }
    case "reject":
      return { _tag: "Reject", id }
    default:
      return wrong(`${method} ${path}`)
  }
}

const fromHost = (text: string): FromHost => {
  const message = parseObject(text)
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

/** Telnyx with Call Control, from its side. */
export const telnyxDouble: DoubleDialect = {
  provider: "telnyx",
  newId: (count) => `v3:call-${count}`,
  readRequest: askedBy(false),
  createResponse: (call) => ({ status: 200, body: { data: { call_control_id: call.id, is_alive: false } } }),
  readLookup: (call) => ({
    status: 200,
    body: { data: { call_control_id: call.id, is_alive: ["queued", "ringing", "talking"].includes(call.state) } }
  }),
  ended: { status: 200, body: { data: { result: "ok" } } },
  notFound: { status: 404, body: { errors: [{ code: "90015" }] } },
  refused: { status: 403, body: { errors: [{ code: "10010", title: "Not allowed" }] } },
  status: (call, url) => {
    switch (call.state) {
      case "queued":
        return null
      case "ringing":
        return post(url, "call.initiated", call)
      case "talking":
        return post(url, "call.answered", call)
      default:
        return post(url, "call.hangup", call, { hangup_cause: causeOf(call), hangup_source: "callee" })
    }
  },
  machine: (call, url, isMachine) =>
    post(url, "call.machine.detection.ended", call, { result: isMachine ? "machine" : "human" }),
  ask: (call, url) => post(url, "call.initiated", call),
  readInstructions: () => null,
  handshake: () => ({}),
  rate: 8_000,
  decode: mulaw.decode,
  encode: mulaw.encode,
  messageMillis: 20,
  begin: (call, stream_id) => [
    JSON.stringify({ event: "connected", version: "1.0.0" }),
    JSON.stringify({
      event: "start",
      sequence_number: "1",
      stream_id,
      start: {
        call_control_id: call.id,
        from: call.from,
        to: call.to,
        media_format: { encoding: "PCMU", sample_rate: 8000, channels: 1 }
      }
    })
  ],
  sound: (payload, order, stream_id) =>
    JSON.stringify({
      event: "media",
      sequence_number: String(order + 1),
      stream_id,
      media: { track: "inbound", chunk: String(order), timestamp: String(order * 20), payload }
    }),
  key: (digit, stream_id) => JSON.stringify({ event: "dtmf", stream_id, dtmf: { digit } }),
  mark: (name, stream_id) => JSON.stringify({ event: "mark", stream_id, mark: { name } }),
  stop: (call, stream_id) => JSON.stringify({ event: "stop", stream_id, stop: { call_control_id: call.id } }),
  fromHost,
  marksClearedSound: true
}

/** Telnyx with Conversation Relay, from its side. */
export const telnyxRelayDouble: DoubleDialect = {
  ...telnyxDouble,
  provider: "telnyx-relay",
  readRequest: askedBy(true),
  isRelay: true,
  tellsVoice: false,
  tokenFields: ["token", "last"]
}
