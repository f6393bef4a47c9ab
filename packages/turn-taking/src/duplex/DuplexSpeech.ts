import { frameMillis } from "@trunkline/audio"
import { ModelTimedOut } from "@trunkline/errors"
import { BusinessTime } from "@trunkline/kernel"
import { type EndedBy, type Leg, LegEnded, type Spoken } from "@trunkline/telephony"
import { Deferred, Effect, FiberId } from "effect"
import type { RealtimeLink } from "../realtime/RealtimeLink.js"
import type { VoicedWords } from "./DuplexVoice.js"
import type { DuplexWords } from "./DuplexWords.js"

/** An utterance of the agent that the voice says. */
interface Saying {
  readonly text: string
  readonly interruptible: boolean
  readonly onHeard: ((text: string) => void) | undefined
  readonly over: Deferred.Deferred<Spoken>
  /** Delegation that it answers; null without one. */
  delegation: string | null
  /** Words that were over before it, or belong to its beginning. */
  readonly before: Array<VoicedWords>
  /** True while words go on that began before it. */
  isLater: boolean
  waitedMillis: number
}

/** Utterances of the agent, said by a voice that talks by itself. */
export interface DuplexSpeech {
  readonly say: Leg["say"]
  /** True unless the present utterance must be heard to the end. */
  readonly mayStop: boolean
  readonly onHeard: (text: string) => void
  /** Takes words of the voice that are over. Returns false when they belong to no utterance. */
  readonly take: (words: VoicedWords) => boolean
  /** Gives the text to another session, unless its words have begun. */
  readonly repeat: (isVoiceHeard: boolean) => void
  /** The model is lost: what was heard is all. */
  readonly giveUp: () => void
  readonly countFrame: (isVoiceHeard: boolean) => void
}

/** Time within which the voice must begin to say what it is given, in milliseconds of line time. */
const beginAfter = 8_000

/** Time for the voice to go on, once it has said something since the delegation. */
const goOnAfter = 2_500

const silent = new ModelTimedOut({ message: "The realtime model did not say in time what it was given" })

/** Makes the speech of a call. */
export const makeDuplexSpeech = ({ businessTime, endedBy, isVoiceHeard, link, stop, words }: {
  readonly link: RealtimeLink
  readonly words: DuplexWords
  readonly endedBy: () => EndedBy | null
  readonly isVoiceHeard: () => boolean
  /** Stops the voice. */
  readonly stop: () => void
  /** Moment of a line time, by a present moment of business time. */
  readonly businessTime: (lineMillis: number, now: number) => number
}): DuplexSpeech => {
  let saying: Saying | null = null

  const comment = (): void => {
    if (saying !== null) link.send({ _tag: "Comment", delegation: saying.delegation, text: saying.text })
  }

  const finish = (more: ReadonlyArray<VoicedWords>): void => {
    if (saying === null) return
    const { before, over } = saying
    const parts = [...before, ...more].filter(({ text }) => text !== "")
    const heardText = parts.map(({ text }) => text).join(" ")
    const isStopped = more.some(({ end }) => end === "stopped")
    if (heardText !== "") link.history.note({ role: "assistant", content: heardText, toolRequests: [] })
    saying = null
    words.endSaying(isStopped)
    const by = endedBy()
    Deferred.unsafeDone(
      over,
      Effect.map(BusinessTime.now, (now): Spoken => ({
        heard: heardText,
        interrupted: isStopped,
        ...(parts[0] !== undefined && { startedAt: businessTime(parts[0].beganAt, now) }),
        ...(by !== null && { endedBy: by })
      }))
    )
  }

  return {
    say: ({ interruptible, onHeard, text }) =>
      Effect.suspend(() => {
        const by = endedBy()
        if (by !== null) return Effect.fail(new LegEnded({ by }))
        const { before, delegation } = words.beginSaying()
        const mine: Saying = {
          text,
          interruptible,
          onHeard,
          over: Deferred.unsafeMake<Spoken>(FiberId.none),
          delegation,
          before: [...before],
          isLater: isVoiceHeard(),
          waitedMillis: 0
        }
        saying = mine
        comment()
        return Effect.onInterrupt(Deferred.await(mine.over), () =>
          Effect.sync(() => {
            if (saying !== mine) return
            stop()
            if (saying === mine) finish([])
          }))
      }),
    get mayStop() {
      return saying?.interruptible !== false
    },
    onHeard: (text) => saying?.onHeard?.(text),
    take: (voicedWords) => {
      if (saying === null) return false
      if (saying.isLater && voicedWords.end === "played" && endedBy() === null) {
        saying.isLater = false
        saying.waitedMillis = 0
        saying.before.push(voicedWords)
      } else finish([voicedWords])
      return true
    },
    repeat: (isHeard) => {
      if (saying === null || isHeard && !saying.isLater) return
      saying.delegation = null
      saying.waitedMillis = 0
      comment()
    },
    giveUp: () => finish([]),
    countFrame: (isHeard) => {
      if (saying === null || isHeard) return
      saying.waitedMillis += frameMillis
      if (saying.before.length > 0 && saying.waitedMillis >= goOnAfter) return finish([])
      if (saying.waitedMillis >= beginAfter) link.lose(silent)
    }
  }
}
