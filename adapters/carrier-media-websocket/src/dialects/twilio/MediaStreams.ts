import { mulaw } from "@trunkline/audio"
import { type SoundFormat, streamReader } from "../StreamFormat.js"

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
  read: streamReader({ streamId: "streamSid", callId: "callSid" }),
  sound: (payload, streamSid) => `{"event":"media","streamSid":"${streamSid}","media":{"payload":"${payload}"}}`,
  mark: (name, streamSid) => JSON.stringify({ event: "mark", streamSid, mark: { name } }),
  clear: (streamSid) => JSON.stringify({ event: "clear", streamSid })
}
