import { BusinessTime } from "@trunkline/kernel"
import type { Listening, SpeechFailure } from "@trunkline/speech"
import {
  type AudioLine,
  type EndedBy,
  FRAME_MILLIS,
  type Heard,
  type Leg,
  LegEnded,
  type LineEvent,
  type Spoken
} from "@trunkline/telephony"
import { Duration, Effect, Metric, Queue, type Scope, type Stream } from "effect"
import { type AgentSpeech, makeAgentSpeech } from "./AgentSpeech.js"
import { isBackchannel } from "./Backchannel.js"
import { makeCallerTurn, type TurnEvent } from "./CallerTurn.js"
import type { TurnTakingOptions } from "./TurnTakingOptions.js"

/** Frames and marks of lines that could not be used: of a wrong length, with samples that are not finite, or out of order. */
const ignoredEvents = Metric.counter("trunkline_line_ignored_events", { incremental: true })

/** Parts of a leg on a line with sound. */
export interface AudioLegParts {
  readonly line: AudioLine
  readonly listening: Listening
  readonly options: TurnTakingOptions
  /** Clauses of a text in a language by its English name. */
  readonly clausesOf: (text: string, language_name: string) => ReadonlyArray<string>
  /** Sound of a clause, at the rate of the line. */
  readonly speak: (clause: string, language_name: string) => Stream.Stream<Float32Array, SpeechFailure>
}

/** The pending `listen` of a leg. */
interface PendingListen {
  readonly silenceMillis: number
  quietMillis: number
  readonly resume: (heard: Effect.Effect<Heard, LegEnded>) => void
}

const saidOf = (text: string): Heard => ({ _tag: "Said", text, en_text: null, language_name: null })

/**
 * Makes a leg of a line with sound, for the duration of the scope. Events of the line are handled in plain functions; one
 * fiber asks for the words of turns.
 */
export const makeAudioLeg = (parts: AudioLegParts): Effect.Effect<Leg, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { clausesOf, line, listening, options, speak } = parts
    const asks = yield* Queue.unbounded<void>()
    const turn = makeCallerTurn(line.rate, options)
    const inbox: Array<Heard> = []
    /** Open unless words were taken from a turn that may go on. */
    const mayPlay = yield* Effect.makeLatch(true)
    const wentOn = yield* Effect.makeLatch(false)
    let endedBy: EndedBy | null = null
    let isHeld = false
    let speech: AgentSpeech<SpeechFailure> | null = null
    let pending: PendingListen | null = null
    let nextMark = 1
    let ignored = 0

    const settle = (heard: Effect.Effect<Heard, LegEnded>): void => {
      const waiting = pending
      pending = null
      waiting?.resume(heard)
    }

    const receive = (heard: Heard): void => {
      wentOn.unsafeClose()
      if (pending === null) inbox.push(heard)
      else settle(Effect.succeed(heard))
    }

    /** Interrupts the agent, unless it must be heard to the end. */
    const interrupt = (): void => {
      if (speech?.interruptible === true) speech.end()
    }

    const onWords = (words: string): void => {
      if (speech !== null && isBackchannel(words)) {
        if (speech.isPaused) speech.resume()
        return
      }
      if (speech?.isPaused === true) speech.end()
      receive(saidOf(words))
    }

    /** Gives words to a listener who can begin to answer them, while the caller may still go on. */
    const onEarlyWords = (words: string): void => {
      if (pending === null || speech !== null) return
      turn.take()
      mayPlay.unsafeClose()
      receive(saidOf(words))
    }

    const onTurn = (event: TurnEvent): void => {
      switch (event._tag) {
        case "Ask":
          asks.unsafeOffer(undefined)
          break
        case "Words":
          onEarlyWords(event.words)
          break
        case "Over":
          if (event.words !== "") onWords(event.words)
          break
        case "WentOn":
          wentOn.unsafeOpen()
          break
        case "None":
          break
      }
      if (!turn.isOpen) mayPlay.unsafeOpen()
    }

    /** Stops the agent's sound when the caller speaks, and resumes it when nothing was said. */
    const watchSpeech = (): void => {
      if (speech === null || !speech.interruptible || options.bargeIn <= 0) return
      if (!speech.isPaused && turn.voicedMillis >= options.bargeIn) speech.pause()
      else if (speech.isPaused && !turn.isOpen && turn.silentMillis >= options.resumeAfter) speech.resume()
    }

    const countSilence = (): void => {
      if (pending === null || turn.isOpen) return
      pending.quietMillis += FRAME_MILLIS
      if (pending.quietMillis >= pending.silenceMillis) settle(Effect.succeed({ _tag: "Silent" }))
    }

    const onFrame = (samples: Float32Array, concealed: boolean): void => {
      if (isHeld) return
      const before = turn.invalidFrames
      const event = turn.push(samples, concealed)
      if (turn.invalidFrames > before) {
        ignored += 1
        return
      }
      listening.push(samples)
      onTurn(event)
      watchSpeech()
      countSilence()
    }

    const onEvent = (event: LineEvent): void => {
      if (endedBy !== null) return
      switch (event._tag) {
        case "Frame":
          return onFrame(event.samples, event.concealed)
        case "Pressed":
          interrupt()
          return receive({ _tag: "Pressed", digit: event.digit })
        case "Held":
          isHeld = event.on
          return
        case "Reached":
          if (speech?.reach(event.mark) !== true) ignored += 1
          return
        case "Ended":
          endedBy = event.by
          speech?.end()
          return settle(Effect.fail(new LegEnded({ by: event.by })))
      }
    }

    const failIfEnded = Effect.suspend(() => endedBy === null ? Effect.void : new LegEnded({ by: endedBy }))

    const askOnce = Effect.zipRight(
      Queue.take(asks),
      Effect.matchEffect(listening.flush, {
        onSuccess: (words) => Effect.sync(() => onTurn(turn.answer(words))),
        onFailure: ({ _tag }) =>
          Effect.zipRight(
            Effect.logWarning(`The words of a caller could not be told: ${_tag}.`),
            Effect.sync(() => {
              turn.answer("")
              interrupt()
              receive({ _tag: "Unheard" })
            })
          )
      })
    )
    yield* Effect.forkScoped(Effect.forever(askOnce))
    yield* Effect.addFinalizer(() => Effect.suspend(() => Metric.incrementBy(ignoredEvents, ignored)))
    line.hear(onEvent)

    const leg: Leg = {
      streams: true,
      say: ({ interruptible, language_name, more, text }) =>
        Effect.suspend(() => {
          const current = makeAgentSpeech({
            line,
            clauses: clausesOf(text, language_name),
            more,
            interruptible,
            mayPlay: mayPlay.await,
            nextMark: () => nextMark++,
            speak: (clause) => speak(clause, language_name)
          })
          line.clear()
          speech = current
          return current.run.pipe(
            Effect.catchAll(({ _tag }) =>
              Effect.as(
                Effect.logWarning(`An utterance could not be spoken: ${_tag}.`),
                { heard: current.stop(), interrupted: false, failed: true }
              )
            ),
            Effect.map((spoken): Spoken => endedBy === null ? spoken : { ...spoken, endedBy }),
            Effect.onInterrupt(() => Effect.sync(() => void current.stop())),
            Effect.ensuring(Effect.sync(() => speech = null))
          )
        }).pipe((said) => Effect.zipRight(failIfEnded, said)),
      listen: (silence) =>
        Effect.zipRight(
          failIfEnded,
          Effect.async<Heard, LegEnded>((resume) => {
            const first = inbox.shift()
            if (first !== undefined) return resume(Effect.succeed(first))
            const mine: PendingListen = { silenceMillis: Duration.toMillis(silence), quietMillis: 0, resume }
            pending = mine
            return Effect.sync(() => {
              if (pending === mine) pending = null
            })
          })
        ).pipe(
          Effect.flatMap((heard) =>
            heard._tag === "Said" && Number.isFinite(turn.silentMillis)
              ? Effect.map(BusinessTime.now, (now) => ({ ...heard, endedAt: now - turn.silentMillis }))
              : Effect.succeed(heard)
          )
        ),
      goesOn: wentOn.await,
      hangUp: line.hangUp
    }
    return leg
  })
