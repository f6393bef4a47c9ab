import { frameMillis } from "@trunkline/audio"
import type { Heard } from "@trunkline/telephony"
import { isBackchannel } from "../Backchannel.js"
import type { VoicedWords } from "./DuplexVoice.js"

/** Words of both sides until it is known what becomes of them. */
export interface DuplexWords {
  /** Takes words of the caller that ended at a line time. Returns true when they interrupt words of the voice. */
  readonly hear: (text: string, endedAt: number, voiceBeganAt: number | null) => boolean
  /** The model asks the agent. */
  readonly delegate: (id: string) => void
  /** Takes words of the voice that are no utterance of the agent. */
  readonly addVoiced: (words: VoicedWords) => void
  /** Ends the agent's utterance, whether the caller stopped its sound or not. */
  readonly endSaying: (isStopped: boolean) => void
  /** Begins the agent's utterance. Returns words of the voice that came before it, and the delegation that it answers. */
  readonly beginSaying: () => { readonly before: ReadonlyArray<VoicedWords>; readonly delegation: string | null }
  /** Begins to listen for good: words of the voice since the delegation stand alone. */
  readonly beginListening: () => void
  /** Notes that the listener has an input. */
  readonly noteInput: (input: Heard) => void
  /** The session has ended, and its delegations with it. */
  readonly forgetDelegations: () => void
  /** Gives what nobody has answered, at the end of the call. */
  readonly end: () => void
  readonly countFrame: (isVoiceHeard: boolean) => void
  /** True while words wait for an answer. */
  readonly isOpen: boolean
}

/** Time for the last words of the caller to come after a delegation, in milliseconds of line time: it tells no words of its own. */
const wordsGrace = 300

/** Time without an answer of the model and without a delegation after which the agent answers, in milliseconds of line time. */
const answerAfter = 4_000

/** Words that end later than this after the first sound of the voice speak into it, in milliseconds. */
const intoVoice = 200

/**
 * Makes the words of a call. Words of the caller wait for one of these: words of the voice, with which they are given as a turn that
 * was answered; a delegation, with which they are given as one that the agent answers; or neither in time, when the agent answers
 * too. Words of the voice between a delegation and the agent's answer belong to that answer.
 */
export const makeDuplexWords = (give: (input: Heard) => void): DuplexWords => {
  /** Words of the caller that wait, and those spoken into the present words of the voice. */
  let waiting = ""
  let into = ""
  let endedAt: number | null = null
  let quietMillis = 0
  let askedText: string | null = null
  const delegations: Array<string> = []
  /** True from a delegation until the agent has answered it. */
  let isAnswering = false
  let delegation: string | null = null
  let before: Array<VoicedWords> = []

  const takeWords = (): Omit<Extract<Heard, { readonly _tag: "Said" }>, "ownReply"> => {
    const text = waiting.replace(/\s+/gu, " ").trim()
    const at = endedAt
    waiting = ""
    endedAt = null
    return {
      _tag: "Said",
      text,
      en_text: null,
      language_name: null,
      ...(at !== null && text !== "" && { endedAt: at })
    }
  }

  /** Joins the words that were spoken into the voice with those that wait; words of attention do not count. */
  const join = (isStopped: boolean): void => {
    if (isStopped || !isBackchannel(into.trim())) waiting += into
    into = ""
  }

  const ask = (): void => {
    if (askedText === null) return
    delegations.push(askedText)
    askedText = null
    waiting += into
    into = ""
    give({ ...takeWords(), ownReply: null })
  }

  return {
    hear: (text, at, voiceBeganAt) => {
      quietMillis = 0
      endedAt = at
      const isInto = voiceBeganAt !== null && (into !== "" || at > voiceBeganAt + intoVoice)
      if (isInto) into += text
      else waiting += text
      return isInto && into.trim() !== "" && !isBackchannel(into.trim())
    },
    delegate: (id) => {
      ask()
      askedText = id
      isAnswering = true
      quietMillis = 0
    },
    addVoiced: (words) => {
      if (isAnswering) {
        if (words.text !== "") before.push(words)
        return join(words.end === "stopped")
      }
      const turn = takeWords()
      join(words.end === "stopped")
      if (words.text !== "") give({ ...turn, ownReply: { text: words.text, startedAt: words.beganAt } })
      else waiting = `${turn.text} ${waiting}`
    },
    endSaying: (isStopped) => {
      join(isStopped)
      isAnswering = askedText !== null || delegations.length > 0
    },
    beginSaying: () => {
      const context = { before, delegation }
      before = []
      delegation = null
      return context
    },
    beginListening: () => {
      if (askedText !== null || delegations.length > 0) return
      isAnswering = false
      const words = before
      before = []
      const [first] = words
      if (first === undefined) return
      const text = words.map(({ text }) => text).join(" ")
      give({ _tag: "Said", text: "", en_text: null, language_name: null, ownReply: { text, startedAt: first.beganAt } })
    },
    noteInput: (input) => {
      if (input._tag === "Said" && input.ownReply === null) delegation = delegations.shift() ?? null
    },
    forgetDelegations: () => {
      delegation = null
    },
    end: () => {
      ask()
      waiting += into
      into = ""
      const turn = takeWords()
      if (turn.text !== "") give(turn)
    },
    countFrame: (isVoiceHeard) => {
      quietMillis += frameMillis
      if (askedText !== null && quietMillis >= wordsGrace) ask()
      if (isVoiceHeard || isAnswering || waiting.trim() === "" || quietMillis < answerAfter) return
      give(takeWords())
    },
    get isOpen() {
      return askedText !== null || waiting.trim() !== ""
    }
  }
}
