import type { VoiceActivityDetector } from "@trunkline/audio"
import { ModelTimedOut } from "@trunkline/errors"
import { BusinessTime, logFailure, makeCounter, timeoutAfter } from "@trunkline/kernel"
import type { Listening, SpeechFailure } from "@trunkline/speech"
import {
  type AudioLine,
  type EndedBy,
  type Heard,
  type Leg,
  LegEnded,
  type LineEvent,
  type Spoken
} from "@trunkline/telephony"
import { Cause, Deferred, Effect, Queue, type Scope, type Stream } from "effect"
import { type AgentSpeech, makeAgentSpeech } from "./AgentSpeech.js"
import { isBackchannel } from "./Backchannel.js"
import { makeInbox } from "./Inbox.js"
import type { LineAnswer } from "./LineAnswer.js"
import { makeTurnDetector, type TurnDetector, type TurnEvent } from "./TurnDetector.js"
import type { TurnJudge } from "./TurnModel.js"
import type { TurnTakingOptions } from "./TurnTakingOptions.js"

/** Frames, marks and keys that could not be used: of a wrong length, with samples that are not finite, out of order, unknown. */
const ignoredEvents = makeCounter({
  name: "trunkline_line_ignored_events_total",
  help: "Events of lines that made no sense, such as keys that no telephone has"
})

/** Parts of a leg on a line with sound. */
export interface AudioLegParts {
  readonly line: AudioLine
  readonly listening: Listening
  readonly detector: VoiceActivityDetector
  /** Judge of the caller's pauses; null where words and silence decide alone. */
  readonly judge: TurnJudge | null
  readonly options: TurnTakingOptions
  /** Finds out who has answered; null where nobody asks. */
  readonly answer?: LineAnswer | null
  /** Clauses of a text in a language by its English name. */
  readonly clausesOf: (text: string, language_name: string) => ReadonlyArray<string>
  /** Sound of a clause, at the rate of the line. */
  readonly speak: (clause: string, language_name: string) => Stream.Stream<Float32Array, SpeechFailure>
}

/** A key of a telephone (RFC 4733, section 3.2). */
const isKey = (digit: string): boolean => /^[0-9*#A-D]$/u.test(digit)

const saidOf = (text: string, { end }: TurnDetector): Heard => ({
  _tag: "Said",
  text,
  en_text: null,
  language_name: null,
  turnEnd: end
})

const voiceTimedOut = new ModelTimedOut({ message: "The voice made no sound in time" })

const wordsTimedOut = new ModelTimedOut({ message: "The listener did not tell the words of a turn in time" })

/** Logs why a part failed, and returns the reason. An interruption goes on. */
const reportFailure = (message: string, cause: Cause.Cause<SpeechFailure>): Effect.Effect<string> =>
  Cause.isInterruptedOnly(cause) ? Effect.interrupt : logFailure(message, cause)

/**
 * Makes a leg of a line with sound, for the duration of the scope. Events of the line are handled in plain functions; one
 * fiber asks for the words of turns.
 */
export const makeAudioLeg = (parts: AudioLegParts): Effect.Effect<Leg, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { answer = null, clausesOf, detector, judge, line, listening, options, speak } = parts
    const asks = yield* Queue.unbounded<void>()
    const turn = makeTurnDetector(detector, options, judge)
    const inbox = makeInbox(options.keyPause)
    /** Open while no turn of the caller is. */
    const mayPlay = yield* Effect.makeLatch(true)
    const callEnd = yield* Deferred.make<EndedBy>()
    let endedBy: EndedBy | null = null
    let isHeld = false
    let speech: AgentSpeech<SpeechFailure> | null = null
    let nextMark = 1
    let invalidCount = 0

    /** Interrupts the agent, unless it must be heard to the end. */
    const interrupt = (): void => {
      if (speech?.interruptible === true) speech.end()
    }

    const onWords = (words: string): void => {
      if (speech !== null && isBackchannel(words)) {
        if (speech.isPaused) speech.resume()
        return
      }
      inbox.receive(saidOf(words, turn))
      if (speech?.isPaused === true) speech.end()
    }

    /** Gives words to a listener who can begin to answer them, while the caller may still go on. */
    const onEarlyWords = (words: string): void => {
      if (!inbox.isAwaited || speech !== null) return
      if (words === "" && !inbox.isContinued) return
      turn.take()
      inbox.receive(words === "" ? { _tag: "Silent" } : saidOf(words, turn))
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
          inbox.goOn()
          break
        case "None":
          break
      }
      if (turn.isOpen) mayPlay.unsafeClose()
      else mayPlay.unsafeOpen()
    }

    /** Stops the agent's sound when the caller speaks, and resumes it when nothing was said. */
    const watchSpeech = (): void => {
      if (speech === null || !speech.interruptible || options.bargeIn <= 0) return
      if (!speech.isPaused && turn.voicedMillis >= options.bargeIn) speech.pause()
      else if (speech.isPaused && !turn.isOpen && turn.silentMillis >= options.resumeAfter) speech.resume()
    }

    const onFrame = (samples: Float32Array, isConcealed: boolean): void => {
      if (isHeld) return
      const before = turn.invalidFrames
      const event = turn.push(samples, isConcealed)
      if (turn.invalidFrames > before) {
        invalidCount += 1
        return
      }
      listening.push(samples)
      answer?.detector.push(samples, isConcealed)
      answer?.notice()
      onTurn(event)
      watchSpeech()
      inbox.countFrame(turn.isOpen)
      speech?.countFrame()
    }

    const onEvent = (event: LineEvent): void => {
      if (endedBy !== null) return
      switch (event._tag) {
        case "Frame":
          return onFrame(event.samples, event.concealed)
        case "Pressed":
          if (!isKey(event.digit)) {
            invalidCount += 1
            return
          }
          inbox.press(event.digit, turn.isOpen)
          return interrupt()
        case "Held":
          isHeld = event.on
          return
        case "AnsweredBy":
          answer?.detector.tell(event.answered_by)
          return answer?.notice()
        case "Reached":
          if (speech?.reach(event.mark) !== true) invalidCount += 1
          return
        case "Ended":
          endedBy = event.by
          Deferred.unsafeDone(callEnd, Effect.succeed(event.by))
          speech?.end()
          return inbox.end(new LegEnded({ by: event.by }))
      }
    }

    const failIfEnded = Effect.suspend(() => endedBy === null ? Effect.void : new LegEnded({ by: endedBy }))

    const askOnce = Effect.zipRight(
      Queue.take(asks),
      Effect.matchCauseEffect(timeoutAfter(options.wordsTimeout, wordsTimedOut)(listening.flush), {
        onSuccess: (words) =>
          Effect.sync(() => {
            answer?.detector.hear(words, true)
            answer?.notice()
            onTurn(turn.answer(words))
          }),
        onFailure: (cause) =>
          Effect.map(reportFailure("The words of a caller could not be told", cause), (reason) => {
            turn.answer("")
            inbox.receive({ _tag: "Unheard", reason })
            interrupt()
          })
      })
    )
    yield* Effect.forkScoped(Effect.forever(askOnce))
    yield* Effect.addFinalizer(() => Effect.sync(() => ignoredEvents.add(invalidCount)))
    line.hear(onEvent)

    const leg: Leg = {
      streams: true,
      say: ({ interruptible, language_name, more, onHeard, text }) =>
        Effect.suspend(() => {
          const current = makeAgentSpeech({
            line,
            clauses: clausesOf(text, language_name),
            more,
            interruptible,
            timeout: { millis: options.voiceTimeout, error: voiceTimedOut },
            mayPlay: mayPlay.await,
            onStart: inbox.answered,
            onHeard,
            nextMark: () => nextMark++,
            speak: (clause) => speak(clause, language_name)
          })
          line.clear()
          speech = current
          return current.run.pipe(
            Effect.catchAllCause((cause) =>
              Effect.map(
                reportFailure("An utterance could not be spoken", cause),
                (reason) => ({ heard: current.stop(), interrupted: false, failed: true, reason })
              )
            ),
            Effect.map((result): Spoken => endedBy === null ? result : { ...result, endedBy }),
            Effect.onInterrupt(() => Effect.sync(() => void current.stop())),
            Effect.ensuring(Effect.sync(() => {
              speech = null
              inbox.answered()
            }))
          )
        }).pipe((speech) => Effect.zipRight(failIfEnded, speech)),
      listen: (silence) =>
        Effect.flatMap(inbox.listen(silence), (input) =>
          input._tag === "Said" && Number.isFinite(turn.silentMillis)
            ? Effect.map(BusinessTime.now, (now) => ({ ...input, endedAt: now - turn.silentMillis }))
            : Effect.succeed(input)),
      goesOn: inbox.goesOn,
      ended: Deferred.await(callEnd),
      isHeld: () => isHeld,
      press: line.press,
      ...(answer !== null && { answer: answer.sense }),
      hangUp: line.hangUp
    }
    return leg
  })
