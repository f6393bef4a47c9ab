import { frameSamples, makeBestMatch } from "@trunkline/audio"
import { samplesPerUnit, type SoundRate } from "../packets/RtpCodec.js"
import { maxPeriod, minPeriod } from "./Concealment.js"

/** Makes sound shorter or longer by one period of the voice: a whole number of units of the timestamp. */
export interface TimeScale {
  /** Sound to work on: a frame to make longer, and the longest period more to make shorter. */
  readonly input: Float32Array
  /** True when the first frame is as quiet as a pause. */
  readonly isQuiet: () => boolean
  /** Fills a frame with sound that lasts one period longer. Returns the number of samples that it replaces, above a frame. */
  readonly shorten: (frame: Float32Array) => number
  /** Fills a frame with sound that lasts one period less. Returns the number of samples that it replaces, below a frame. */
  readonly lengthen: (frame: Float32Array) => number
}

/** Mean square below which a frame is quiet: -45 dBFS. */
const quietLevel = 10 ** -4.5

/** Units of the blend from one period to another: 10 ms when sound becomes shorter, 5 ms when it becomes longer. */
const longBlendUnits = 80
const shortBlendUnits = 40

/** Makes the adjustments of one stream, at a rate. They allocate nothing. */
export const makeTimeScale = (rate: SoundRate): TimeScale => {
  const scale = samplesPerUnit(rate)
  const [size, longest] = [scale * frameSamples, scale * maxPeriod]
  const [longBlend, shortBlend] = [scale * longBlendUnits, scale * shortBlendUnits]
  const input = new Float32Array(size + longest)
  const findMatch = makeBestMatch(rate, { places: longest, length: longBlend })
  const search = { samples: input, like: 0, length: longBlend, from: scale * minPeriod, to: longest }
  const shortening = { ...search, fallback: longest }
  const lengthening = { ...search, length: shortBlend, fallback: longest }

  /** The period by a search, in whole units. */
  const periodBy = (by: typeof shortening): number => {
    const offset = findMatch(by)
    return offset - offset % scale
  }

  const sample = (at: number): number => input[at] ?? 0

  return {
    input,
    isQuiet: () => {
      let sum = 0
      for (let at = 0; at < size; at++) sum += sample(at) ** 2
      return sum < quietLevel * size
    },
    shorten: (frame) => {
      const period = periodBy(shortening)
      for (let at = 0; at < size; at++) {
        const share = Math.min(1, (at + 1) / (longBlend + 1))
        frame[at] = sample(at) + share * (sample(period + at) - sample(at))
      }
      return size + period
    },
    lengthen: (frame) => {
      const period = periodBy(lengthening)
      for (let at = 0; at < size; at++) {
        const share = Math.min(1, Math.max(0, (at - period + 1) / (shortBlend + 1)))
        frame[at] = sample(at) + share * (sample(at - period) - sample(at))
      }
      return size - period
    }
  }
}
