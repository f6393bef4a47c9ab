import { type ConversationSnapshot, ConversationWatch } from "@trunkline/conversation"
import { BusinessTime } from "@trunkline/kernel"
import { type CallBrief, type CallHandler, type Heard, type Leg, LegEnded } from "@trunkline/telephony"
import { Context, Deferred, Duration, Effect, Queue } from "effect"
import { toModelInputs } from "../wiring/Analytics.js"
import type { TalkAnswer, TalkEvent } from "./Talk.js"

/** Time without words from the person after which a talk is over. */
const idleTime = Duration.minutes(5)

/** Tokens that models used for a talk. */
export interface TalkTokens {
  readonly input: number
  readonly output: number
}

/** Receiver of the tokens of the talk that an effect belongs to; null outside of talks. */
export class TalkMeter extends Context.Reference<TalkMeter>()("@trunkline/engine/TalkMeter", {
  defaultValue: (): ((usedTokens: TalkTokens) => void) | null => null
}) {}

/** True for nothing but keys of a telephone, which a person presses rather than says. */
const isKeys = (text: string): boolean => /^[0-9*#]+$/u.test(text)

/** News of a talk since they were last taken. */
export type TalkNews = Pick<
  TalkAnswer,
  "status" | "events" | "agent_variables" | "output_agent_variables" | "step" | "model_inputs" | "tokens" | "outcome"
>

/**
 * A conversation by text. It is quiet while its agent listens, and for good once it is over. Words end the quiet, and may be
 * said in it only.
 */
export interface TalkSession {
  /** Holds the conversation to its end. */
  readonly run: (handler: typeof CallHandler.Service) => Effect.Effect<void>
  /** Says words, or hangs up with null. */
  readonly say: (words: string | null) => Effect.Effect<void>
  /** Completes when the talk is quiet. */
  readonly quiet: Effect.Effect<void>
  readonly isQuiet: () => boolean
  /** Takes the news. */
  readonly news: () => TalkNews
}

/** Makes the talk of a brief. */
export const makeTalkSession = (brief: CallBrief): Effect.Effect<TalkSession> =>
  Effect.gen(function*() {
    const words = yield* Queue.unbounded<string | null>()
    let quiet = yield* Deferred.make<void>()
    let isQuiet = false
    let events: Array<TalkEvent> = []
    let tokens: TalkTokens = { input: 0, output: 0 }
    let outcome: TalkAnswer["outcome"] = null
    let end: LegEnded | null = null
    let shownTurns = 0
    let shownInputs = 0
    let conversation: ConversationSnapshot = {
      turns: [],
      variables: brief.agent_variables,
      outputs: {},
      step: null,
      inputs: []
    }

    const setQuiet = Effect.suspend(() => {
      isQuiet = true
      return Effect.asVoid(Deferred.succeed(quiet, undefined))
    })

    const watch = (now: ConversationSnapshot) => {
      for (const { role, text, tool } of now.turns.slice(shownTurns)) {
        if (role === "tool" && tool !== undefined) {
          events.push({ type: "tool", name: tool.name, arguments: tool.arguments, result: text })
        }
      }
      shownTurns = now.turns.length
      conversation = now
    }

    const heardOf = (words: string | null): Effect.Effect<Heard, LegEnded> => {
      if (words === null) return end ??= new LegEnded({ by: "user" })
      const text = words.trim()
      return Effect.succeed<Heard>(
        text === ""
          ? { _tag: "Silent" }
          : isKeys(text)
          ? { _tag: "Pressed", digit: text }
          : { _tag: "Said", text: words, en_text: null, language_name: null }
      )
    }

    const leg: Leg = {
      say: ({ language_name, text }) =>
        Effect.suspend(() => {
          if (end !== null) return end
          events.push({ type: "said", text, language_name })
          return Effect.succeed({ heard: text, interrupted: false })
        }),
      listen: (silence) =>
        Effect.suspend(() => {
          if (end !== null) return end
          if (Duration.toMillis(silence) === 0) return Effect.succeed<Heard>({ _tag: "Silent" })
          const tooLong = Effect.flatMap(Effect.sleep(idleTime), () => end ??= new LegEnded({ by: "timeout" }))
          return Effect.zipRight(setQuiet, Effect.raceFirst(Effect.flatMap(Queue.take(words), heardOf), tooLong))
        }),
      hangUp: Effect.sync(() => void (end ??= new LegEnded({ by: "agent" })))
    }

    const meter = (usedTokens: TalkTokens) => {
      tokens = { input: tokens.input + usedTokens.input, output: tokens.output + usedTokens.output }
    }

    return {
      run: (handler) =>
        handler.handle(leg, brief).pipe(
          Effect.map(({ agent_done, ended_by, fault }) => ({ agent_done, ended_by, fault })),
          Effect.catchAll(({ reason }) =>
            Effect.succeed({ agent_done: false, ended_by: "agent", fault: reason } as const)
          ),
          Effect.flatMap((result) => {
            outcome = result
            return setQuiet
          }),
          Effect.provideService(ConversationWatch, watch),
          Effect.provideService(TalkMeter, meter),
          // Speed and pauses of the engine's calls are not those of somebody who types.
          Effect.provideService(BusinessTime, BusinessTime.fromClock(0))
        ),
      say: (reply) =>
        Effect.flatMap(Deferred.make<void>(), (next) => {
          quiet = next
          isQuiet = false
          return Queue.offer(words, reply)
        }),
      quiet: Effect.suspend(() => Deferred.await(quiet)),
      isQuiet: () => isQuiet,
      news: () => {
        const news: TalkNews = {
          status: outcome === null ? "listening" : "ended",
          events,
          agent_variables: conversation.variables,
          output_agent_variables: conversation.outputs,
          step: conversation.step,
          model_inputs: toModelInputs(conversation.inputs.slice(shownInputs)),
          tokens,
          outcome
        }
        events = []
        shownInputs = conversation.inputs.length
        tokens = { input: 0, output: 0 }
        return news
      }
    }
  })
