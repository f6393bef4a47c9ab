import { type Audio, type ExchangeTone, makeExchangeToneDetector, mulaw } from "@trunkline/audio"
import type { Announcement } from "./Announcement.js"

/** Store of the sound before an answer. */
export interface EarlySound {
  /** Takes the next frame of 20 ms: mono samples from -1 to 1. */
  readonly push: (frame: Float32Array, isConcealed: boolean) => void
  /** The tone of an exchange that was recognized; null without one. */
  readonly tone: () => Announcement | null
  /** The last 30 seconds that were neither a tone nor a pause; null for less than a second, which is no announcement. */
  readonly voice: () => Audio | null
}

/** Frames of a second. */
const framesPerSecond = 50

/** Frames that are kept: 30 s, in which an announcement is heard twice. */
const maxFrames = 1_500

/** Frames of sound that make an announcement: 1 s. A word takes longer than 60 ms, the edge of a tone does not. */
const minFrames = 50
const minRun = 3

/** Frames of a pause that are kept, so that words stay apart: 0.3 s. */
const maxPause = 15

/** Frames of a tone from which it is one: 0.2 s. A vowel may sound like one for less. */
const minTone = 10

/** Level in dBFS from which a frame is sound, far below that of words on a telephone. */
const audibleLevel = -50

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
  const length = Math.round(rate / framesPerSecond)
  /** Seconds of frames in mu-law, which is what most of them were: a ring whose next place is `count` modulo its length. */
  const seconds: Array<Uint8Array> = []
  let count = 0
  let voiceFrames = 0
  let run = 0
  let pause = Infinity
  /** Frames that may be the beginning of a tone. */
  let doubtful: ReadonlyArray<Uint8Array> = []

  const keep = (bytes: Uint8Array): void => {
    const place = count % maxFrames
    const second = seconds[Math.floor(place / framesPerSecond)] ?? new Uint8Array(framesPerSecond * length)
    seconds[Math.floor(place / framesPerSecond)] = second
    second.set(bytes, place % framesPerSecond * length)
    count += 1
  }

  const endTone = (): void => {
    if (doubtful.length < minTone) doubtful.forEach(keep)
    doubtful = []
  }

  return {
    push: (frame, isConcealed) => {
      const { level, tone } = detector.push(frame, isConcealed)
      if (tone === "signal") {
        run = 0
        if (doubtful.length < minTone) doubtful = [...doubtful, mulaw.encode(frame)]
        return
      }
      if (doubtful.length > 0) endTone()
      const isVoice = level >= audibleLevel
      run = isVoice ? run + 1 : 0
      if (run >= minRun) voiceFrames += run === minRun ? minRun : 1
      pause = isVoice ? 0 : pause + 1
      if (pause <= maxPause) keep(mulaw.encode(frame))
    },
    tone: () => detector.tone === null ? null : tones[detector.tone],
    voice: () => {
      if (voiceFrames < minFrames) return null
      const bytes = new Uint8Array(Math.min(count, maxFrames) * length)
      const first = count > maxFrames ? count % maxFrames : 0
      for (let frame = 0; frame * length < bytes.length; frame++) {
        const place = (first + frame) % maxFrames
        const from = place % framesPerSecond * length
        const second = seconds[Math.floor(place / framesPerSecond)]
        if (second !== undefined) bytes.set(second.subarray(from, from + length), frame * length)
      }
      return { rate, samples: mulaw.decode(bytes) }
    }
  }
}
