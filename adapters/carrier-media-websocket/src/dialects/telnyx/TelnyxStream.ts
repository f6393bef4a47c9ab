import { mulaw } from "@trunkline/audio"
import { type SoundFormat, streamReader } from "../StreamFormat.js"

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
  read: streamReader({ streamId: "stream_id", callId: "call_control_id" }),
  sound: (payload) => `{"event":"media","media":{"payload":"${payload}"}}`,
  mark: (name) => JSON.stringify({ event: "mark", mark: { name } }),
  clear: () => JSON.stringify({ event: "clear" })
}
