import { frameSamples, makeG722Encoder, makeRateDoubler, makeRateHalver } from "@trunkline/audio"
import { laws } from "../packets/Law.js"
import type { RtpCodec, SoundRate } from "../packets/RtpCodec.js"

/** Encodes the frames of a stream. */
export interface SoundEncoder {
  /** Encodes a frame of 20 ms into 160 bytes, from a position on. */
  readonly encode: (frame: Float32Array, bytes: Uint8Array, at: number) => void
  /** Changes the codec; the same one goes on as before. */
  readonly use: (codec: RtpCodec) => void
}

/** Makes an encoder of sound at a rate, in any codec: the rate is halved or doubled where the codec has another one. */
export const makeSoundEncoder = (rate: SoundRate, first: RtpCodec): SoundEncoder => {
  const isWide = rate === 16_000
  const changedSamples = new Float32Array(isWide ? frameSamples : 2 * frameSamples)
  const change = isWide ? makeRateHalver() : makeRateDoubler()
  let codec = first
  let g722 = makeG722Encoder()

  return {
    encode: (frame, bytes, at) => {
      const isChanged = (codec === "g722") !== isWide
      if (isChanged) change(frame, frameSamples, changedSamples, 0)
      const sound = isChanged ? changedSamples : frame
      if (codec === "g722") g722.encode(sound, bytes, at)
      else laws[codec].encode(sound, bytes, at)
    },
    use: (next) => {
      if (next === codec) return
      codec = next
      g722 = makeG722Encoder()
    }
  }
}
