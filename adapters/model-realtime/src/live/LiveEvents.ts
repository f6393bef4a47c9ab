import type { ProviderFault } from "@trunkline/http-client"
import { isJsonObject, numberOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import { type Message, messageText } from "@trunkline/models"
import type { RealtimeOpening } from "@trunkline/turn-taking"
import type { ClientEvent } from "../protocol/ClientEvents.js"
import { faultOfCode } from "../protocol/ServerEvents.js"
import type { SoundFormat } from "../protocol/SoundFormat.js"
import type { LiveSettings } from "./LiveOptions.js"

/** Most messages of the history with which a session begins. */
const maxHistory = 128

/** Most characters of the history, for its 8,192 tokens. */
const maxHistoryLength = 16_000

/** Most bytes of a text that is appended, for its 500 tokens. */
const maxAppend = 900

/** The last messages that fit, as the items of a history. */
const historyOf = (messages: ReadonlyArray<Message>) => {
  let length = 0
  const dialogue = messages.filter(({ role }) => role === "user" || role === "assistant")
    .map((message) => ({ role: message.role, text: messageText(message) }))
    .filter(({ text }) => text !== "")
  const fitting = dialogue.slice(-maxHistory).toReversed().filter(({ text }) => {
    length += text.length
    return length <= maxHistoryLength
  })
  return fitting.toReversed().map(({ role, text }) => ({
    type: "message",
    role,
    content: [{ type: role === "assistant" ? "output_text" : "input_text", text }]
  }))
}

/** The event that begins a session, which delegates to us. */
export const startSession = (
  { model, voice }: LiveSettings,
  sound: SoundFormat,
  { history, setup }: Pick<RealtimeOpening, "history" | "setup">
): ClientEvent => {
  const input = historyOf(history)
  return {
    type: "session.start",
    session: {
      model,
      instructions: setup.instructions,
      audio: { format: sound.names.live, ...(voice !== undefined && { output: { voice } }) },
      delegation: { type: "client" },
      ...(input.length > 0 && { input })
    }
  }
}

/** Parts of a text between words, each of which may be appended; a longer word is cut. */
const partsOf = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let part = ""
  for (const piece of text.match(/\s*\S{1,200}/gu) ?? []) {
    if (part !== "" && Buffer.byteLength(part + piece) > maxAppend) {
      parts.push(part.trim())
      part = ""
    }
    part += piece
  }
  return part.trim() === "" ? parts : [...parts, part.trim()]
}

/** Events that append a text: instructions, silent context, or words to say. */
export const appendText = (
  kind: "commentary" | "instructions" | "thinking",
  text: string,
  delegation_id: string | null
): ReadonlyArray<ClientEvent> =>
  partsOf(text).map((content) => ({ type: `session.${kind}.append`, delegation_id, content }))

/** An event of the server. */
export type LiveServerEvent =
  | { readonly _tag: "Started" }
  | { readonly _tag: "CallerText"; readonly text: string; readonly endMillis: number | null }
  | { readonly _tag: "Audio"; readonly base64: string }
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Delegated"; readonly id: string }
  /** Seconds of the session so far, as the server counts them. */
  | { readonly _tag: "Used"; readonly seconds: number }
  | { readonly _tag: "Closed"; readonly seconds: number; readonly isExpired: boolean }
  | { readonly _tag: "Error"; readonly code: string; readonly fault: ProviderFault }
  /** An event that needs no action. */
  | { readonly _tag: "Notice" }

const secondsOf = (message: Readonly<Record<string, unknown>>): number =>
  numberOf(objectOf(message["usage"])["seconds"]) ?? 0

/** Reads a message of the server; null when it is malformed. */
export const readLiveEvent = (text: string): LiveServerEvent | null => {
  const message = parseJson(text)
  if (!isJsonObject(message)) return null
  const delta = stringOf(message["delta"]) ?? ""
  switch (stringOf(message["type"])) {
    case "session.started":
      return { _tag: "Started" }
    case "session.input_transcript.delta":
      return { _tag: "CallerText", text: delta, endMillis: numberOf(message["end_ms"]) ?? null }
    case "session.output_transcript.delta":
      return { _tag: "Text", text: delta }
    case "session.output_audio.delta":
      return { _tag: "Audio", base64: delta }
    case "session.delegation.created":
      return { _tag: "Delegated", id: stringOf(objectOf(message["delegation"])["id"]) ?? "" }
    case "session.usage.updated":
      return { _tag: "Used", seconds: secondsOf(message) }
    case "session.closed":
      return { _tag: "Closed", seconds: secondsOf(message), isExpired: message["reason"] === "expired" }
    case "error": {
      const error = objectOf(message["error"])
      const code = stringOf(error["code"]) ?? stringOf(error["type"]) ?? ""
      return { _tag: "Error", code: /^[\w.-]{0,60}$/u.test(code) ? code : "", fault: faultOfCode(code) }
    }
    default:
      return { _tag: "Notice" }
  }
}
