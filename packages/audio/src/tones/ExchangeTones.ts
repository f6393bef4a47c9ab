import { type FrameTone, makeFrameTone } from "./FrameTone.js"
import { noInformation, stepInformation } from "./InformationTone.js"
import { noCadence, stepCadence, type ToneCadence } from "./ToneCadence.js"

/**
 * Tone by which an exchange tells why a call does not connect:
 *
 * - `busy`: a tone of 0.35 to 0.75 s with pauses as long.
 * - `congestion`: the same, quicker: 0.2 or 0.25 s.
 * - `information`: three rising tones, before an announcement.
 */
export type ExchangeTone = "busy" | "congestion" | "information"

/** A detector of the tones of exchanges in a stream of frames. It keeps the state of one stream. */
export interface ExchangeToneDetector {
  /** Takes the next frame of 20 ms, mono samples from -1 to 1, and tells what it is. A concealed one repeats the one before. */
  readonly push: (frame: Float32Array, isConcealed?: boolean) => FrameTone
  /** The latest tone that was recognized; null before one. A rhythm wins over the tone of information before it. */
  readonly tone: ExchangeTone | null
}

/** Tones with their pauses that must be alike, before they are a rhythm. */
const minRepeats = 3

/** Frames of a tone from which it is that of a busy phone, and not of congestion: 0.32 s. */
const slowLength = 16

const rhythmOf = ({ latest, repeats }: ToneCadence): ExchangeTone | null => {
  if (latest === null || repeats < minRepeats) return null
  return latest.on >= slowLength ? "busy" : "congestion"
}

/**
 * Makes a detector of busy, congestion and special information tones for sound at a rate in hertz, by the frequencies and
 * rhythms of ITU-T E.180/Q.35 and its supplement 2: one tone of 400 to 450 Hz, or 480 and 620 Hz, on and off for equal times, at
 * least three times alike. Ringing, with its long pauses, is none of them. In countries whose busy tone is as quick as the
 * congestion tone of the others, such as Brazil, it is told as congestion.
 *
 * @example
 * ```ts
 * const tones = makeExchangeToneDetector({ rate: 8_000 })
 * for (const frame of frames) tones.push(frame)
 * if (tones.heard === "busy") tryLater()
 * ```
 */
export const makeExchangeToneDetector = ({ rate }: { readonly rate: number }): ExchangeToneDetector => {
  const toneOf = makeFrameTone(rate)
  let last: FrameTone = { tone: null, level: -120 }
  let cadence = noCadence
  let information = noInformation
  let rhythm: ExchangeTone | null = null

  return {
    push: (frame, isConcealed = false) => {
      if (!isConcealed) last = toneOf(frame)
      cadence = stepCadence(cadence, last)
      information = stepInformation(information, last)
      rhythm = rhythmOf(cadence) ?? rhythm
      return last
    },
    get tone() {
      return rhythm ?? (information.tones === 3 ? "information" : null)
    }
  }
}
