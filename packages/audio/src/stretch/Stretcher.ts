import { SampleWindow } from "../SampleWindow.js"
import { joined, type SoundProcessor } from "../Sound.js"
import { unchanged } from "../Unchanged.js"
import { makeBestMatch } from "./BestMatch.js"

/** How a sound is stretched. */
export interface Stretching {
  /** Samples per second. */
  readonly rate: number
  /** How long the result is for each second of the sound: above 0; above 1 is slower, pace p is 1 / p. */
  readonly factor: number
}

/** How long one part fades into the next, in seconds: half a Hann window of 30 ms (design: telephony 3.3). */
const FADE = 0.015

/** How far a part may lie from where it belongs, in seconds, to fit to the one before. */
const SEARCH = 0.008

/** How much of the next part there is at each sample of a fade. */
const fadeOf = (length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => (1 - Math.cos(Math.PI * (at + 0.5) / length)) / 2)

/**
 * Changes how long a sound lasts and keeps its pitch, by overlapping parts that fit to each other (WSOLA). The result
 * has exactly `factor` times the samples, rounded. From 0.5 to 2 speech stays speech; beyond, ever more of it is left
 * out or repeated. It looks about 40 ms ahead.
 */
export const makeStretcher = ({ factor, rate }: Stretching): SoundProcessor => {
  if (factor === 1) return unchanged
  const fade = fadeOf(Math.max(1, Math.round(FADE * rate)))
  const hop = fade.length
  const reach = Math.round(SEARCH * rate)
  const bestMatch = makeBestMatch(rate, { places: 2 * reach, length: hop })
  const window = new SampleWindow(0)
  /** How many parts were given, and where the last one would go on. */
  let given = 0
  let next = 0

  /** Where the part that is due would lie if it had not to fit. */
  const due = (): number => Math.max(0, Math.round((given + 1) * hop / factor) - hop)

  /** Where the part that is due lies, no later than `latest`: where the last one goes on, if that is near enough. */
  const placeOf = (latest: number): number => {
    const otherwise = Math.min(due(), latest)
    const from = Math.max(0, otherwise - reach)
    const to = Math.min(latest, otherwise + reach)
    if (next >= from && next <= to) return next
    const { first, samples } = window
    const search = { like: next - first, length: hop, from: from - first, to: to - first, otherwise: otherwise - first }
    return bestMatch({ samples, ...search }) + first
  }

  const giveOne = (latest: number): Float32Array => {
    const place = placeOf(latest)
    const [old, fresh] = [next - window.first, place - window.first]
    const part = new Float32Array(hop)
    for (let at = 0; at < hop; at++) {
      const share = fade[at] ?? 0
      const before = window.samples[old + at] ?? 0
      part[at] = before + share * ((window.samples[fresh + at] ?? 0) - before)
    }
    given += 1
    next = place + hop
    return part
  }

  return {
    push: (samples) => {
      window.append(samples)
      const parts: Array<Float32Array> = []
      const latest = window.end - 2 * hop
      while (due() + reach <= latest) parts.push(giveOne(latest))
      window.forget(Math.min(next, due() - reach, latest - reach))
      return joined(parts)
    },
    end: () => {
      const length = window.end
      const total = Math.round(length * factor)
      const left = total - given * hop
      window.appendSilence(2 * hop)
      const parts: Array<Float32Array> = []
      while (given * hop < total) {
        const isLast = (given + 1) * hop >= total
        parts.push(giveOne(Math.max(0, length - (isLast ? hop : 2 * hop))))
      }
      return joined(parts).slice(0, left)
    }
  }
}
