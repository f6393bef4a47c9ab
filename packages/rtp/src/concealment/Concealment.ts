import { makeBestMatch } from "@trunkline/audio"

/** Fills gaps in sound at 8000 Hz with what was heard before. */
export interface Concealment {
  /** Takes sound as it is heard, from a position in a frame up to another. After a gap, its beginning is blended in. */
  readonly play: (frame: Float32Array, from: number, to: number) => void
  /** Fills a part of a frame: the last period of the voice, repeated, and silent after 60 ms. */
  readonly fill: (frame: Float32Array, from: number, to: number) => void
  /** Samples that were filled since sound was last heard. */
  readonly filled: number
}

/** Samples of the fade: 60 ms. */
export const FADE = 480

/** Shortest and longest period in samples, of voices from 67 to 200 Hz; those of higher ones are two or three of theirs. */
export const SHORTEST_PERIOD = 40
export const LONGEST_PERIOD = 120

/** Samples that are compared to find the period: 20 ms. */
const PATTERN = 160

/** Samples of sound that are kept. */
const KEPT = 2 * PATTERN + LONGEST_PERIOD

/** Samples over which sound is blended in after a gap: 5 ms. */
const BLEND = 40

/** Makes the concealment of one stream. It allocates nothing for a frame. */
export const makeConcealment = (): Concealment => {
  const heard = new Float32Array(KEPT)
  const period = new Float32Array(LONGEST_PERIOD)
  const findMatch = makeBestMatch(8_000, { places: LONGEST_PERIOD, length: PATTERN })
  const search = {
    samples: heard,
    like: KEPT - PATTERN,
    length: PATTERN,
    from: KEPT - PATTERN - LONGEST_PERIOD,
    to: KEPT - PATTERN - SHORTEST_PERIOD,
    fallback: KEPT - PATTERN - LONGEST_PERIOD
  }
  let length = LONGEST_PERIOD
  let filled = 0
  let blended = BLEND

  const keep = (frame: Float32Array, from: number, to: number): void => {
    heard.copyWithin(0, to - from)
    for (let at = from, into = KEPT - (to - from); at < to; at++, into++) heard[into] = frame[at] ?? 0
  }

  /** Takes the last period, whose end is bent so that it leads to its beginning. */
  const takePeriod = (): void => {
    length = search.like - findMatch(search)
    const bend = length >> 2
    for (let at = 0; at < length; at++) {
      const share = Math.max(0, at - (length - bend) + 1) / (bend + 1)
      const sample = heard[KEPT - length + at] ?? 0
      period[at] = sample + share * ((heard[KEPT - 2 * length + at] ?? 0) - sample)
    }
  }

  const next = (): number => {
    const sample = filled < FADE ? (period[filled % length] ?? 0) * (1 - filled / FADE) : 0
    filled += 1
    return sample
  }

  return {
    play: (frame, from, to) => {
      if (filled > 0 && blended >= BLEND) blended = 0
      for (let at = from; at < to && blended < BLEND; at++, blended++) {
        const filler = next()
        frame[at] = filler + (blended + 1) / (BLEND + 1) * ((frame[at] ?? 0) - filler)
      }
      if (blended >= BLEND) filled = 0
      keep(frame, from, to)
    },
    fill: (frame, from, to) => {
      if (filled === 0 || blended > 0 && blended < BLEND) {
        filled = 0
        takePeriod()
      }
      blended = BLEND
      for (let at = from; at < to; at++) frame[at] = next()
      keep(frame, from, to)
    },
    get filled() {
      return filled
    }
  }
}
