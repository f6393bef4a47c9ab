import { makeBestMatch } from "@trunkline/audio"
import { LONGEST_PERIOD, SHORTEST_PERIOD } from "./Concealment.js"

/** Makes sound at 8000 Hz shorter or longer by one period of the voice. */
export interface TimeScale {
  /** Sound to work on: 160 samples to make longer, and 120 more to make shorter. */
  readonly input: Float32Array
  /** True when the first 160 samples are as quiet as a pause. */
  readonly isQuiet: () => boolean
  /** Fills a frame with sound that lasts one period longer. Returns the number of samples that it replaces, above 160. */
  readonly shorten: (frame: Float32Array) => number
  /** Fills a frame with sound that lasts one period less. Returns the number of samples that it replaces, below 160. */
  readonly lengthen: (frame: Float32Array) => number
}

const FRAME = 160

/** Mean square below which a frame is quiet: -45 dBFS. */
const QUIET = 10 ** -4.5

/** Samples of the blend from one period to another: 10 ms when sound becomes shorter, 5 ms when it becomes longer. */
const LONG_BLEND = 80
const SHORT_BLEND = 40

/** Makes the adjustments of one stream. They allocate nothing. */
export const makeTimeScale = (): TimeScale => {
  const input = new Float32Array(FRAME + LONGEST_PERIOD)
  const findMatch = makeBestMatch(8_000, { places: LONGEST_PERIOD, length: LONG_BLEND })
  const search = { samples: input, like: 0, length: LONG_BLEND, from: SHORTEST_PERIOD, to: LONGEST_PERIOD }
  const shortening = { ...search, fallback: LONGEST_PERIOD }
  const lengthening = { ...search, length: SHORT_BLEND, fallback: LONGEST_PERIOD }

  const sample = (at: number): number => input[at] ?? 0

  return {
    input,
    isQuiet: () => {
      let sum = 0
      for (let at = 0; at < FRAME; at++) sum += sample(at) ** 2
      return sum < QUIET * FRAME
    },
    shorten: (frame) => {
      const period = findMatch(shortening)
      for (let at = 0; at < FRAME; at++) {
        const share = Math.min(1, (at + 1) / (LONG_BLEND + 1))
        frame[at] = sample(at) + share * (sample(period + at) - sample(at))
      }
      return FRAME + period
    },
    lengthen: (frame) => {
      const period = findMatch(lengthening)
      for (let at = 0; at < FRAME; at++) {
        const share = Math.min(1, Math.max(0, (at - period + 1) / (SHORT_BLEND + 1)))
        frame[at] = sample(at) + share * (sample(at - period) - sample(at))
      }
      return FRAME - period
    }
  }
}
