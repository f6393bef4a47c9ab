import { concatSamples, frameMillis, isAudible } from "@trunkline/audio"
import { fiberStarter } from "@trunkline/kernel"
import type { Message, ModelFailure } from "@trunkline/models"
import { soundOf, type Synthesizer, Transcriber } from "@trunkline/speech"
import { type Duration, Effect } from "effect"
import type { RealtimeCommand, RealtimeModel, RealtimeOpening, RealtimeSession } from "../realtime/RealtimeModel.js"
import { sessionBroke } from "./RealtimeOfParts.js"

/** Reaction of a duplex model in memory to words of the caller. */
export interface DuplexReaction {
  /** Words that it says by itself. */
  readonly say?: string
  /** True when it asks the agent, after its own words. */
  readonly delegates?: boolean
}

/** A session of a duplex model in memory, as its model sees it. */
export interface DuplexPartsSession {
  /** Commands so far, in order. */
  readonly commands: ReadonlyArray<RealtimeCommand>
  /** Messages that it began with. */
  readonly history: ReadonlyArray<Message>
  /** Says words of its own. */
  readonly say: (text: string) => void
  /** Ends the session. */
  readonly end: (failure?: ModelFailure) => void
}

/** A duplex model in memory. */
export interface DuplexOfParts {
  readonly model: RealtimeModel.Service
  /** Sessions so far, in order. */
  readonly sessions: ReadonlyArray<DuplexPartsSession>
  /** Lets the next sessions fail to open; null: they open. */
  readonly refuse: (failure: ModelFailure | null) => void
}

/** Options of a duplex model in memory. */
export interface DuplexOfPartsOptions {
  /** Reacts to words of the caller. */
  readonly react: (words: string) => DuplexReaction
  /** Says what the agent gives it; default: word for word, and null for nothing. */
  readonly voice?: (text: string) => string | null
  /** Silence after which it answers, in milliseconds; default 400. */
  readonly silence?: number
  /** Time that its words take before their first sound; none by default. */
  readonly slow?: Duration.DurationInput
}

/**
 * A duplex model in memory, made of a transcriber, rules and a synthesizer. For tests and simulations, whose words are exact with
 * `modemVoice` and `modemTranscriber`.
 */
export const duplexOfParts = (
  { react, silence = 400, slow = 0, voice = (text) => text }: DuplexOfPartsOptions
): Effect.Effect<DuplexOfParts, never, Synthesizer | Transcriber> =>
  Effect.gen(function*() {
    const { transcribe } = yield* Transcriber
    const parts = yield* Effect.context<Synthesizer>()
    const sessions: Array<DuplexPartsSession> = []
    let refusal: ModelFailure | null = null

    const open = ({ history, onEvent, rate }: RealtimeOpening) =>
      Effect.gen(function*() {
        if (refusal !== null) return yield* Effect.fail(refusal)
        const start = yield* fiberStarter()
        const commands: Array<RealtimeCommand> = []
        const speaking = yield* Effect.makeSemaphore(1)
        let turn: Array<Float32Array> | null = null
        let silent = 0
        let isOpen = true
        let delegations = 0

        const emit = (event: Parameters<typeof onEvent>[0]): void => {
          if (isOpen) onEvent(event)
        }

        const say = (text: string) =>
          Effect.gen(function*() {
            const sound = yield* Effect.provide(soundOf(text, { rate }), parts)
            emit({ _tag: "Text", reply: 0, text: ` ${text}` })
            emit({ _tag: "Sound", reply: 0, samples: sound })
          }).pipe(Effect.delay(slow), Effect.ignore, speaking.withPermits(1))

        const hear = (frames: ReadonlyArray<Float32Array>) =>
          Effect.gen(function*() {
            const text = yield* transcribe({ rate, samples: concatSamples(frames) }, { language: null })
            if (text === "") return
            emit({ _tag: "CallerText", text: ` ${text}`, agoMillis: silence })
            const reaction = react(text)
            if (reaction.say !== undefined) yield* say(reaction.say)
            if (reaction.delegates === true) emit({ _tag: "Delegated", id: `delegation_${++delegations}` })
          }).pipe(Effect.ignore)

        const session: RealtimeSession = {
          expiresAt: null,
          push: (samples) => {
            if (!isOpen) return
            silent = isAudible(samples) ? 0 : silent + frameMillis
            if (turn === null && silent > 0) return
            turn ??= []
            turn.push(samples.slice())
            if (silent < silence) return
            start(hear(turn))
            turn = null
          },
          send: (command) => {
            if (!isOpen) return
            commands.push(command)
            const comment = command._tag === "Comment" ? voice(command.text) : null
            if (comment !== null) start(say(comment))
          }
        }
        const end = (failure: ModelFailure = sessionBroke): void => {
          emit({ _tag: "Ended", failure })
          isOpen = false
        }
        sessions.push({ commands, history, say: (text) => void start(say(text)), end })
        yield* Effect.addFinalizer(() => Effect.sync(() => void (isOpen = false)))
        return session
      })

    return { model: { shape: "duplex", open }, sessions, refuse: (failure) => void (refusal = failure) }
  })
