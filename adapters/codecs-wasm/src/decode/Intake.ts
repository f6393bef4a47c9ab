import { Unreadable } from "./Unreadable.js"

/** The rates that a sound may have: what is beyond is damaged or a trick. */
const rates = { least: 1_000, most: 384_000 } as const

/** Channels of the same length, decoded together. */
export type Channels = ReadonlyArray<Float32Array>

/** How much of a clip is taken in. */
export interface IntakeLimit {
  readonly seconds: number
  /** How many samples its codec may have added to it at its ends. */
  readonly padding: number
}

/** Channels mixed into one in equal shares; what is louder than full scale is clamped. */
const mixed = (channels: Channels): Float32Array => {
  const [first = new Float32Array()] = channels
  const mix = new Float32Array(first.length)
  for (let at = 0; at < mix.length; at++) {
    let sum = 0
    for (const channel of channels) sum += channel[at] ?? 0
    mix[at] = Math.max(-1, Math.min(1, sum / channels.length))
  }
  return mix
}

/** Takes in what is decoded of one clip, and no more of it than there may be. */
export class Intake {
  readonly #limit: IntakeLimit
  readonly #pieces: Array<Float32Array> = []
  #rate = 0
  #length = 0

  constructor(limit: IntakeLimit) {
    this.#limit = limit
  }

  /** Takes some more, and tells whether to go on: not when it is too long already. Throws `Unreadable`. */
  add(channels: Channels, rate: number): boolean {
    const length = channels[0]?.length ?? 0
    if (length === 0) return true
    if (rate !== this.#rate && this.#length > 0) throw new Unreadable("Its rate changes on the way")
    if (!(rate >= rates.least && rate <= rates.most)) throw new Unreadable("It has a rate that no sound has")
    this.#rate = rate
    this.#length += length
    if (this.isTooLong) return false
    this.#pieces.push(mixed(channels))
    return true
  }

  /** Whether more was taken in than there may be. */
  get isTooLong(): boolean {
    const { padding, seconds } = this.#limit
    return this.#length > seconds * this.#rate + padding
  }

  /** What was taken in, without what is beyond the limit. */
  get sound(): { readonly rate: number; readonly samples: Float32Array<ArrayBuffer> } {
    const most = Math.floor(this.#limit.seconds * this.#rate)
    const samples = new Float32Array(Math.min(this.#length, most))
    let at = 0
    for (const piece of this.#pieces) {
      if (at >= samples.length) break
      samples.set(piece.subarray(0, samples.length - at), at)
      at += piece.length
    }
    return { rate: this.#rate, samples }
  }
}
