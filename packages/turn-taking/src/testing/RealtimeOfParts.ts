import { concatSamples, frameMillis } from "@trunkline/audio"
import { ModelUnavailable } from "@trunkline/errors"
import { fiberStarter } from "@trunkline/kernel"
import { LanguageModel, type Message, type ModelFailure } from "@trunkline/models"
import { soundOf, type Synthesizer, Transcriber } from "@trunkline/speech"
import { Clock, type Duration, Effect, Fiber } from "effect"
import type { RealtimeCommand, RealtimeModel, RealtimeOpening, RealtimeSession } from "../realtime/RealtimeModel.js"

/** A session of a realtime model of parts, as its model sees it. */
export interface PartsSession {
  /** Commands so far, in order. */
  readonly commands: ReadonlyArray<RealtimeCommand>
  /** The conversation that it knows: what it heard, said and was told. */
  readonly messages: ReadonlyArray<Message>
  /** Ends the session. */
  readonly end: (failure?: ModelFailure) => void
}

/** A realtime model in memory. */
export interface RealtimeOfParts {
  readonly model: RealtimeModel.Service
  /** Sessions so far, in order. */
  readonly sessions: ReadonlyArray<PartsSession>
  /** Lets the next sessions fail to open; null: they open. */
  readonly refuse: (failure: ModelFailure | null) => void
}

/** Options of a realtime model in memory. */
export interface RealtimeOfPartsOptions {
  /** Silence after which a turn of the caller is over, in milliseconds; default 400. */
  readonly silence?: number
  /** Time that an answer takes before its first word; none by default. */
  readonly slow?: Duration.DurationInput
  /** Longest session in milliseconds; none by default. */
  readonly longest?: number
}

/** Least mean square of the samples of a frame with a voice: -50 dBFS. */
const audiblePower = 1e-5

const powerOf = (samples: Float32Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)

/** Failure of a session that broke. */
export const sessionBroke = new ModelUnavailable({ message: "The session broke" })

/**
 * A realtime model in memory, made of a transcriber, a language model and a synthesizer, as if they were one: it finds voices by
 * their energy, and works at the speed of its parts. For tests and simulations, whose words are exact with `modemVoice` and
 * `modemTranscriber`.
 */
export const realtimeOfParts = (
  { longest, silence = 400, slow = 0 }: RealtimeOfPartsOptions = {}
): Effect.Effect<RealtimeOfParts, never, LanguageModel | Synthesizer | Transcriber> =>
  Effect.gen(function*() {
    const language = yield* LanguageModel
    const { transcribe } = yield* Transcriber
    const parts = yield* Effect.context<Synthesizer>()
    const sessions: Array<PartsSession> = []
    let refusal: ModelFailure | null = null

    const open = ({ history, onEvent, rate, setup: first }: RealtimeOpening) =>
      Effect.gen(function*() {
        if (refusal !== null) return yield* Effect.fail(refusal)
        const start = yield* fiberStarter()
        const openedAt = yield* Clock.currentTimeMillis
        const commands: Array<RealtimeCommand> = []
        const messages: Array<Message> = [...history]
        const answers = new Map<number, { message: Message; samples: number }>()
        let setup = first
        let turn: Array<Float32Array> | null = null
        let silent = 0
        let isOpen = true
        let making: { readonly reply: number; readonly fiber: Fiber.Fiber<void> } | null = null

        const emit = (event: Parameters<typeof onEvent>[0]): void => {
          if (isOpen) onEvent(event)
        }

        const hear = (frames: ReadonlyArray<Float32Array>) =>
          Effect.flatMap(transcribe({ rate, samples: concatSamples(frames) }, { language: null }), (text) =>
            Effect.sync(() => {
              if (text !== "") messages.push({ role: "user", content: text })
              emit({ _tag: "Words", text, isFinal: true })
            })).pipe(Effect.catchAll(() =>
              Effect.sync(() => emit({ _tag: "Words", text: null, isFinal: true }))
            ))

        const say = (reply: number, text: string) =>
          Effect.gen(function*() {
            emit({ _tag: "Text", reply, text })
            const sound = yield* Effect.provide(soundOf(text, { rate }), parts)
            const entry = answers.get(reply)
            if (entry !== undefined) entry.samples += sound.length
            emit({ _tag: "Sound", reply, samples: sound })
          })

        const answer = (reply: number) =>
          Effect.gen(function*() {
            const system = { role: "system" as const, content: setup.instructions }
            const { text, toolRequests } = yield* language.generate({
              model: "realtime",
              messages: [system, ...messages],
              tools: setup.tools
            })
            const message: Message = { role: "assistant", content: text === "" ? null : text, toolRequests }
            messages.push(message)
            answers.set(reply, { message, samples: 0 })
            if (text !== "") yield* say(reply, text)
            for (const request of toolRequests) emit({ _tag: "ToolCall", reply, request })
          })

        const respond = ({ reply, words }: Extract<RealtimeCommand, { readonly _tag: "Respond" }>): void => {
          const work = words === null ? answer(reply) : say(reply, words.text)
          const fiber = start(work.pipe(
            Effect.delay(slow),
            Effect.matchEffect({
              onSuccess: () => Effect.sync(() => emit({ _tag: "Responded", reply })),
              onFailure: (failure) => Effect.sync(() => emit({ _tag: "Refused", reply, failure }))
            })
          ))
          making = { reply, fiber }
        }

        const truncate = (reply: number, heardMillis: number): void => {
          const entry = answers.get(reply)
          if (entry === undefined || entry.message.role !== "assistant") return
          const share = Math.min(1, heardMillis * rate / 1_000 / Math.max(1, entry.samples))
          const content = entry.message.content?.slice(0, Math.floor(entry.message.content.length * share)) ?? null
          const index = messages.indexOf(entry.message)
          const cut = { ...entry.message, content }
          if (index >= 0) messages[index] = cut
          answers.set(reply, { message: cut, samples: Math.round(heardMillis * rate / 1_000) })
        }

        const listen = (samples: Float32Array): void => {
          const isVoice = powerOf(samples) > audiblePower
          silent = isVoice ? 0 : silent + frameMillis
          if (turn === null && !isVoice) return
          if (turn === null) {
            turn = []
            emit({ _tag: "VoiceBegan" })
          }
          turn.push(samples.slice())
          if (silent < silence) return
          emit({ _tag: "VoiceEnded", silentMillis: silent })
          start(hear(turn))
          turn = null
        }

        const session: RealtimeSession = {
          expiresAt: longest === undefined ? null : openedAt + longest,
          push: (samples) => {
            if (isOpen) listen(samples)
          },
          send: (command) => {
            if (!isOpen) return
            commands.push(command)
            switch (command._tag) {
              case "Configure":
                setup = command.setup
                return
              case "Add":
                messages.push(...command.messages)
                return
              case "Respond":
                return respond(command)
              case "Cancel":
                if (making?.reply === command.reply) start(Fiber.interruptFork(making.fiber))
                return emit({ _tag: "Responded", reply: command.reply })
              case "Truncate":
                return truncate(command.reply, command.heardMillis)
            }
          }
        }
        const end = (failure: ModelFailure = sessionBroke): void => {
          emit({ _tag: "Ended", failure })
          isOpen = false
        }
        sessions.push({ commands, messages, end })
        yield* Effect.addFinalizer(() => Effect.sync(() => void (isOpen = false)))
        if (longest !== undefined) yield* Effect.forkScoped(Effect.delay(Effect.sync(() => end()), longest))
        return session
      })

    return { model: { open }, sessions, refuse: (failure) => void (refusal = failure) }
  })
