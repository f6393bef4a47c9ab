import { fromLinear16, toLinear16 } from "@trunkline/audio"
import { orderAt, parseObject, type SoundFormat, type StreamMessage, textAt } from "../StreamFormat.js"

/** Sample rate of the stream, which its address asks for. */
export const exotelRate = 16_000

const read = (text: string): StreamMessage => {
  const message = parseObject(text)
  switch (textAt(message, "event")) {
    case "start":
      return {
        _tag: "Start",
        stream_id: textAt(message, "start", "stream_sid") || textAt(message, "stream_sid"),
        call_id: textAt(message, "start", "call_sid") || null
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
 * AgentStream in both directions: 16-bit linear PCM. A message to the provider has at least 3,200 bytes, which are 100 ms at this
 * rate. Source: https://developer.exotel.com/docs/agentstream/stream-voicebot-applet
 */
export const exotelStream: SoundFormat = {
  _tag: "Sound",
  rate: exotelRate,
  decode: fromLinear16,
  encode: toLinear16,
  pieceMillis: 100,
  read,
  sound: (payload, stream_sid) => `{"event":"media","stream_sid":"${stream_sid}","media":{"payload":"${payload}"}}`,
  mark: (name, stream_sid) => JSON.stringify({ event: "mark", stream_sid, mark: { name } }),
  clear: (stream_sid) => JSON.stringify({ event: "clear", stream_sid })
}
