import { frameMillis } from "@trunkline/audio"
import { BusinessTime, CurrentUsage } from "@trunkline/kernel"
import type { Delta, ModelFailure, ModelRequest } from "@trunkline/models"
import {
  type AudioLine,
  CallWatch,
  type EndedBy,
  type Heard,
  type Leg,
  LegEnded,
  type LineEvent
} from "@trunkline/telephony"
import { Deferred, Effect, FiberRef, type Scope, type Stream } from "effect"
import { isBackchannel } from "../Backchannel.js"
import { makeInbox } from "../Inbox.js"
import type { LineAnswer } from "../LineAnswer.js"
import type { TurnTakingOptions } from "../TurnTakingOptions.js"
import { makeRealtimeAnswers } from "./RealtimeAnswers.js"
import { makeRealtimeLink, type RealtimeLink, type RealtimeLost } from "./RealtimeLink.js"
import type { RealtimeEvent, RealtimeModel } from "./RealtimeModel.js"
import { makeRealtimeSpeech } from "./RealtimeSpeech.js"

/** Parts of a leg whose voice and ear are a model. */
export interface RealtimeLegParts {
  readonly line: AudioLine
  readonly model: RealtimeModel.Service
  readonly options: TurnTakingOptions
  /** Language of the call by its English name; null when unknown. */
  readonly language: string | null
  /** Finds out who has answered; null where nobody asks. */
  readonly answer: LineAnswer | null
  /** Told all events of the line, for a leg that takes over. */
  readonly onLine: (event: LineEvent) => void
}

/** A leg whose model answers by itself. */
export interface RealtimeLeg {
  readonly leg: Leg
  readonly link: RealtimeLink
  /** The model's answer to a conversation; what it says is spoken by the next `say` with `more`. */
  readonly answer: (request: ModelRequest) => Stream.Stream<Delta, RealtimeLost>
}

/** Words of a turn that were not told. */
const notTranscribed = "[not transcribed]"

/**
 * Makes a leg of a line with sound whose caller a realtime model hears and answers, for the duration of the scope.
 *
 * The caller's turn is open from `VoiceBegan` to its final `Words`, for which it waits `wordsTimeout` after `VoiceEnded`. Speech of
 * ours that can be interrupted pauses when a turn opens, goes on after one without words or with a back-channel, and ends with any
 * other. The session is told what was heard; the words go to the listener.
 */
export const makeRealtimeLeg = (parts: RealtimeLegParts): Effect.Effect<RealtimeLeg, ModelFailure, Scope.Scope> =>
  Effect.gen(function*() {
    const { answer, language, line, model, onLine, options } = parts
    const watch = yield* CallWatch
    const meter = yield* FiberRef.get(CurrentUsage)
    const inbox = makeInbox(options.keyPause)
    const mayPlay = yield* Effect.makeLatch(true)
    const callEnd = yield* Deferred.make<EndedBy>()
    const silence = new Float32Array(Math.round(line.rate * frameMillis / 1_000))
    let endedBy: EndedBy | null = null
    let isHeld = false
    let isSecret = false
    let isTurnOpen = false
    /** True from the beginning of a voice to its end: words of a turn before may still come meanwhile. */
    let isSpeaking = false
    /** Line time since the end of the voice whose words are awaited; null while none are. */
    let awaitedMillis: number | null = null
    let silentMillis = Infinity
    /** True from the moment at which the listener was given words until the first sound of the answer. */
    let isAnswering = false

    const stopSpeech = (): void => {
      if (speech.present?.interruptible === true) answers.stop(speech.present.reply)
    }

    const closeTurn = (): void => {
      isTurnOpen = false
      awaitedMillis = null
      mayPlay.unsafeOpen()
    }

    const onWords = (toldText: string | null): void => {
      if (!isSpeaking) closeTurn()
      const text = toldText === null ? notTranscribed : toldText.trim()
      answer?.detector.hear(text, true)
      answer?.notice()
      if (text === "" || speech.present !== null && isBackchannel(text)) return speech.present?.reply.resume()
      link.history.note({ role: "user", content: text })
      inbox.receive({ _tag: "Said", text, en_text: null, language_name: null })
      if (isSpeaking) inbox.goOn()
      if (speech.present?.reply.isPaused === true) stopSpeech()
    }

    const onPartialWords = (text: string): void => {
      if (text.trim() === "" || isSecret) return
      answer?.detector.hear(text, false)
      answer?.notice()
      watch?.({ _tag: "Words", role: "user", text, language_name: language, isFinal: false })
    }

    const onVoice = (): void => {
      isTurnOpen = true
      isSpeaking = true
      awaitedMillis = null
      silentMillis = 0
      mayPlay.unsafeClose()
      if (isAnswering) inbox.goOn()
      if (speech.present?.interruptible === true && options.bargeIn > 0) speech.present.reply.pause()
    }

    const onEvent = (event: RealtimeEvent): void => {
      if (endedBy !== null && event._tag !== "Used") return
      switch (event._tag) {
        case "VoiceBegan":
          return onVoice()
        case "VoiceEnded":
          isSpeaking = false
          awaitedMillis = 0
          silentMillis = event.silentMillis
          return
        case "Words":
          return event.isFinal ? onWords(event.text) : onPartialWords(event.text ?? "")
        case "Used":
          return event.usage.forEach((usage) => meter?.note(usage))
        case "CallerText":
        case "Delegated":
        case "Ended":
          return
        default:
          return answers.onEvent(event)
      }
    }

    const link = yield* makeRealtimeLink({
      model,
      rate: line.rate,
      onEvent,
      onBroken: () => {
        isSpeaking = false
        closeTurn()
        speech.present?.reply.resume()
        answers.onBroken()
      }
    })
    const answers = makeRealtimeAnswers({ line, link })
    const speech = makeRealtimeSpeech({
      line,
      link,
      answers,
      timeout: options.voiceTimeout,
      mayPlay: mayPlay.await,
      endedBy: () => endedBy,
      onAnswered: () => {
        isAnswering = false
        inbox.answered()
      }
    })

    const onFrame = (samples: Float32Array, isConcealed: boolean): void => {
      if (isHeld || samples.length !== silence.length) return
      const isQuiet = !isTurnOpen && speech.present === null && inbox.isAwaited
      link.push(isSecret ? silence : samples, { isOpen: isTurnOpen, isQuiet })
      answer?.detector.push(samples, isConcealed)
      answer?.notice()
      silentMillis += frameMillis
      inbox.countFrame(isTurnOpen)
      speech.present?.reply.countFrame()
      if (awaitedMillis === null) return
      awaitedMillis += frameMillis
      if (awaitedMillis >= options.wordsTimeout) onWords(null)
    }

    const onLineEvent = (event: LineEvent): void => {
      switch (event._tag) {
        case "Frame":
          return onFrame(event.samples, event.concealed)
        case "Pressed":
          inbox.press(event.digit, isTurnOpen)
          return stopSpeech()
        case "Held":
          isHeld = event.on
          return
        case "AnsweredBy":
          answer?.detector.tell(event.answered_by)
          return answer?.notice()
        case "Reached":
          speech.present?.reply.reach(event.mark)
          return
        case "Ended":
          endedBy = event.by
          Deferred.unsafeDone(callEnd, Effect.succeed(event.by))
          if (speech.present !== null) answers.stop(speech.present.reply)
          return inbox.end(new LegEnded({ by: event.by }))
      }
    }
    line.hear((event) => {
      if (endedBy !== null) return
      if (!link.isLost() || speech.present !== null || event._tag !== "Pressed") onLineEvent(event)
      onLine(event)
    })

    const leg: Leg = {
      streams: true,
      say: speech.say,
      listen: (silence) =>
        Effect.flatMap(inbox.listen(silence), (input) =>
          Effect.map(BusinessTime.now, (now): Heard => {
            isAnswering = input._tag !== "Silent"
            return input._tag === "Said" && Number.isFinite(silentMillis)
              ? { ...input, endedAt: now - silentMillis }
              : input
          })),
      goesOn: inbox.goesOn,
      ended: Deferred.await(callEnd),
      isHeld: () => isHeld,
      press: line.press,
      secrecy: (begins) => Effect.sync(() => void (isSecret = begins)),
      ...(answer !== null && { answer: answer.sense }),
      hangUp: line.hangUp
    }
    return { leg, link, answer: answers.answer }
  })
