import type { FrameTone, Tone } from "./FrameTone.js"

/** Progress through the special information tone, in frames of 20 ms. */
export interface InformationTone {
  /** Number of its three tones that were heard to their end; 3 once all were. */
  readonly heard: number
  /** Length of the present tone. */
  readonly length: number
  /** Frames since it. */
  readonly gap: number
}

/** Progress before any tone. */
export const noInformation: InformationTone = { heard: 0, length: 0, gap: 0 }

const order: ReadonlyArray<Tone> = ["low", "middle", "high"]

/** Range of each tone: 330 ms, give or take 70 (ITU-T E.180/Q.35), and less a frame at both ends. */
const SHORTEST = 11
const LONGEST = 22

/** Pause between two tones: 30 ms at most. */
const LONGEST_GAP = 2

/** Takes the next frame into the progress; complete progress stays. */
export const stepInformation = (progress: InformationTone, { tone }: FrameTone): InformationTone => {
  const { gap, heard, length } = progress
  if (heard === order.length) return progress
  if (tone === order[heard]) {
    const isLast = heard === order.length - 1
    if (length > LONGEST) return noInformation
    return isLast && length + 1 >= SHORTEST
      ? { heard: order.length, length: 0, gap: 0 }
      : { heard, length: length + 1, gap: 0 }
  }
  if (length >= SHORTEST && tone !== null && tone === order[heard + 1]) return { heard: heard + 1, length: 1, gap: 0 }
  if (length > 0 && gap < LONGEST_GAP) return { heard, length, gap: gap + 1 }
  return tone === order[0] ? { heard: 0, length: 1, gap: 0 } : noInformation
}
