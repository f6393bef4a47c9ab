import { BusinessTime } from "@trunkline/kernel"
import { type EndedBy, type Heard, type Leg, LegEnded, type Spoken } from "@trunkline/telephony"
import { isBackchannel, turnTakingDefaults } from "@trunkline/turn-taking"
import { Duration, Effect, Random } from "effect"
import { type ActionDelivery, type CallLine, keyMillis, silentLine } from "./CallLine.js"
import type { TestCallLog } from "./CallLog.js"
import { makeLineClock } from "./LineClock.js"

/** Speaking rate of both sides, in characters a second. */
const charactersPerSecond = 15

/** Milliseconds that a text takes. */
const speakingMillis = (text: string): number =>
  Math.max(300, Math.round([...text].length / charactersPerSecond * 1_000))

/** The words of a text that were said after a share of it. */
const wordsUntil = (text: string, share: number): string => {
  const cut = text.slice(0, Math.floor(text.length * share))
  const space = cut.lastIndexOf(" ")
  return share >= 1 ? text : (space > 0 ? cut.slice(0, space) : "").trim()
}

/** The words that a bad line does not lose. */
const carry = (text: string, loss: number): Effect.Effect<string> =>
  loss === 0 ? Effect.succeed(text) : Effect.map(
    Effect.filter(text.split(" "), () => Effect.map(Random.next, (draw) => draw >= loss)),
    (words) => words.join(" ")
  )

const silent: Heard = { _tag: "Silent" }

/**
 * Makes a line of text. Words take their time, an interruption is heard at the word at which it came, and silence passes only
 * while nobody speaks and the call is not held.
 *
 * States: the agent speaks (`speech`), listens (`isListening`), or does neither while it thinks or uses tools. The caller may do
 * anything in each of them: what they say while the agent does not listen waits in `inbox`.
 */
export const makeTextLine = (log: TestCallLog): CallLine => {
  const clock = makeLineClock()
  const state = silentLine()
  /** Words and keys that the agent has not listened to yet. */
  const inbox: Array<Heard> = []
  let [isHeld, isNoisy, isCut] = [false, false, false]
  let interruptible = true
  const isEnded = () => state.endedBy !== null

  const end = (by: EndedBy) =>
    Effect.sync(() => {
      if (state.endedBy !== null) return
      state.endedBy = by
      isHeld = false
      clock.notify()
    })

  /** Runs an operation of the agent, unless the call is over. */
  const whileOpen = <A>(operation: Effect.Effect<A, LegEnded>): Effect.Effect<A, LegEnded> =>
    Effect.suspend(() => {
      if (state.endedBy === null) return operation
      log.refuse()
      return new LegEnded({ by: state.endedBy })
    })

  /** Words that were heard, with the side that ended the call meanwhile. */
  const spokenOf = (heard: string, interrupted: boolean): Spoken => ({
    heard,
    interrupted,
    ...(state.endedBy !== null && { endedBy: state.endedBy })
  })

  const speak = (text: string, language_name: string) =>
    Effect.gen(function*() {
      const startedAt = yield* BusinessTime.now
      const turn = log.agent(text, language_name, startedAt)
      const millis = speakingMillis(text)
      isCut = false
      state.language = language_name
      state.speech = { turn, startedAt }
      clock.notify()
      const playTime = yield* clock.elapse(millis, {
        isPaused: () => isHeld || isNoisy,
        isOver: () => isCut || isEnded()
      }).pipe(Effect.ensuring(Effect.sync(() => {
        state.speech = null
      })))
      turn.text = wordsUntil(text, playTime / millis)
      turn.interrupted = playTime < millis
      turn.to = log.second(yield* BusinessTime.now)
      state.agentTurns.push(turn)
      clock.notify()
      return spokenOf(turn.text, turn.interrupted)
    })

  const say: Leg["say"] = (utterance) =>
    whileOpen(Effect.suspend(() => {
      const { language_name, text } = utterance
      if (text.trim() === "") return Effect.succeed(spokenOf(text, false))
      const wait = clock.until(() => !state.isCallerBusy || isEnded())
      return Effect.zipRight(
        wait,
        Effect.suspend(() => {
          interruptible = utterance.interruptible
          return isEnded() ? Effect.succeed(spokenOf("", true)) : speak(text, language_name)
        })
      )
    }))

  const listen: Leg["listen"] = (silence) =>
    whileOpen(Effect.suspend(() => {
      state.isListening = inbox.length === 0
      clock.notify()
      return clock.elapse(Duration.toMillis(silence), {
        isPaused: () => isHeld || state.isCallerBusy || isNoisy,
        isOver: () => inbox.length > 0 || isEnded()
      }).pipe(
        Effect.flatMap((): Effect.Effect<Heard, LegEnded> => {
          const next = inbox.shift()
          if (next !== undefined) return Effect.succeed(next)
          return state.endedBy === null ? Effect.succeed(silent) : new LegEnded({ by: state.endedBy })
        }),
        Effect.ensuring(Effect.sync(() => {
          state.isListening = false
        }))
      )
    }))

  /** Lets time pass for something that the agent hears; it may stop the agent's words after `bargeIn` milliseconds. */
  const sounds = (millis: number, bargeIn: number, event: Heard, isIgnored: boolean) =>
    Effect.gen(function*() {
      const { speech } = state
      const stops = speech !== null && interruptible && !isIgnored
      if (stops) {
        yield* clock.elapse(bargeIn, { isOver: isEnded })
        isCut = state.speech === speech
        clock.notify()
      }
      yield* clock.elapse(stops ? millis - bargeIn : millis, { isOver: isEnded })
      if (!isIgnored && !isEnded()) inbox.push(event)
    })

  const delivery: ActionDelivery = {
    says: ({ english, language, loss, text }) =>
      Effect.flatMap(carry(text, loss), (words) => {
        const event: Heard = { _tag: "Said", text: words, en_text: english, language_name: language }
        const isIgnored = state.speech !== null && isBackchannel(words)
        return Effect.as(sounds(speakingMillis(text), turnTakingDefaults.bargeIn, event, isIgnored), words)
      }),
    presses: (keys) => sounds((keys.length - 1) * keyMillis, 0, { _tag: "Pressed", digit: keys }, false),
    holds: (millis) =>
      Effect.suspend(() => {
        isHeld = true
        clock.notify()
        return Effect.map(clock.elapse(millis, { isOver: isEnded }), () => {
          isHeld = false
        })
      }),
    makesNoise: (millis) =>
      Effect.suspend(() => {
        isNoisy = true
        clock.notify()
        return Effect.map(clock.elapse(millis, { isOver: isEnded }), () => {
          isNoisy = false
        })
      })
  }

  const leg: Leg = {
    say,
    listen,
    isHeld: () => isHeld,
    ended: Effect.map(clock.until(isEnded), () => state.endedBy ?? "user"),
    press: () => Effect.void,
    hangUp: end("agent")
  }
  return { leg, state, clock, delivery, end }
}
