import { SampleWindow, unchanged } from "../SampleWindow.js"
import { type AudioProcessor, concatSamples } from "../Sound.js"
import { makeBestMatch } from "./BestMatch.js"

/** Options of a stretcher. */
export interface StretchOptions {
  /** Samples per second. */
  readonly rate: number
  /** Ratio of output to input duration, above 0. Values above 1 slow down; a pace p is 1 / p. */
  readonly factor: number
}

/** Length of the cross-fade between two segments, in seconds: half a Hann window of 30 ms. */
const fadeLength = 0.015

/** Largest shift of a segment to match the one before, in seconds. */
const searchSeconds = 0.008

/** Gain of the next segment at each sample of a cross-fade. */
const fadeOf = (length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => (1 - Math.cos(Math.PI * (at + 0.5) / length)) / 2)

/**
 * Makes a processor that changes the duration of audio and keeps its pitch by overlapping matching segments (WSOLA,
 * Verhelst and Roelands 1993). The output has exactly `factor` times the samples, rounded. Speech stays natural for
 * factors from 0.5 to 2. The look-ahead is about 40 ms.
 */
export const makeStretcher = ({ factor, rate }: StretchOptions): AudioProcessor => {
  if (factor === 1) return unchanged
  const fade = fadeOf(Math.max(1, Math.round(fadeLength * rate)))
  const hop = fade.length
  const reach = Math.round(searchSeconds * rate)
  const bestMatch = makeBestMatch(rate, { places: 2 * reach, length: hop })
  const window = new SampleWindow(0)
  /** Number of emitted segments, and position at which the last one would continue. */
  let segmentCount = 0
  let next = 0

  /** Position of the next segment before matching. */
  const due = (): number => Math.max(0, Math.round((segmentCount + 1) * hop / factor) - hop)

  /** Position of the next segment, at most `latest`: the continuation of the last one, if that is close enough. */
  const placeOf = (latest: number): number => {
    const fallback = Math.min(due(), latest)
    const from = Math.max(0, fallback - reach)
    const to = Math.min(latest, fallback + reach)
    if (next >= from && next <= to) return next
    const { first, samples } = window
    const search = { like: next - first, length: hop, from: from - first, to: to - first, fallback: fallback - first }
    return bestMatch({ samples, ...search }) + first
  }

  const emitOne = (latest: number): Float32Array => {
    const place = placeOf(latest)
    const [old, fresh] = [next - window.first, place - window.first]
    const segment = new Float32Array(hop)
    for (let at = 0; at < hop; at++) {
      const share = fade[at] ?? 0
      const before = window.samples[old + at] ?? 0
      segment[at] = before + share * ((window.samples[fresh + at] ?? 0) - before)
    }
    segmentCount += 1
    next = place + hop
    return segment
  }

  return {
    push: (samples) => {
      window.append(samples)
      const segments: Array<Float32Array> = []
      const latest = window.end - 2 * hop
      while (due() + reach <= latest) segments.push(emitOne(latest))
      window.discardBefore(Math.min(next, due() - reach, latest - reach))
      return concatSamples(segments)
    },
    end: () => {
      const length = window.end
      const total = Math.round(length * factor)
      const remaining = total - segmentCount * hop
      window.appendSilence(2 * hop)
      const segments: Array<Float32Array> = []
      while (segmentCount * hop < total) {
        const isLast = (segmentCount + 1) * hop >= total
        segments.push(emitOne(Math.max(0, length - (isLast ? hop : 2 * hop))))
      }
      return concatSamples(segments).slice(0, remaining)
    }
  }
}
