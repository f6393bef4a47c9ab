import type { Writing } from "../thread/Messages.js"
import { infoFrameOf } from "./InfoFrame.js"
import { type Lame, makeLame, mp3AtOnce, pushTo, setUp } from "./Lame.js"

let lame: Lame | null = null

/** Writes a whole MP3, which says how long it is. */
export const encodeMp3 = async ({ bitrate, rate, samples }: Writing): Promise<Uint8Array> => {
  lame ??= await makeLame()
  setUp(lame, { bitrate, rate })
  const pieces: Array<Uint8Array> = []
  for (let at = 0; at < samples.length; at += mp3AtOnce) pieces.push(pushTo(lame, samples.subarray(at, at + mp3AtOnce)))
  pieces.push(lame.finalize().slice())
  const mp3 = Buffer.concat(pieces)
  // Small buffers are parts of a pool, all of which would be sent.
  return new Uint8Array(Buffer.concat([infoFrameOf(mp3, samples.length), mp3]))
}
