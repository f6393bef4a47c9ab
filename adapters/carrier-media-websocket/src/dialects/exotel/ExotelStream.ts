import { fromLinear16, toLinear16 } from "@trunkline/audio"
import { type SoundFormat, streamReader } from "../StreamFormat.js"

/** Sample rate of the stream, which its address asks for. */
export const exotelRate = 16_000

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
  read: streamReader({ streamId: "stream_sid", callId: "call_sid" }),
  sound: (payload, stream_sid) => `{"event":"media","stream_sid":"${stream_sid}","media":{"payload":"${payload}"}}`,
  mark: (name, stream_sid) => JSON.stringify({ event: "mark", stream_sid, mark: { name } }),
  clear: (stream_sid) => JSON.stringify({ event: "clear", stream_sid })
}
