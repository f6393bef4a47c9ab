import { createHash } from "node:crypto"
import type { Writing } from "../thread/Messages.js"
import { encodeByMediabunny } from "./Mediabunny.js"

/** Where the header ends, and what it says of all samples begins: how many they are, and their MD5 (RFC 9639, 8.2). */
const header = { count: 22, sum: 26, end: 42 } as const

/** As `toPcm16` of packages/audio does it, which would load a lot into a thread. */
const toPcm16 = (samples: Float32Array): Int16Array<ArrayBuffer> => {
  const numbers = new Int16Array(samples.length)
  for (let at = 0; at < numbers.length; at++) numbers[at] = Math.min(32_767, Math.round((samples[at] ?? 0) * 32_768))
  return numbers
}

/** Writes FLAC of 16 bits by libFLAC. */
export const encodeFlac = async ({ rate, samples }: Writing): Promise<Uint8Array> => {
  const { registerFlacEncoder } = await import("@mediabunny/flac-encoder")
  registerFlacEncoder()
  const numbers = toPcm16(samples)
  const isEmpty = numbers.length === 0
  const flac = await encodeByMediabunny({
    codec: "flac",
    rate,
    samples: isEmpty ? new Int16Array(1) : numbers,
    file: ({ FlacOutputFormat }) => new FlacOutputFormat()
  })
  flac.set(createHash("md5").update(new Uint8Array(numbers.buffer)).digest(), header.sum)
  return isEmpty ? flac.slice(0, header.end).fill(0, header.count, header.sum) : flac
}
