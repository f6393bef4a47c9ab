import { type Audio, type ExchangeTone, makeExchangeToneDetector, mulaw } from "@trunkline/audio"
import type { Announcement } from "./Announcement.js"

/** Store of the sound before an answer. */
export interface EarlySound {
  /** Takes the next frame of 20 ms: mono samples from -1 to 1. */
  readonly push: (frame: Float32Array, concealed: boolean) => void
  /** The tone of an exchange that was recognized; null without one. */
  readonly tone: () => Announcement | null
  /** The last 30 seconds that were neither a tone nor a pause; null for less than a second, which is no announcement. */
  readonly voice: () => Audio | null
}

/** Frames of a second. */
const SECOND = 50

/** Frames that are kept: 30 s, in which an announcement is heard twice. */
const KEPT = 1_500

/** Frames of sound that make an announcement: 1 s. A word takes longer than 60 ms, the edge of a tone does not. */
const LEAST = 50
const LEAST_RUN = 3

/** Frames of a pause that are kept, so that words stay apart: 0.3 s. */
const LONGEST_PAUSE = 15

/** Frames of a tone from which it is one: 0.2 s. A vowel may sound like one for less. */
const LEAST_TONE = 10

/** Level in dBFS from which a frame is sound, far below that of words on a telephone. */
const AUDIBLE = -50

const tones: Readonly<Record<ExchangeTone, Announcement>> = {
  busy: { by: "tone", name: "busy", cause: 17 },
  congestion: { by: "tone", name: "congestion", cause: 34 },
  information: { by: "tone", name: "special information", cause: null }
}

/**
 * Makes an empty store for the sound of one call before its answer, at a rate in hertz. It grows second by second to 240 KB at
 * 8,000 Hz, and takes some microseconds for a frame.
 */
export const makeEarlySound = (rate: number): EarlySound => {
  const detector = makeExchangeToneDetector({ rate })
  const length = Math.round(rate / SECOND)
  /** Seconds of frames in mu-law, which is what most of them were: a ring whose next place is `count` modulo its length. */
  const seconds: Array<Uint8Array> = []
  let count = 0
  let voiced = 0
  let run = 0
  let pause = Infinity
  /** Frames that may be the beginning of a tone. */
  let doubtful: ReadonlyArray<Uint8Array> = []

  const keep = (bytes: Uint8Array): void => {
    const place = count % KEPT
    const second = seconds[Math.floor(place / SECOND)] ?? new Uint8Array(SECOND * length)
    seconds[Math.floor(place / SECOND)] = second
    second.set(bytes, place % SECOND * length)
    count += 1
  }

  const endTone = (): void => {
    if (doubtful.length < LEAST_TONE) doubtful.forEach(keep)
    doubtful = []
  }

  return {
    push: (frame, concealed) => {
      const { level, tone } = detector.push(frame, concealed)
      if (tone === "signal") {
        run = 0
        if (doubtful.length < LEAST_TONE) doubtful = [...doubtful, mulaw.encode(frame)]
        return
      }
      if (doubtful.length > 0) endTone()
      const isVoice = level >= AUDIBLE
      run = isVoice ? run + 1 : 0
      if (run >= LEAST_RUN) voiced += run === LEAST_RUN ? LEAST_RUN : 1
      pause = isVoice ? 0 : pause + 1
      if (pause <= LONGEST_PAUSE) keep(mulaw.encode(frame))
    },
    tone: () => detector.tone === null ? null : tones[detector.tone],
    voice: () => {
      if (voiced < LEAST) return null
      const bytes = new Uint8Array(Math.min(count, KEPT) * length)
      const first = count > KEPT ? count % KEPT : 0
      for (let frame = 0; frame * length < bytes.length; frame++) {
        const place = (first + frame) % KEPT
        const from = place % SECOND * length
        const second = seconds[Math.floor(place / SECOND)]
        if (second !== undefined) bytes.set(second.subarray(from, from + length), frame * length)
      }
      return { rate, samples: mulaw.decode(bytes) }
    }
  }
}
