import { frameMillis } from "../Frame.js"
import { decibels } from "../levels/Levels.js"

/**
 * Verdict on a frame:
 *
 * - `speech`: somebody speaks, or did until 80 ms ago.
 * - `silence`: nobody speaks.
 * - `none`: the frame says nothing, since it is concealed or among the first 100 ms of the stream.
 * - `invalid`: the frame has the wrong length or samples that are not finite; it changes nothing.
 */
export type FrameActivity = "speech" | "silence" | "none" | "invalid"

/** A detector of speech in a stream of frames. It keeps the state of one stream, and allocates nothing for a frame. */
export interface VoiceActivityDetector {
  /** Samples of a frame: 20 ms. */
  readonly frameLength: number
  /**
   * Judges the next frame: mono samples from -1 to 1. A concealed frame, with which a receiver fills the gap of a lost
   * packet, leaves the state unchanged.
   */
  readonly push: (frame: Float32Array, isConcealed?: boolean) => FrameActivity
  /** True while the last judged frame was speech. */
  readonly isSpeaking: boolean
  /** Level of the last judged frame, in dBFS: -120 before the first one. */
  readonly level: number
  /** Level of the background noise, in dBFS. */
  readonly noise: number
  /** Milliseconds with a voice within the last 300 ms of judged frames; a caller who interrupts reaches 200. */
  readonly voicedMillis: number
  /** Milliseconds of judged frames since the last one with a voice, without the 80 ms of hangover: Infinity before any. */
  readonly silentMillis: number
}

/**
 * Decides whether a frame has a voice, by its samples, its level in dB above the noise, and what energy alone says of it. It
 * is asked once for each judged frame, in their order.
 */
export type VoiceJudge = (frame: Float32Array, aboveNoise: number, isLoud: boolean) => boolean

/** Options of a detector. */
export interface VoiceActivityOptions {
  /** Sample rate of the sound, in hertz. */
  readonly rate: number
  /** Second opinion on each frame; by default energy alone decides. */
  readonly judge?: VoiceJudge
}

/** Frames per second. */
const framesPerSecond = 1000 / frameMillis

/** Frames at the start of a stream from which the noise is learned before anything is judged: 100 ms. */
const settlingTime = 5

/** Range of the noise level in dBFS. Nothing below -53 is speech; a voice from the very start of a stream is no noise. */
const minNoise = -60
const maxFirstNoise = -30

/** Level in dBFS below which a frame is digital silence, which says nothing about the noise. */
const digitalSilence = -80

/** Distances in dB above the noise at which a voice begins and ends. Steady noise varies by 1 dB from frame to frame. */
const beginLevel = 7
const endLevel = 4

/** Frames that a voice must last before it is speech, since clicks are shorter, and those for which speech goes on. */
const onset = 2
const hangover = 4

/** Share of a frame in the noise level when it is above it, and below it: time constants of 400 and 100 ms. */
const riseRate = 0.05
const fallRate = 0.2

/** Frames of speech without a pause after which its lowest level is taken for noise: 20 s. */
const maxRun = 20 * framesPerSecond

/** Frames of the window of `voicedMillis`, as bits. */
const windowSize = (1 << 15) - 1

const countBits = (bits: number): number => {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** Mean square of a frame around its own mean; NaN or infinite for samples that are not finite. */
const powerOf = (frame: Float32Array): number => {
  let sum = 0
  let squares = 0
  for (let at = 0; at < frame.length; at++) {
    const sample = frame[at] ?? 0
    sum += sample
    squares += sample * sample
  }
  return squares / frame.length - (sum / frame.length) ** 2
}

/**
 * Makes a detector of speech by energy, for sound at a rate in hertz. A voice is at least 40 ms of sound 7 dB above the
 * noise. The noise level is followed while nobody speaks, and held while somebody does: it then only falls. After 20 s of
 * speech without the shortest pause, the lowest level of that time is taken for noise that has grown. Noise that begins
 * suddenly is taken for speech until then; so is any steady tone. A `judge` may overrule the energy of each frame; noise that
 * it takes for none of speech is followed at once.
 *
 * @example
 * ```ts
 * const detector = makeVoiceActivityDetector({ rate: 8_000 })
 * line.hear((frame) => {
 *   detector.push(frame)
 *   if (detector.voicedMillis >= 200) interrupt()
 * })
 * ```
 */
export const makeVoiceActivityDetector = ({ judge, rate }: VoiceActivityOptions): VoiceActivityDetector => {
  const frameLength = Math.round(rate / framesPerSecond)
  let settling = settlingTime
  let level = -120
  let noise = maxFirstNoise
  let isSpeaking = false
  let history = 0
  let voiceFrames = 0
  let silent = Infinity
  let speaking = 0
  let lowest = Infinity

  /** Frame of the first 100 ms: the noise is the lowest level among them. */
  const settle = (): FrameActivity => {
    settling -= 1
    noise = Math.min(noise, Math.max(minNoise, level))
    return "none"
  }

  const followNoise = (isVoice: boolean): void => {
    if (level < digitalSilence || (level > noise && (isSpeaking || isVoice))) return
    noise = Math.max(minNoise, noise + (level > noise ? riseRate : fallRate) * (level - noise))
  }

  /** Notices noise that has grown during speech. */
  const watchSpeech = (): void => {
    speaking = isSpeaking ? speaking + 1 : 0
    lowest = isSpeaking ? Math.min(lowest, level) : Infinity
    if (speaking < maxRun) return
    noise = Math.max(noise, lowest)
    speaking = 0
    lowest = Infinity
  }

  const push = (frame: Float32Array, isConcealed = false): FrameActivity => {
    if (frame.length !== frameLength) return "invalid"
    const power = powerOf(frame)
    if (!Number.isFinite(power)) return "invalid"
    if (isConcealed) return "none"
    level = decibels(Math.max(0, power))
    if (settling > 0) return settle()
    const isLoud = level >= noise + (isSpeaking ? endLevel : beginLevel)
    const isVoice = judge === undefined ? isLoud : judge(frame, level - noise, isLoud)
    history = (history << 1 | (isVoice ? 1 : 0)) & windowSize
    voiceFrames = isVoice ? voiceFrames + 1 : 0
    silent = isVoice ? 0 : silent + 1
    followNoise(isVoice)
    isSpeaking = isSpeaking ? silent <= hangover : voiceFrames >= onset
    watchSpeech()
    return isSpeaking ? "speech" : "silence"
  }

  return {
    frameLength,
    push,
    get isSpeaking() {
      return isSpeaking
    },
    get level() {
      return level
    },
    get noise() {
      return noise
    },
    get voicedMillis() {
      return countBits(history) * frameMillis
    },
    get silentMillis() {
      return silent * frameMillis
    }
  }
}
