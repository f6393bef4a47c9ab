import type { Sound } from "../Sound.js"
import { speechSpans } from "./SpeechSpans.js"

/** How much silence is left at both ends, in seconds: enough for a soft consonant, too little to be waited for. */
const MARGIN = 0.05

/**
 * A sound without the silence before anybody speaks and after, but for a margin in seconds. A sound in which nobody
 * speaks stays as it is.
 */
export const trimSilence = (sound: Sound, { margin = MARGIN }: { readonly margin?: number } = {}): Sound => {
  const spans = speechSpans(sound)
  const [first] = spans
  const last = spans.at(-1)
  if (first === undefined || last === undefined) return sound
  const { rate, samples } = sound
  const around = Math.round(margin * rate)
  return { rate, samples: samples.slice(Math.max(0, first.from - around), last.to + around) }
}
