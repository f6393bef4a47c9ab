import { frameMillis } from "@trunkline/audio"
import { BusinessTime, CurrentUsage, fiberStarter } from "@trunkline/kernel"
import type { ModelFailure } from "@trunkline/models"
import { CallWatch, type EndedBy, type Heard, type Leg, LegEnded, type LineEvent } from "@trunkline/telephony"
import { Deferred, Duration, Effect, FiberRef, type Scope } from "effect"
import { makeInbox } from "../Inbox.js"
import type { RealtimeLegParts } from "../realtime/RealtimeLeg.js"
import { makeRealtimeLink, type RealtimeLink } from "../realtime/RealtimeLink.js"
import type { RealtimeEvent } from "../realtime/RealtimeModel.js"
import { makeDuplexSpeech } from "./DuplexSpeech.js"
import { makeDuplexVoice, type VoicedWords } from "./DuplexVoice.js"
import { makeDuplexWords } from "./DuplexWords.js"
import { voiceInstructions } from "./VoiceRules.js"

/** A leg whose voice talks by itself. Its `say` takes whole texts. */
export interface DuplexLeg {
  readonly leg: Leg
  readonly link: RealtimeLink
  /** Null: the model of the chain answers. */
  readonly answer: null
}

/**
 * Makes a leg of a line with sound whose caller a duplex model hears and talks with, for the duration of the scope.
 *
 * Words of the model are played as they come. Its words, with those of the caller before them, are given to the listener as a turn
 * that was answered. What it delegates is given as a turn for the agent, whose utterance goes back to the model, and is over when the
 * model has said its words. Words of the caller spoken into the voice stop it, unless they are words of attention.
 */
export const makeDuplexLeg = (parts: RealtimeLegParts): Effect.Effect<DuplexLeg, ModelFailure, Scope.Scope> =>
  Effect.gen(function*() {
    const { answer, language, line, model, onLine, options } = parts
    const start = yield* fiberStarter()
    const watch = yield* CallWatch
    const meter = yield* FiberRef.get(CurrentUsage)
    const callEnd = yield* Deferred.make<EndedBy>()
    const silence = new Float32Array(Math.round(line.rate * frameMillis / 1_000))
    const inbox = makeInbox(options.keyPause)
    let lineMillis = 0
    let nextMark = 1
    let endedBy: EndedBy | null = null
    let isHeld = false
    let isSecret = false

    /** Moments of line time in what is given become those of business time once it is taken. */
    const businessTime = (at: number, now: number): number => now - (lineMillis - at)

    const words = makeDuplexWords((input) => {
      if (input._tag === "Said") {
        if (input.text !== "") link.history.note({ role: "user", content: input.text })
        const reply = input.ownReply ?? null
        if (reply !== null) link.history.note({ role: "assistant", content: reply.text, toolRequests: [] })
      }
      inbox.receive(input)
      inbox.answered()
    })

    const onOver = (voicedWords: VoicedWords): void => {
      if (!speech.take(voicedWords)) words.addVoiced(voicedWords)
    }

    const voice = makeDuplexVoice({
      line,
      lineMillis: () => lineMillis,
      nextMark: () => nextMark++,
      onBegin: () => {},
      onHeard: (text) => speech.onHeard(text),
      onOver
    })

    const onCallerText = (text: string, agoMillis: number): void => {
      if (isSecret) return
      answer?.detector.hear(text, true)
      answer?.notice()
      const isInto = words.hear(text, lineMillis - agoMillis, voice.beganAt)
      watch?.({ _tag: "Words", role: "user", text: text.trim(), language_name: language, isFinal: false })
      if (isInto && options.bargeIn > 0 && speech.mayStop) voice.stop()
    }

    const onEvent = (event: RealtimeEvent): void => {
      if (event._tag === "Used") return event.usage.forEach((usage) => meter?.note(usage))
      if (endedBy !== null) return
      switch (event._tag) {
        case "CallerText":
          return onCallerText(event.text, event.agoMillis)
        case "Delegated":
          return words.delegate(event.id)
        case "Sound":
          return voice.addSound(event.samples)
        case "Text":
          return voice.addText(event.text)
      }
    }

    const link = yield* makeRealtimeLink({
      model,
      rate: line.rate,
      setup: { instructions: voiceInstructions(""), tools: [] },
      onEvent,
      onBroken: () => {
        voice.complete()
        words.forgetDelegations()
        start(Effect.ignore(Effect.map(
          Effect.zipRight(Effect.yieldNow(), link.ready),
          () => speech.repeat(voice.beganAt !== null)
        )))
      }
    })
    const speech = makeDuplexSpeech({
      link,
      words,
      endedBy: () => endedBy,
      isVoiceHeard: () => voice.beganAt !== null,
      stop: voice.stop,
      businessTime
    })
    yield* Effect.forkScoped(Effect.map(link.lost, () => voice.beganAt === null ? speech.giveUp() : voice.complete()))

    const onFrame = (samples: Float32Array, isConcealed: boolean): void => {
      if (isHeld || samples.length !== silence.length) return
      const isVoiceHeard = voice.beganAt !== null
      const isQuiet = !isVoiceHeard && !words.isOpen && inbox.isAwaited
      lineMillis += frameMillis
      link.push(isSecret ? silence : samples, { isOpen: false, isQuiet })
      answer?.detector.push(samples, isConcealed)
      answer?.notice()
      voice.countFrame()
      words.countFrame(isVoiceHeard)
      speech.countFrame(isVoiceHeard)
      inbox.countFrame(isVoiceHeard || words.isOpen)
    }

    const onLineEvent = (event: LineEvent): void => {
      switch (event._tag) {
        case "Frame":
          return onFrame(event.samples, event.concealed)
        case "Pressed":
          inbox.press(event.digit, false)
          if (speech.mayStop) voice.stop()
          return
        case "Held":
          isHeld = event.on
          return
        case "AnsweredBy":
          answer?.detector.tell(event.answered_by)
          return answer?.notice()
        case "Reached":
          return voice.reach(event.mark)
        case "Ended":
          endedBy = event.by
          Deferred.unsafeDone(callEnd, Effect.succeed(event.by))
          voice.stop()
          speech.giveUp()
          words.end()
          return inbox.end(new LegEnded({ by: event.by }))
      }
    }
    line.hear((event) => {
      if (endedBy !== null) return
      if (!link.isLost() || voice.beganAt !== null || event._tag !== "Pressed") onLineEvent(event)
      onLine(event)
    })

    const inBusinessTime = (input: Heard, now: number): Heard => {
      if (input._tag !== "Said") return input
      const reply = input.ownReply ?? null
      return {
        ...input,
        ...(input.endedAt !== undefined && { endedAt: businessTime(input.endedAt, now) }),
        ...(reply !== null && { ownReply: { ...reply, startedAt: businessTime(reply.startedAt, now) } })
      }
    }

    const leg: Leg = {
      streams: true,
      say: speech.say,
      listen: (silence) =>
        Effect.suspend(() => {
          if (Duration.toMillis(silence) > 0) words.beginListening()
          return Effect.flatMap(inbox.listen(silence), (input) => {
            inbox.answered()
            words.noteInput(input)
            return Effect.map(BusinessTime.now, (now) => inBusinessTime(input, now))
          })
        }),
      ended: Deferred.await(callEnd),
      isHeld: () => isHeld,
      press: line.press,
      secrecy: (begins) => Effect.sync(() => void (isSecret = begins)),
      instruct: (instructions) =>
        Effect.sync(() => link.configure({ instructions: voiceInstructions(instructions), tools: [] })),
      ...(answer !== null && { answer: answer.sense }),
      hangUp: line.hangUp
    }
    return { leg, link, answer: null }
  })
