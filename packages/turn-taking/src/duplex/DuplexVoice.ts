import type { AudioLine } from "@trunkline/telephony"
import { makeRealtimeReply, type RealtimeReply, type ReplyEnd } from "../realtime/RealtimeReply.js"

/** Words of the voice that are over. */
export interface VoicedWords {
  /** The part that was heard. */
  readonly text: string
  readonly end: ReplyEnd
  /** Line time of the first sound, in milliseconds. */
  readonly beganAt: number
}

/** The voice of a model that talks by itself, on its way to the line. */
export interface DuplexVoice {
  /** Line time at which it began to speak, in milliseconds; null while it does not. */
  readonly beganAt: number | null
  readonly addSound: (samples: Float32Array) => void
  readonly addText: (text: string) => void
  /** Stops what is played, and drops what comes until the model pauses. */
  readonly stop: () => void
  /** Lets what has come be the end. */
  readonly complete: () => void
  readonly countFrame: () => void
  readonly reach: (mark: number) => void
}

/** Pause of the voice after which its words are over, in milliseconds of line time. */
const wordsGap = 800

/** Pause of the model after which it is heard again, once it was stopped, in milliseconds of line time. */
const stopGap = 300

/** Least mean square of the samples of a sound with a voice: -60 dBFS. */
const audiblePower = 1e-6

const isAudible = (samples: Float32Array): boolean => {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return sum > audiblePower * samples.length
}

/**
 * Makes the voice of a line. Its states, in this order: quiet; speaking, from the first audible sound; ending, once a pause is long
 * enough and the last of it leaves, when sounds that come begin the next words; quiet again. Stopped, it drops sound and words until
 * the model has paused.
 */
export const makeDuplexVoice = ({ line, lineMillis, nextMark, onBegin, onHeard, onOver }: {
  readonly line: AudioLine
  /** Line time so far, in milliseconds. */
  readonly lineMillis: () => number
  readonly nextMark: () => number
  readonly onBegin: () => void
  readonly onHeard: (text: string) => void
  readonly onOver: (words: VoicedWords) => void
}): DuplexVoice => {
  let present: RealtimeReply | null = null
  let beganAt = 0
  /** Milliseconds of sound that have come, and those until the last audible one, of the present words. */
  let soundMillis = 0
  let audible = 0
  /** Sounds that came while words were ending, and texts before the sound of their words. */
  let later: Array<Float32Array> = []
  let laterText = ""
  let isMuted = false
  let lastAudibleAt = -Infinity

  const finish = (end: ReplyEnd): void => {
    const reply = present
    if (reply === null) return
    present = null
    onOver({ text: reply.heardReply().text, end, beganAt })
    const sounds = later
    later = []
    for (const samples of sounds) addSound(samples)
  }

  const begin = (): RealtimeReply => {
    const reply = makeRealtimeReply(line)
    present = reply
    beganAt = lineMillis()
    soundMillis = 0
    audible = 0
    onBegin()
    reply.addText(laterText.trimStart())
    laterText = ""
    reply.play({ nextMark, onStart: () => {}, timeout: Infinity, onHeard })
    return reply
  }

  const addSound = (samples: Float32Array): void => {
    const hasVoice = isAudible(samples)
    const quietMillis = lineMillis() - lastAudibleAt
    if (hasVoice) lastAudibleAt = lineMillis()
    if (isMuted && quietMillis < stopGap) return
    isMuted = false
    if (present === null && !hasVoice) return
    if (present?.isComplete === true) {
      if (hasVoice) later.push(samples)
      return
    }
    const reply = present ?? begin()
    soundMillis = Math.max(soundMillis, lineMillis() - beganAt) + samples.length * 1_000 / line.rate
    if (hasVoice) audible = soundMillis
    reply.addSound(samples)
  }

  return {
    get beganAt() {
      return present === null ? null : beganAt
    },
    addSound,
    addText: (text) => {
      if (isMuted && lineMillis() - lastAudibleAt < stopGap) return
      if (present === null || present.isComplete) laterText += text
      else present.addText(text)
    },
    stop: () => {
      if (present === null) return
      isMuted = true
      later = []
      laterText = ""
      present.stop()
      finish("stopped")
    },
    complete: () => present?.complete(),
    countFrame: () => {
      if (present === null) return
      present.countFrame()
      const at = lineMillis() - beganAt
      if (!present.isComplete && at - audible >= wordsGap) present.complete()
    },
    reach: (mark) => {
      if (present?.reach(mark) === true) finish("played")
    }
  }
}
