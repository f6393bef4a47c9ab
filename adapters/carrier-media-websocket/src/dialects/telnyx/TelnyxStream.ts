import { mulaw } from "@trunkline/audio"
import { orderAt, parseObject, type SoundFormat, type StreamMessage, textAt } from "../StreamFormat.js"

const read = (text: string): StreamMessage => {
  const message = parseObject(text)
  switch (textAt(message, "event")) {
    case "start":
      return {
        _tag: "Start",
        stream_id: textAt(message, "stream_id"),
        call_id: textAt(message, "start", "call_control_id") || null
      }
    case "media":
      return {
        _tag: "Sound",
        payload: textAt(message, "media", "payload"),
        order: orderAt(message, "media", "chunk")
      }
    case "dtmf":
      return { _tag: "Key", digit: textAt(message, "dtmf", "digit") }
    case "mark":
      return { _tag: "Mark", name: textAt(message, "mark", "name") }
    case "stop":
      return { _tag: "Stop" }
    default:
      return { _tag: "Other" }
  }
}

/**
 * Media streams in both directions: mu-law of 8 kHz in RTP mode. Messages of sound may come in another order. Source:
 * https://developers.telnyx.com/api-reference/websockets/stream-call-media-over-websocket
 */
export const telnyxStream: SoundFormat = {
  _tag: "Sound",
  rate: 8_000,
  decode: mulaw.decode,
  encode: mulaw.encode,
  pieceMillis: 20,
  read,
  sound: (payload) => `{"event":"media","media":{"payload":"${payload}"}}`,
  mark: (name) => JSON.stringify({ event: "mark", mark: { name } }),
  clear: () => JSON.stringify({ event: "clear" })
}
