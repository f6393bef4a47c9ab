import type { Writing } from "../thread/Messages.js"
import { encodeByMediabunny } from "./Mediabunny.js"

/** Bits per second: as much as speech needs, and at low rates as little as frames have room for. */
const bitrateOf = (rate: number): number => Math.min(128_000, rate * 3)

/** Writes AAC-LC in ADTS by FFmpeg. The sound begins 1,024 samples late, and its last frame is filled with silence. */
export const encodeAac = async ({ rate, samples }: Writing): Promise<Uint8Array> => {
  const { registerAacEncoder } = await import("@mediabunny/aac-encoder")
  registerAacEncoder()
  return encodeByMediabunny({
    codec: "aac",
    rate,
    samples: samples.length === 0 ? new Float32Array(1) : samples,
    bitrate: bitrateOf(rate),
    file: ({ AdtsOutputFormat }) => new AdtsOutputFormat()
  })
}
