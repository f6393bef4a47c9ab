import { makeBestMatch } from "@trunkline/audio"
import { samplesPerUnit, type SoundRate } from "../packets/RtpCodec.js"

/** Fills gaps in sound with what was heard before. */
export interface Concealment {
  /** Takes sound as it is heard, from a position in a frame up to another. After a gap, its beginning is blended in. */
  readonly play: (frame: Float32Array, from: number, to: number) => void
  /** Fills a part of a frame: the last period of the voice, repeated, and silent after 60 ms. */
  readonly fill: (frame: Float32Array, from: number, to: number) => void
  /** Samples that were filled since sound was last heard. */
  readonly filledSamples: number
}

/** Units of the timestamp of the fade: 60 ms. */
export const fadeLength = 480

/** Shortest and longest period in units of the timestamp, of voices from 67 to 200 Hz; those of higher ones are two or three of theirs. */
export const minPeriod = 40
export const maxPeriod = 120

/** Units that are compared to find the period, 20 ms, and over which sound is blended in after a gap, 5 ms. */
const patternSamples = 160
const blendSamples = 40

/** Makes the concealment of one stream, at a rate. It allocates nothing for a frame. */
export const makeConcealment = (rate: SoundRate): Concealment => {
  const scale = samplesPerUnit(rate)
  const [pattern, blend, fade, longest] = [
    scale * patternSamples,
    scale * blendSamples,
    scale * fadeLength,
    scale * maxPeriod
  ]
  /** Samples of sound that are kept. */
  const historyLength = 2 * pattern + longest
  const history = new Float32Array(historyLength)
  const period = new Float32Array(longest)
  const findMatch = makeBestMatch(rate, { places: longest, length: pattern })
  const search = {
    samples: history,
    like: historyLength - pattern,
    length: pattern,
    from: historyLength - pattern - longest,
    to: historyLength - pattern - scale * minPeriod,
    fallback: historyLength - pattern - longest
  }
  let length = longest
  let fillCount = 0
  let blendCount = blend

  const keep = (frame: Float32Array, from: number, to: number): void => {
    history.copyWithin(0, to - from)
    for (let at = from, into = historyLength - (to - from); at < to; at++, into++) history[into] = frame[at] ?? 0
  }

  /** Takes the last period, whose end is bent so that it leads to its beginning. */
  const takePeriod = (): void => {
    length = search.like - findMatch(search)
    const bend = length >> 2
    for (let at = 0; at < length; at++) {
      const share = Math.max(0, at - (length - bend) + 1) / (bend + 1)
      const sample = history[historyLength - length + at] ?? 0
      period[at] = sample + share * ((history[historyLength - 2 * length + at] ?? 0) - sample)
    }
  }

  const next = (): number => {
    const sample = fillCount < fade ? (period[fillCount % length] ?? 0) * (1 - fillCount / fade) : 0
    fillCount += 1
    return sample
  }

  return {
    play: (frame, from, to) => {
      if (fillCount > 0 && blendCount >= blend) blendCount = 0
      for (let at = from; at < to && blendCount < blend; at++, blendCount++) {
        const filler = next()
        frame[at] = filler + (blendCount + 1) / (blend + 1) * ((frame[at] ?? 0) - filler)
      }
      if (blendCount >= blend) fillCount = 0
      keep(frame, from, to)
    },
    fill: (frame, from, to) => {
      if (fillCount === 0 || blendCount > 0 && blendCount < blend) {
        fillCount = 0
        takePeriod()
      }
      blendCount = blend
      for (let at = from; at < to; at++) frame[at] = next()
      keep(frame, from, to)
    },
    get filledSamples() {
      return fillCount
    }
  }
}
