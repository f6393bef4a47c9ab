/** A clip that cannot be decoded. The message says why to the user, without any of its contents. */
export class UnreadableClip extends Error {}

/** Splits bytes into chunks: decoders unpack a whole chunk at once, however much is packed into it. */
export function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const id3Magic = [0x49, 0x44, 0x33]

/** Skips the ID3 tag that some files begin with. Its size is coded in 7 bits a byte. */
export const skipId3Tag = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length < 10 || id3Magic.some((byte, at) => bytes[at] !== byte)) return bytes
  const footer = ((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10
  return bytes.subarray(bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7F), 0) + 10 + footer)
}

/** Sample rates that are accepted; any other is damage or an attack. */
const rateLimits = { min: 1_000, max: 384_000 } as const

/** Samples of each channel, all of the same length. */
export type Channels = ReadonlyArray<Float32Array>

/** Limit of the length of a clip. */
export interface IntakeLimit {
  readonly seconds: number
  /** Number of samples that its encoder may have added at the ends, which do not count. */
  readonly padding: number
}

/** Mixes channels into one in equal shares, and clamps what exceeds full scale. */
const mixDown = (channels: Channels): Float32Array => {
  const [first = new Float32Array()] = channels
  const mix = new Float32Array(first.length)
  for (let at = 0; at < mix.length; at++) {
    let sum = 0
    for (const channel of channels) sum += channel[at] ?? 0
    mix[at] = Math.max(-1, Math.min(1, sum / channels.length))
  }
  return mix
}

/** Collects the decoded samples of one clip, up to its limit. */
export class Intake {
  readonly #limit: IntakeLimit
  readonly #chunks: Array<Float32Array> = []
  #rate = 0
  #length = 0

  constructor(limit: IntakeLimit) {
    this.#limit = limit
  }

  /** Adds samples; false once the clip is too long, when decoding shall stop. Throws `UnreadableClip`. */
  add(channels: Channels, rate: number): boolean {
    const length = channels[0]?.length ?? 0
    if (length === 0) return true
    if (rate !== this.#rate && this.#length > 0) throw new UnreadableClip("Its sample rate changes")
    if (!(rate >= rateLimits.min && rate <= rateLimits.max)) throw new UnreadableClip("Its sample rate is out of range")
    this.#rate = rate
    this.#length += length
    if (this.isTooLong) return false
    this.#chunks.push(mixDown(channels))
    return true
  }

  /** True when more was added than the limit allows. */
  get isTooLong(): boolean {
    const { padding, seconds } = this.#limit
    return this.#length > seconds * this.#rate + padding
  }

  /** Samples up to the limit, and their rate. */
  get audio(): { readonly rate: number; readonly samples: Float32Array<ArrayBuffer> } {
    const max = Math.floor(this.#limit.seconds * this.#rate)
    const samples = new Float32Array(Math.min(this.#length, max))
    let at = 0
    for (const chunk of this.#chunks) {
      if (at >= samples.length) break
      samples.set(chunk.subarray(0, samples.length - at), at)
      at += chunk.length
    }
    return { rate: this.#rate, samples }
  }
}
