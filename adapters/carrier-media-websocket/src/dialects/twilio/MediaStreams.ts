import { mulaw } from "@trunkline/audio"
import { orderAt, parseObject, type SoundFormat, type StreamMessage, textAt } from "../StreamFormat.js"

const readMediaStreams = (text: string): StreamMessage => {
  const message = parseObject(text)
  switch (textAt(message, "event")) {
    case "start":
      return {
        _tag: "Start",
        stream_id: textAt(message, "start", "streamSid") || textAt(message, "streamSid"),
        call_id: textAt(message, "start", "callSid") || null
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
 * Twilio Media Streams in both directions: mu-law of 8 kHz. Source:
 * https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
export const mediaStreams: SoundFormat = {
  _tag: "Sound",
  rate: 8_000,
  decode: mulaw.decode,
  encode: mulaw.encode,
  pieceMillis: 20,
  read: readMediaStreams,
  sound: (payload, streamSid) => `{"event":"media","streamSid":"${streamSid}","media":{"payload":"${payload}"}}`,
  mark: (name, streamSid) => JSON.stringify({ event: "mark", streamSid, mark: { name } }),
  clear: (streamSid) => JSON.stringify({ event: "clear", streamSid })
}
