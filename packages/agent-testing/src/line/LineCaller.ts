import { BusinessTime } from "@trunkline/kernel"
import { Duration, Effect, Random } from "effect"
import type { CallerVerb } from "../record/TestedCall.js"
import { type Caller, CallerStuck, type Words } from "./Caller.js"
import type { CallLine } from "./CallLine.js"
import type { TestCallLog } from "./CallLog.js"

/** Usual milliseconds before a caller answers, with their spread by the seed. */
const pauses = { answer: 700, spread: 200 }

/** Time that the agent has for words that a caller waits for. */
const patience = Duration.seconds(30)

const nameOf = (words: Words): string => typeof words === "string" ? `"${words}"` : String(words)

/** The end of the first match of words in a text from a place on; null without one. */
const findIn = (text: string, words: Words, from: number): number | null => {
  const rest = text.slice(from)
  if (typeof words === "string") {
    const at = rest.toLowerCase().indexOf(words.toLowerCase())
    return at < 0 ? null : from + at + words.length
  }
  const match = new RegExp(words.source, words.flags.replace(/[gy]/g, "")).exec(rest)
  return match === null ? null : from + match.index + match[0].length
}

/** Makes the caller of a line. */
export const makeCaller = ({ clock, delivery, end, state }: CallLine, log: TestCallLog): Caller => {
  let cursor = { turn: 0, at: 0 }
  /** Turns of the agent before the caller's last words. */
  let turnsBefore = 0
  let loss = 0
  const isOver = () => state.endedBy !== null

  const errorOf = (message: string) => new CallerStuck({ message })

  const failIfOver = (intent: string) =>
    Effect.suspend(() => isOver() ? errorOf(`The call was over before the caller ${intent}.`) : Effect.void)

  /** Waits until the agent is silent and listens, for as long as a pause lasts. */
  const untilTurn = (pause: number): Effect.Effect<void> => {
    const isCallersTurn = () => state.isListening && state.speech === null
    return Effect.zipRight(
      clock.until(() => isCallersTurn() || isOver()),
      Effect.flatMap(
        clock.elapse(pause, { isOver: () => !isCallersTurn() || isOver() }),
        (silence) => silence >= pause || isOver() ? Effect.void : untilTurn(pause)
      )
    )
  }

  /** Waits until the agent speaks, and has spoken for so long. */
  const intoSpeech = (after: Duration.DurationInput, intent: string) =>
    Effect.gen(function*() {
      yield* clock.until(() => state.speech !== null || isOver())
      const { speech } = state
      const millis = Duration.toMillis(after)
      if (speech === null) return yield* errorOf(`The call was over before the caller ${intent}.`)
      const since = (yield* BusinessTime.now) - speech.startedAt
      yield* clock.elapse(Math.max(0, millis - since), { isOver: () => state.speech !== speech || isOver() })
      if (state.speech === speech) return
      const length = (speech.turn.to - speech.turn.from).toFixed(1)
      return yield* errorOf(
        `The agent had said "${speech.turn.meant}" after ${length} s, before the caller ${intent}: use a smaller \`after\`.`
      )
    })

  /** Does something that takes time, as a turn of the log. */
  const act = (does: CallerVerb, intent: string, deliver: Effect.Effect<string>) =>
    Effect.gen(function*() {
      yield* failIfOver(intent)
      const turn = log.caller(does, "", yield* BusinessTime.now)
      turn.interrupts = state.speech !== null
      const isTurn = does === "says" || does === "presses"
      if (isTurn) {
        state.isCallerBusy = true
        turnsBefore = state.agentTurns.length
        clock.notify()
      }
      turn.text = yield* deliver
      if (isTurn) state.isCallerBusy = false
      turn.to = log.second(yield* BusinessTime.now)
      clock.notify()
    })

  const speak = (text: string, language = state.language, english: string | null = null) =>
    act("says", `said "${text}"`, Effect.suspend(() => delivery.says({ text, language, english, loss })))

  const answerPause = Effect.map(Random.next, (draw) => pauses.answer + Math.round((draw * 2 - 1) * pauses.spread))

  /** Says why words were not heard: the call was over, or time was up. */
  const notHeard = (words: Words, seconds: number) => {
    const last = state.agentTurns.at(-1)?.text
    const lastWords = last === undefined ? "The agent said nothing." : `Its last words were "${last}".`
    return isOver()
      ? errorOf(`The call was over, and the caller had not heard ${nameOf(words)}. ${lastWords}`)
      : errorOf(`The caller did not hear ${nameOf(words)} within ${seconds} s. ${lastWords}`)
  }

  const hears: Caller["hears"] = (words, { within = patience } = {}) => {
    let hit: string | null = null
    const look = (): boolean => {
      for (; hit === null && cursor.turn < state.agentTurns.length; cursor = { turn: cursor.turn + 1, at: 0 }) {
        const text = state.agentTurns[cursor.turn]?.text ?? ""
        const at = findIn(text, words, cursor.at)
        if (at === null) continue
        cursor = { ...cursor, at }
        hit = text
        break
      }
      return hit !== null || isOver() && state.speech === null
    }
    return Effect.flatMap(clock.elapse(Duration.toMillis(within), { isOver: look }), () => {
      look()
      return hit === null ? notHeard(words, Duration.toSeconds(within)) : Effect.succeed(hit)
    })
  }

  return {
    hears,
    listens: Effect.zipRight(
      untilTurn(0),
      Effect.suspend(() => {
        const words = state.agentTurns.slice(turnsBefore).map(({ text }) => text).join(" ")
        return isOver() && words === ""
          ? errorOf("The call was over, and the agent had said nothing more.")
          : Effect.succeed(words)
      })
    ),
    says: (text, { english, language, pause } = {}) =>
      (pause === undefined ? answerPause : Effect.sync(() => Duration.toMillis(pause))).pipe(
        Effect.flatMap(untilTurn),
        Effect.zipRight(Effect.suspend(() => speak(text, language, english)))
      ),
    interrupts: (text, { after = "1 second", english, language } = {}) =>
      Effect.zipRight(
        intoSpeech(after, "interrupted"),
        Effect.suspend(() => speak(text, language, english))
      ),
    presses: (keys, { after } = {}) =>
      !/^[\d*#]+$/.test(keys)
        ? errorOf(`The caller cannot press "${keys}": keys are 0 to 9, * and #.`)
        : Effect.zipRight(
          after === undefined ? Effect.flatMap(answerPause, untilTurn) : intoSpeech(after, "pressed"),
          Effect.suspend(() => act("presses", `pressed ${keys}`, Effect.as(delivery.presses(keys), keys)))
        ),
    waits: (time) =>
      Effect.flatMap(
        clock.elapse(Duration.toMillis(time), { isOver }),
        () => failIfOver("had waited")
      ),
    holds: (time) => act("holds", "held it", Effect.as(delivery.holds(Duration.toMillis(time)), "")),
    makesNoise: (time = "1 second") =>
      act("makes noise", "made noise", Effect.as(delivery.makesNoise(Duration.toMillis(time)), "")),
    hasBadLine: (share) =>
      Effect.sync(() => {
        loss = share
      }),
    hangsUp: ({ after } = {}) =>
      Effect.zipRight(
        after === undefined ? failIfOver("hung up") : intoSpeech(after, "hung up"),
        Effect.flatMap(BusinessTime.now, (now) => {
          log.caller("hangs up", "", now).interrupts = state.speech !== null
          return end("user")
        })
      ),
    isOver
  }
}
