import { Agent, AgentCatalog, AgentVersion } from "@trunkline/agents"
import { Conversation } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import { BusinessTime, fromPull } from "@trunkline/kernel"
import { type Delta, emptyCompletion, LanguageModel } from "@trunkline/models"
import { Listener, Synthesizer, Transcriber } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import { CallHandler, makeSimulatedAudioLine, Voicing } from "@trunkline/telephony"
import { fixedEndOfTurn, TurnTaking, turnTakingDefaults, TurnTakingOption } from "@trunkline/turn-taking"
import { Effect, Fiber, Layer, Schema } from "effect"
import { callerRate, callerSound, voiceSound } from "./conversation-sounds.js"

/** Delays of the emulated parts of a call, in milliseconds. */
export interface Delays {
  readonly transcript: number
  /** From the request to the first word of the model, and from each word to the next. */
  readonly firstToken: number
  readonly token: number
  readonly firstSound: number
}

/** Settings of a call with sound. */
export interface CallSettings {
  readonly turns: number
  readonly delays: Delays
  /** Each part begins when the one before has ended: end of turn, transcript, whole answer, voice. */
  readonly inOrder: boolean
  /** Sample rate of the voice in hertz. */
  readonly voiceRate: number
  /** Called before each turn and after the last one. Then there is no recording, and so no response gap. */
  readonly onTurn?: () => void
}

const sentences = [
  "I would like to book a table for tonight.",
  "Which documents do I need to bring?",
  "My order has not arrived yet.",
  "Could you tell me when you open tomorrow?",
  "I have paid the invoice last week.",
  "Please call me back in the evening.",
  "That sounds good."
]

const replies = [
  "Of course, I can do that. For how many people shall I book the table?",
  "You need your passport and a proof of your address. Shall I send you the list by mail?",
  "I am sorry to hear that. Let me look up your order. It left our store yesterday.",
  "We open at nine in the morning, and we close at six in the evening.",
  "Thank you, I can see your payment here. There is nothing left to do for you.",
  "Certainly. One of my colleagues will call you back after six, when our desk is free.",
  "Very well. Is there anything else that I can help you with today?",
  "The next free appointment is on Thursday afternoon, which should leave you enough time to prepare everything."
]

const pick = (list: ReadonlyArray<string>, index: number): string => list[index % list.length] ?? ""

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\S+\s*/gu) ?? []

/** Characters a second of the voice. */
const speed = 15

const sleep = (millis: number) => millis === 0 ? Effect.void : Effect.sleep(millis)

/** A model whose answers come word by word, as a model adapter gives them. */
const modelOf = ({ firstToken, token }: Delays, reply: () => string) =>
  Layer.succeed(LanguageModel, {
    generate: () =>
      Effect.suspend(() => {
        const text = reply()
        const { length } = wordsOf(text)
        return Effect.as(sleep(firstToken + token * (length - 1)), {
          ...emptyCompletion,
          text,
          finish: "stop" as const
        })
      }),
    stream: () =>
      fromPull(Effect.sync(() => {
        const deltas: Array<Delta> = wordsOf(reply()).map((text) => ({ _tag: "Text", text }))
        deltas.push({ _tag: "Finish", reason: "stop" })
        const { length } = deltas
        return Effect.suspend(() => {
          const delta = deltas.shift()
          if (delta === undefined) return Effect.succeed(null)
          const delay = deltas.length === length - 1 ? firstToken : delta._tag === "Text" ? token : 0
          return Effect.as(sleep(delay), [delta])
        })
      }))
  })

/** A voice that plays a recording as long as its text. */
const voiceOf = ({ firstSound }: Delays, voiceRate: number) =>
  Layer.succeed(Synthesizer, {
    ability: { engine: "recorded", cloning: "none", languages: ["en-IN"], nativeRate: voiceRate, controls: [] },
    speak: ({ text }) =>
      fromPull(Effect.sync(() => {
        let isGiven = false
        return Effect.suspend(() => {
          if (isGiven) return Effect.succeed(null)
          isGiven = true
          return Effect.as(sleep(firstSound), voiceSound(voiceRate, text.length / speed))
        })
      }))
  })

const transcriberOf = ({ transcript }: Delays, said: () => string) =>
  Layer.succeed(Transcriber, {
    available: true,
    transcribe: () => Effect.map(sleep(transcript), said)
  })

/** The leg without `streams`, so that the model writes its whole answer before the voice begins. */
const wholeAnswers = Layer.effect(
  Voicing,
  Effect.map(Voicing, ({ legOf }): Voicing.Service => ({
    legOf: (line, brief) => Effect.map(legOf(line, brief), (leg) => ({ ...leg, streams: false }))
  }))
)

const version = Schema.decodeUnknownSync(AgentVersion)({
  app_version: 1,
  committed: true,
  first_message: "Hello, how can I help you?"
})

const { app_id } = testCallBrief

/** Amplitude from which the agent can be heard: -50 dBFS. */
const audible = 10 ** (-50 / 20)

const frameMillis = 20

/** Waits for at least a time, to a moment between two frames that changes from turn to turn. */
const makeWait = (startedAt: number, turn: () => number) => (millis: number) =>
  Effect.flatMap(BusinessTime.now, (now) => {
    const frames = Math.ceil((now + millis - startedAt) / frameMillis)
    return BusinessTime.sleepUntil(startedAt + frames * frameMillis + 1 + turn() % 19)
  })

/** Milliseconds from the beginning of a turn to the next, with time for the answer. */
const turnMillis = (sound: Float32Array, reply: string): number =>
  sound.length / callerRate * 1_000 + 3_000 + reply.length / speed * 1_000

/** The simulated line of a call with the same sounds, without an engine. */
export const lineAlone = ({ onTurn, turns }: { readonly turns: number; readonly onTurn: () => void }) =>
  Effect.gen(function*() {
    let turn = 0
    const { caller, line } = yield* makeSimulatedAudioLine({ rate: callerRate, isRecorded: false })
    const wait = makeWait(yield* BusinessTime.now, () => turn)
    yield* wait(4_000)
    for (; turn < turns; turn++) {
      onTurn()
      const sound = callerSound(wordsOf(pick(sentences, turn)).length, turn)
      const reply = pick(replies, turn)
      caller.say(sound)
      for (const piece of voiceSound(callerRate, reply.length / speed)) line.play(piece)
      yield* wait(turnMillis(sound, reply))
    }
    onTurn()
  }).pipe(Effect.scoped)

/**
 * Holds a call, and returns the response gap of each turn in milliseconds: from the caller's last voiced sample to the first
 * audible one of the agent in what the caller heard. A frame is added, since the line plays sound to the caller in the same
 * 20 ms for which it hears them, and a real frame can leave only afterwards.
 */
export const audibleCall = ({ delays, inOrder, onTurn, turns, voiceRate }: CallSettings) =>
  Effect.gen(function*() {
    let turn = 0
    const said = () => pick(sentences, turn)
    const reply = () => pick(replies, turn)
    const options = inOrder
      ? { ...turnTakingDefaults, endOfTurn: fixedEndOfTurn(500), askAfter: 500 }
      : turnTakingDefaults
    const parts = Layer.mergeAll(
      voiceOf(delays, voiceRate),
      Layer.provide(Listener.layerOfTranscriber, transcriberOf(delays, said)),
      TextNormalizer.layer,
      Layer.succeed(TurnTakingOption, options)
    )
    const voicing = Layer.provide(TurnTaking.layer, parts)
    const handler = Conversation.layerWith({}).pipe(
      Layer.provide([modelOf(delays, reply), AgentCatalog.layerOf([new Agent({ app_id, versions: [version] })])])
    )
    const { caller, line } = yield* makeSimulatedAudioLine({ rate: callerRate, isRecorded: onTurn === undefined })
    const startedAt = yield* BusinessTime.now
    const hold = Effect.gen(function*() {
      const { legOf } = yield* Voicing
      const { handle } = yield* CallHandler
      return yield* handle(yield* legOf(line, testCallBrief), testCallBrief)
    }).pipe(
      Effect.provide(Layer.merge(handler, inOrder ? Layer.provide(wholeAnswers, voicing) : voicing)),
      // Whole answers are waited for while time is held, except in this time.
      Effect.provideService(BusinessTime, BusinessTime.fromClock(0))
    )
    const call = yield* Effect.fork(hold)

    const wait = makeWait(startedAt, () => turn)
    yield* wait(4_000)
    const ends: Array<number> = []
    for (; turn < turns; turn++) {
      onTurn?.()
      const now = yield* BusinessTime.now
      const sound = callerSound(wordsOf(said()).length, turn)
      ends.push(Math.floor((now - startedAt) / frameMillis) * frameMillis * callerRate / 1_000 + sound.length)
      caller.say(sound)
      yield* wait(turnMillis(sound, reply()))
    }
    onTurn?.()
    yield* caller.hangUp
    yield* Fiber.join(call)
    const recording = caller.recording()
    return ends.map((end) => {
      const silent = recording.subarray(end).findIndex((sample) => Math.abs(sample) > audible)
      return silent / callerRate * 1_000 + frameMillis
    })
  }).pipe(Effect.scoped)
