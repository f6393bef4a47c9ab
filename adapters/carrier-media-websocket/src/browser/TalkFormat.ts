import { fromLinear16, toLinear16 } from "@trunkline/audio"
import type { BrowserRefusal, CallProgress, EndedBy } from "@trunkline/telephony"
import { parseObject, type SoundFormat, type StreamMessage, textAt } from "../dialects/StreamFormat.js"

/** Version of the protocol, which `ready` tells. */
const talkVersion = 1

/** Samples per second in both directions. */
export const talkRate = 16_000

/** Codes of errors that end a call which had begun, or that keep it from beginning. */
export type TalkError = BrowserRefusal | "start_timeout" | "bad_message" | "too_fast"

/** Sentences for people who write clients, and the close code of the socket (RFC 6455, section 7.4.1). */
const errors: Readonly<Record<TalkError, readonly [message: string, closeCode: number]>> = {
  token_invalid: ["This token is not valid here: ask your server for a token of this workspace", 1008],
  token_expired: ["The token has expired: ask your server for another one, right before the call", 1008],
  token_used: ["The token was used before: ask your server for another one, each is good for one call", 1008],
  origin_refused: ["Pages of this origin may not call: add it to the origins of browser calls", 1008],
  busy: ["All lines of this workspace are busy: try again later", 1013],
  unavailable: ["The server takes no calls from browsers at present", 1013],
  start_timeout: ["The client did not send `start` or sound within 10 seconds", 1008],
  bad_message: ["The client sent a frame that this protocol does not have", 1008],
  too_fast: ["The client sent sound or messages far faster than in real time", 1008]
}

const json = (type: string, fields: object = {}): string => JSON.stringify({ type, ...fields })

/** Messages to the client. */
export const talkMessages = {
  ready: (attempt_id: string) => json("ready", { version: talkVersion, attempt_id, rate: talkRate, frame_millis: 20 }),
  progress: (progress: CallProgress) => {
    if (progress._tag === "State") return json("state", { state: progress.state })
    const { isFinal, language_name, role, text } = progress
    return json("transcript", { role, text, language_name, final: isFinal })
  },
  ended: (by: EndedBy) => json("ended", { by }),
  error: (code: TalkError) => json("error", { code, message: errors[code][0] })
}

/** Close code of an error. */
export const closeCodeOf = (code: TalkError): number => errors[code][1]

/** Message of a client, or its sound. */
export type TalkMessage = StreamMessage | { readonly _tag: "Mute"; readonly on: boolean } | { readonly _tag: "Bad" }

/** Reads a text frame of the client. Types of later versions are ignored; what is no message is `Bad`. */
export const readTalk = (text: string): TalkMessage => {
  const message = parseObject(text)
  switch (textAt(message, "type")) {
    case "start":
      return { _tag: "Start", stream_id: "", call_id: null }
    case "played":
      return { _tag: "Mark", name: textAt(message, "name") }
    case "key":
      return { _tag: "Key", digit: textAt(message, "digit") }
    case "mute":
      return { _tag: "Mute", on: textAt(message, "on") === "true" }
    case "hang_up":
      return { _tag: "Stop" }
    case "":
      return { _tag: "Bad" }
    default:
      return { _tag: "Other" }
  }
}

/** Reads a binary frame of the client: whole samples of 16 bits, the lower byte first. */
export const readSound = (bytes: Uint8Array): TalkMessage =>
  bytes.byteLength % 2 === 0 && bytes.byteLength > 0 ? { _tag: "Sound", payload: bytes, order: null } : { _tag: "Bad" }

/** Stream of a call from a browser: PCM of 16 kHz and 16 bits in binary frames, the rest in JSON. */
export const talkFormat: SoundFormat = {
  _tag: "Sound",
  rate: talkRate,
  decode: fromLinear16,
  encode: toLinear16,
  pieceMillis: 20,
  read: () => ({ _tag: "Other" }),
  mark: (name) => json("mark", { name }),
  clear: () => json("clear")
}
