import { makeG722Decoder, makeRateDoubler, makeRateHalver } from "@trunkline/audio"
import { laws } from "../packets/Law.js"
import type { RtpCodec, SoundRate } from "../packets/RtpCodec.js"

/** Decodes the codes of a stream, whose codec may change at any time. */
export interface SoundDecoder {
  /** Decodes at most 160 codes, which become as many samples at 8,000 Hz, or twice as many, from a position on. */
  readonly decode: (codec: RtpCodec, codes: Uint8Array, count: number, samples: Float32Array, at: number) => void
  /** Takes note that sound in a law has come between, which needs no decoder. */
  readonly leave: () => void
}

const maxUnits = 160

/** Makes a decoder to a rate, which is halved or doubled where the codec has another one. */
export const makeSoundDecoder = (rate: SoundRate): SoundDecoder => {
  const isWide = rate === 16_000
  const sound = new Float32Array(2 * maxUnits)
  const change = isWide ? makeRateDoubler() : makeRateHalver()
  let g722 = makeG722Decoder()
  /** True once another codec has come after G.722. */
  let isLeft = false

  return {
    decode: (codec, codes, count, samples, at) => {
      // A sender that comes back to G.722 begins anew, too.
      if (codec === "g722" && isLeft) g722 = makeG722Decoder()
      isLeft = codec !== "g722"
      const isChanged = (codec === "g722") !== isWide
      const into = isChanged ? sound : samples
      const start = isChanged ? 0 : at
      if (codec === "g722") g722.decode(codes, 0, count, into, start)
      else {
        const levels = laws[codec].samples
        for (let index = 0; index < count; index++) into[start + index] = levels[codes[index] ?? 0] ?? 0
      }
      if (isChanged) change(sound, count, samples, at)
    },
    leave: () => {
      isLeft = true
    }
  }
}
