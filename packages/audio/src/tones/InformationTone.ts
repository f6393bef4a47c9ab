import type { FrameTone, Tone } from "./FrameTone.js"

/** Progress through the special information tone, in frames of 20 ms. */
export interface InformationTone {
  /** Number of its three tones that were heard to their end; 3 once all were. */
  readonly tones: number
  /** Length of the present tone. */
  readonly length: number
  /** Frames since it. */
  readonly gap: number
}

/** Progress before any tone. */
export const noInformation: InformationTone = { tones: 0, length: 0, gap: 0 }

const order: ReadonlyArray<Tone> = ["low", "middle", "high"]

/** Range of each tone: 330 ms, give or take 70 (ITU-T E.180/Q.35), and less a frame at both ends. */
const minLength = 11
const maxLength = 22

/** Pause between two tones: 30 ms at most. */
const maxGap = 2

/** Takes the next frame into the progress; complete progress stays. */
export const stepInformation = (progress: InformationTone, { tone }: FrameTone): InformationTone => {
  const { gap, tones, length } = progress
  if (tones === order.length) return progress
  if (tone === order[tones]) {
    const isLast = tones === order.length - 1
    if (length > maxLength) return noInformation
    return isLast && length + 1 >= minLength
      ? { tones: order.length, length: 0, gap: 0 }
      : { tones, length: length + 1, gap: 0 }
  }
  if (length >= minLength && tone !== null && tone === order[tones + 1]) return { tones: tones + 1, length: 1, gap: 0 }
  if (length > 0 && gap < maxGap) return { tones, length, gap: gap + 1 }
  return tone === order[0] ? { tones: 0, length: 1, gap: 0 } : noInformation
}
