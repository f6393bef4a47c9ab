// An utterance goes out token by token: stored in the log, where there is one, and then sent. It is over when the provider tells
// that the voice has ended, that the caller has interrupted, or that they have answered; and at the latest when its words would
// have been spoken slowly. An utterance that an earlier process has stored counts as sent: it is heard to its end, and sent again
// only if the provider tells of no voice for a while, in which it comes back and replays what it has told before.

import type { BegunUtterance, Spoken, Utterance } from "@trunkline/telephony"
import { Clock, Deferred, Effect, FiberId, Stream } from "effect"
import type { WordsFormat } from "../dialects/StreamFormat.js"
import { languageCode } from "./Languages.js"
import type { SentToken } from "./RelayLog.js"
import { languageChange } from "./RelayMessages.js"

/** Part of an utterance that was heard. */
type Result = Pick<Spoken, "heard" | "interrupted">

/** The voice of a relay. */
export interface RelayVoice {
  readonly say: (utterance: Utterance) => Effect.Effect<Result>
  /** The caller has interrupted, or the call has ended. */
  readonly interrupt: (heardText: string) => void
  /** The caller has answered. */
  readonly takeAnswer: () => void
  /** The voice of the provider begins, or has ended. */
  readonly report: (isSpeaking: boolean) => void
  /** Reads a token that an earlier process has sent. */
  readonly inherit: (token: SentToken) => void
  /** The utterance with a number, if an earlier process has begun it. */
  readonly earlierUtterance: (number: number) => BegunUtterance | null
  /** Says nothing more; completes when no token is being stored that is then sent. */
  readonly quiet: Effect.Effect<void>
}

/**
 * Longest time in milliseconds that a character takes to be spoken, and that an utterance takes to begin; `usual` where the
 * provider does not tell its end, so that every wait for it is that long.
 */
const slowest = { character: 110, begin: 4_000, usual: 1_500 }

/**
 * Time after which a voice that has not begun was never asked for: waits, and milliseconds of each. A process that is busy at its
 * start takes its timers before what has arrived: a wait that is late by seconds is still one wait.
 */
const doubt = { waits: 15, millis: 100 }

/** An utterance on its way. */
interface Speech {
  readonly number: number | null
  /** Moment of its last token, in epoch milliseconds; null where it is not known. */
  since: number | null
  readonly interruptible: boolean
  text: string
  isSent: boolean
  /** True once its voice was reported. */
  hasBegun: boolean
  readonly result: Deferred.Deferred<Result>
}

const makeSpeech = (number: number | null, interruptible: boolean): Speech => ({
  number,
  since: null,
  interruptible,
  text: "",
  isSent: false,
  hasBegun: false,
  result: Deferred.unsafeMake<Result>(FiberId.none)
})

/** A clause as it follows a text: apart from it. */
const following = (text: string, clause: string): string =>
  text === "" || /\s$/u.test(text) || /^\s/u.test(clause) ? clause : ` ${clause}`

/** Makes the voice of a relay, which begins in the language of its format. */
export const makeRelayVoice = ({ format: { language, tellsVoice, textToken }, keep, onLanguage, post }: {
  readonly format: WordsFormat
  /** Stores a token in the log, where there is one. */
  readonly keep: (token: SentToken) => Effect.Effect<void>
  /** Told that voice and ear have another language. */
  readonly onLanguage: () => void
  readonly post: (message: string) => void
}): RelayVoice => {
  let speech: Speech | null = null
  /** The last utterance of an earlier process. */
  let earlierSpeech: Speech | null = null
  let isSpeaking = false
  let spokenLanguage = language
  let isQuiet = false
  /** One token at a time is stored and then sent. */
  const turns = Effect.unsafeMakeSemaphore(1)

  const finish = (result: Result): void => {
    if (speech === null) return
    Deferred.unsafeDone(speech.result, Effect.succeed(result))
    speech = null
  }

  const changeLanguage = (code: string): void => {
    if (code === spokenLanguage) return
    spokenLanguage = code
    post(languageChange(code))
    onLanguage()
  }

  /** Stores a token and sends it, unless the utterance is over by then. */
  const send = (current: Speech, { isLast = false, onHeard, token }: {
    readonly token: string
    readonly isLast?: boolean
    readonly onHeard?: Utterance["onHeard"]
  }): Effect.Effect<void> => {
    const lang = spokenLanguage
    const keepToken = Effect.flatMap(Clock.currentTimeMillis, (at) => {
      current.since = at
      return keep({ of: current.number ?? 0, token, lang, ...(isLast && { isLast }), at })
    })
    const sendToken = Effect.map(keepToken, () => {
      if (speech !== current) return
      const { interruptible } = current
      current.text += token
      current.isSent = isLast
      if (token !== "") post(textToken(token, { last: false, lang, interruptible }))
      if (isLast) post(textToken("", { last: true, lang, interruptible }))
      if (token !== "") onHeard?.(current.text)
    })
    return Effect.suspend(() => isQuiet ? Effect.never : turns.withPermits(1)(sendToken))
  }

  /** The time in which an utterance that was sent is spoken, at the latest. */
  const slowly = (current: Speech): Effect.Effect<Result> =>
    Effect.map(
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const duration = (tellsVoice ? slowest.begin : slowest.usual) + current.text.length * slowest.character
        return Effect.sleep(Math.min(duration, Math.max(0, (current.since ?? now) + duration - now)))
      }),
      () => ({ heard: current.text, interrupted: false })
    )

  const speak = (current: Speech, { more, onHeard, text }: Utterance): Effect.Effect<Result> => {
    const listener = onHeard && { onHeard }
    if (more === undefined) {
      return Effect.zipRight(send(current, { token: text, isLast: true, ...listener }), slowly(current))
    }
    const clauses = Stream.runForEach(
      more,
      (clause) => Effect.suspend(() => send(current, { token: following(current.text, clause), ...listener }))
    )
    return (text === "" ? clauses : Effect.zipRight(send(current, { token: text, ...listener }), clauses)).pipe(
      Effect.zipRight(send(current, { token: "", isLast: true })),
      Effect.zipRight(slowly(current))
    )
  }

  const sayAgain = (current: Speech): Effect.Effect<Result> =>
    Effect.suspend(() => {
      const { text } = current
      current.text = ""
      current.since = null
      return Effect.zipRight(send(current, { token: text, isLast: true }), slowly(current))
    })

  /** Hears an utterance of an earlier process to its end. Of one that was cut off, nothing more is said. */
  const hearOut = (current: Speech): Effect.Effect<Result> => {
    const isCut = !current.isSent
    // The end of an utterance that was sent may have been lost with its process.
    const isHeard = current.hasBegun && !isSpeaking
    const rest = isCut || !isHeard ? send(current, { token: "", isLast: true }) : Effect.void
    return Effect.zipRight(
      rest,
      Effect.suspend((): Effect.Effect<Result> => {
        if (isCut && isHeard) return Effect.succeed({ heard: current.text, interrupted: false })
        const late = Effect.suspend(() => {
          if (current.hasBegun) return slowly(current)
          return isCut ? Effect.succeed({ heard: "", interrupted: false }) : sayAgain(current)
        })
        return Effect.zipRight(Effect.repeatN(Effect.sleep(doubt.millis), doubt.waits - 1), late)
      })
    )
  }

  const say = (utterance: Utterance): Effect.Effect<Result> =>
    Effect.suspend(() => {
      const former = earlierSpeech !== null && earlierSpeech.number === utterance.number ? earlierSpeech : null
      const current = former ?? makeSpeech(utterance.number ?? null, utterance.interruptible)
      earlierSpeech = null
      if (former === null) {
        finish({ heard: speech?.text ?? "", interrupted: true })
        speech = current
        changeLanguage(languageCode(utterance.language_name, language) ?? language)
      }
      return Effect.tap(
        Effect.raceFirst(
          Deferred.await(current.result),
          former === null ? speak(current, utterance) : hearOut(current)
        ),
        () =>
          Effect.sync(() => {
            if (speech === current) speech = null
          })
      )
    })

  return {
    say,
    interrupt: (heardText) => finish({ heard: heardText, interrupted: true }),
    takeAnswer: () => {
      if (speech?.interruptible === true) finish({ heard: speech.text, interrupted: false })
    },
    report: (speaks) => {
      isSpeaking = speaks
      if (speech === null) return
      speech.hasBegun ||= speaks
      if (!speaks && speech.isSent) finish({ heard: speech.text, interrupted: false })
    },
    inherit: ({ at, isLast, lang, of, token }) => {
      if (earlierSpeech?.number !== of) {
        earlierSpeech = makeSpeech(of, true)
        speech = earlierSpeech
      }
      earlierSpeech.since = at ?? null
      earlierSpeech.text += token
      earlierSpeech.isSent = isLast === true
      spokenLanguage = lang
    },
    earlierUtterance: (number) => {
      if (earlierSpeech?.number === number) return { text: earlierSpeech.text, isComplete: earlierSpeech.isSent }
      earlierSpeech = null
      speech = null
      return null
    },
    quiet: Effect.suspend(() => {
      isQuiet = true
      return turns.withPermits(1)(Effect.void)
    })
  }
}
