// Energy decides, unless it is in doubt. States of a call: certain -> in doubt -> certain.
//
// 1. Certain: the frame is near the noise, or it is far above it within speech that the model has proven. Nothing is asked.
// 2. In doubt: from a frame that is little above the noise, or from any loud one until the model has heard a voice. The
//    model hears 64 ms before it, and then what comes, until frames are certain for 60 ms.
// 3. Answers come later, mostly before the next frame. Until the first one, and when none comes for 200 ms, energy decides.

import type { VoiceJudge } from "@trunkline/audio"
import { makeSileroWindows, type SileroRate } from "./SileroWindows.js"

/** Distances in dB above the noise between which a frame is in doubt. A voice in noise begins below the level of 7 dB. */
const doubtRange = { from: 2.5, to: 15 }

/** Probability from which a voice begins, and below which it has ended, as in the model's own utilities. */
const beginProbability = 0.5
const endProbability = 0.35

/** Windows without a voice after which a loud sound counts as noise: the model needs time for the first syllable. */
const noiseWindows = 3

/** Frames without doubt, after which nothing more is asked. */
const restFrames = 3

/** Frames without a voice, after which the model must confirm it again. */
const quietFrames = 10

/** Frames without an answer, after which energy decides. */
const patientFrames = 10

/** Windows that may wait for an answer, of this query and of those before; when the model is slower, the rest is not heard. */
const maxWaiting = 8

/** Judge of the frames of one call. */
export interface SileroJudge {
  readonly judge: VoiceJudge
  /** Takes the probabilities of windows, in their order, with the number that `ask` was given. */
  readonly answer: (query: number, probabilities: ReadonlyArray<number>) => void
}

/** Makes the judge of a call. `ask` is given windows, and the number of the query that they belong to. */
export const makeSileroJudge = ({ always = false, ask, rate }: {
  readonly rate: SileroRate
  /** True to ask for every frame; not by default. */
  readonly always?: boolean
  readonly ask: (query: number, windows: Float32Array, count: number) => void
}): SileroJudge => {
  const windows = makeSileroWindows(rate)
  const size = windows.size
  let query = 0
  let isInDoubt = false
  let certainFor = 0
  /** Windows without an answer, and frames since the last answer. */
  let waiting = 0
  let unansweredFor = 0
  /** Latest probability of this query; null before the first. */
  let probability: number | null = null
  let windowsWithoutVoice = 0
  let isProven = false
  let isVoice = false
  let quietFor = quietFrames

  const send = (sound: Float32Array): void => {
    if (sound.length === 0) return
    const count = sound.length / size
    waiting += count
    ask(query, sound, count)
  }

  const hear = (frame: Float32Array): void => {
    if (waiting > maxWaiting) {
      windows.remember(frame)
      isInDoubt = false
      return
    }
    if (isInDoubt) return send(windows.goOn(frame))
    isInDoubt = true
    query += 1
    unansweredFor = windowsWithoutVoice = 0
    probability = null
    send(windows.begin(frame))
  }

  /** Verdict of the model on a frame; that of energy where it says nothing. */
  const verdict = (aboveNoise: number, isLoud: boolean): boolean => {
    if (probability === null || unansweredFor > patientFrames) return isLoud
    if (probability >= (isVoice ? endProbability : beginProbability)) return true
    return !always && isLoud && aboveNoise > doubtRange.to && !isProven && windowsWithoutVoice < noiseWindows
  }

  const decide = (frame: Float32Array, aboveNoise: number, isLoud: boolean): boolean => {
    const inBand = aboveNoise >= doubtRange.from && aboveNoise <= doubtRange.to
    const isDoubtful = always || inBand || (isLoud && !isProven)
    certainFor = isDoubtful ? 0 : certainFor + 1
    unansweredFor += 1
    if (certainFor < restFrames && (isDoubtful || isInDoubt)) hear(frame)
    else {
      isInDoubt = false
      windows.remember(frame)
    }
    return isDoubtful ? verdict(aboveNoise, isLoud) : isLoud
  }

  return {
    judge: (frame, aboveNoise, isLoud) => {
      isVoice = decide(frame, aboveNoise, isLoud)
      quietFor = isVoice ? 0 : quietFor + 1
      if (quietFor >= quietFrames) isProven = false
      return isVoice
    },
    answer: (answeredQuery, probabilities) => {
      waiting -= probabilities.length
      if (answeredQuery !== query) return
      unansweredFor = 0
      for (const each of probabilities) {
        probability = each
        windowsWithoutVoice = each < endProbability ? windowsWithoutVoice + 1 : 0
        isProven ||= each >= beginProbability
      }
    }
  }
}
