import { concatSamples, frameMillis, withoutSilence } from "@trunkline/audio"
import { BusinessTime } from "@trunkline/kernel"
import { Listener, modemVoice, soundOf, type Synthesizer, Transcriber } from "@trunkline/speech"
import { type LanguageCode, languageCodeOf, TextNormalizer } from "@trunkline/spoken-text"
import {
  type AudioCaller,
  type CallBrief,
  type EndedBy,
  type Leg,
  makeSimulatedAudioLine,
  Voicing
} from "@trunkline/telephony"
import { TurnTaking } from "@trunkline/turn-taking"
import { Context, Effect, Layer, Random, type Scope, Stream } from "effect"
import { LRUCache } from "lru-cache"
import { type ActionDelivery, type CallLine, keyMillis, silentLine, type TestLineState } from "../line/CallLine.js"
import type { TestCallLog } from "../line/CallLog.js"
import { type LineClock, makeLineClock } from "../line/LineClock.js"
import { makeAgentEar } from "./AgentEar.js"
import { knownSounds } from "./KnownSounds.js"

/** Sample rate of the line in hertz: that of a telephone. */
const rate = 8_000

/** Amplitude of noise: loud enough to be taken for a voice at first. */
const noiseLevel = 0.2

const usualLanguage: LanguageCode = "en-IN"

/** Words as they are: figures that a voice says as words would be heard otherwise than they stand in the record. */
const asWritten = Layer.succeed(TextNormalizer, { normalize: (text) => text })

const speech = Layer.mergeAll(modemVoice(), knownSounds, asWritten)

const layer = Layer.mergeAll(
  Layer.provide(TurnTaking.layer, Layer.provideMerge(Listener.layerOfTranscriber, speech)),
  speech
)

let cache: Context.Context<Layer.Layer.Success<typeof layer>> | undefined

/** Parts of calls with sound: a voice and an ear for both sides, whose words are exact. All calls share them. */
const parts = Effect.suspend(() =>
  cache === undefined
    ? Effect.map(Effect.scoped(Layer.build(layer)), (context) => {
      cache = context
      return context
    })
    : Effect.succeed(cache)
)

/** Sound of callers' words, which is the same in each call. */
const spokenBefore = new LRUCache<string, Float32Array>({ max: 1_000 })

const soundOfWords = (text: string, language: LanguageCode): Effect.Effect<Float32Array, never, Synthesizer> =>
  Effect.suspend(() => {
    const key = `${language} ${text}`
    const sound = spokenBefore.get(key)
    if (sound !== undefined) return Effect.succeed(sound)
    return Effect.map(Effect.orDie(soundOf(text, { language, rate })), (sound) => {
      const words = withoutSilence(sound, rate)
      spokenBefore.set(key, words)
      return words
    })
  })

/** The sound that a bad line does not lose: packets of 20 ms are silent. */
const carry = (sound: Float32Array, loss: number): Effect.Effect<Float32Array> =>
  loss === 0 ? Effect.succeed(sound) : Effect.gen(function*() {
    const length = rate * frameMillis / 1_000
    const lossy = sound.slice()
    for (let at = 0; at < lossy.length; at += length) {
      if ((yield* Random.next) < loss) lossy.fill(0, at, at + length)
    }
    return lossy
  })

const noiseOf = (millis: number): Effect.Effect<Float32Array> =>
  Effect.map(
    Effect.forEach(Array.from({ length: Math.round(rate * millis / 1_000) }), () => Random.next),
    (values) => Float32Array.from(values, (value) => (value * 2 - 1) * noiseLevel)
  )

/** The way of a caller's actions to the agent, as sound, keys and signals of the line. */
const deliveryOf = (caller: AudioCaller, onHold: (on: boolean) => void): ActionDelivery => {
  const play = (sound: Float32Array) =>
    Effect.zipRight(
      Effect.sync(() => caller.say(sound)),
      BusinessTime.sleep(Math.ceil(sound.length * 1_000 / rate))
    )
  return {
    says: ({ language, loss, text }) =>
      Effect.gen(function*() {
        const context = yield* parts
        const sound = yield* Effect.provide(soundOfWords(text, languageCodeOf(language) ?? usualLanguage), context)
        yield* play(yield* carry(sound, loss))
        return text
      }),
    presses: (keys) =>
      Effect.forEach(
        [...keys],
        (key, index) => Effect.map(index === 0 ? Effect.void : BusinessTime.sleep(keyMillis), () => caller.press(key)),
        { discard: true }
      ),
    holds: (millis) =>
      Effect.suspend(() => {
        caller.hold(true)
        onHold(true)
        return Effect.map(BusinessTime.sleep(millis), () => {
          caller.hold(false)
          onHold(false)
        })
      }),
    makesNoise: (millis) => Effect.flatMap(noiseOf(millis), play)
  }
}

/** A leg that tells what the agent says and when it listens. What was heard is read from the sound. */
const watch = (
  leg: Leg,
  { clock, heardSince, log, state }: {
    readonly state: TestLineState
    readonly clock: LineClock
    readonly log: TestCallLog
    /** Words in the agent's sound since a frame, the moment of their first sound, and whether they were played without a pause. */
    readonly heardSince: (frame: number) => Effect.Effect<{ readonly text: string; readonly isWhole: boolean }>
  },
  frameNow: () => number
): Leg => ({
  ...leg,
  say: (utterance) =>
    Effect.gen(function*() {
      const startedAt = yield* BusinessTime.now
      const { language_name, more, text } = utterance
      const turn = log.agent(text, language_name, startedAt)
      const first = frameNow()
      state.language = language_name
      state.speech = { turn, startedAt }
      clock.notify()
      const told = more === undefined ? utterance : {
        ...utterance,
        more: Stream.tap(more, (clause) =>
          Effect.sync(() => {
            turn.meant = `${turn.meant} ${clause}`.trim()
          }))
      }
      const result = yield* leg.say(told).pipe(Effect.ensuring(Effect.sync(() => {
        state.speech = null
      })))
      const { isWhole, text: words } = yield* heardSince(first)
      turn.text = isWhole ? words : result.heard.trim()
      turn.interrupted = result.interrupted || result.endedBy !== undefined
      turn.from = log.second(result.startedAt ?? startedAt)
      turn.to = log.second(yield* BusinessTime.now)
      state.agentTurns.push(turn)
      clock.notify()
      return result
    }),
  listen: (silence) =>
    Effect.suspend(() => {
      state.isListening = true
      clock.notify()
      return Effect.ensuring(
        leg.listen(silence),
        Effect.sync(() => {
          state.isListening = false
        })
      )
    })
})

/**
 * Makes a line with sound: the caller speaks with a voice whose words are exact, turn-taking hears it as any other, and what the
 * agent says is read from its sound. Virtual time makes it as fast as the machine is.
 */
export const makeSoundLine = (log: TestCallLog, brief: CallBrief): Effect.Effect<CallLine, never, Scope.Scope> =>
  Effect.gen(function*() {
    const context = yield* parts
    const clock = makeLineClock()
    const state = silentLine()
    const ear = makeAgentEar(rate)
    const { caller, line } = yield* makeSimulatedAudioLine({ rate, isRecorded: false, onHeard: ear.hear })
    const leg = yield* Effect.orDie(Context.get(context, Voicing).legOf(line, brief))
    const transcribe = Context.get(context, Transcriber).transcribe
    const heardSince = (frame: number) => {
      const { isWhole, samples } = ear.since(frame)
      const code = languageCodeOf(state.language) ?? usualLanguage
      return Effect.map(
        Effect.orDie(transcribe({ rate, samples: concatSamples(samples) }, { language: code })),
        (text) => ({ text: text.trim(), isWhole })
      )
    }
    const noteEnd = (by: EndedBy): void => {
      state.endedBy = by
      clock.notify()
    }
    yield* Effect.forkScoped(Effect.map(caller.ended, noteEnd))
    return {
      leg: watch(leg, { state, clock, log, heardSince }, () => ear.frames()),
      state,
      clock,
      delivery: deliveryOf(caller, clock.notify),
      end: (by) =>
        Effect.zipRight(by === "user" ? caller.hangUp : line.hangUp, Effect.sync(() => noteEnd(state.endedBy ?? by)))
    }
  })
