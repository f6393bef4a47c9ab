import { logFailure } from "@trunkline/kernel"
import { type Delta, LanguageModel, type ModelFailure, type ModelRequest } from "@trunkline/models"
import {
  type AudioLine,
  type CallBrief,
  type CallFault,
  type Leg,
  type LineEvent,
  type Spoken,
  type Utterance,
  Voicing
} from "@trunkline/telephony"
import { Cause, Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import { type DuplexLeg, makeDuplexLeg } from "../duplex/DuplexLeg.js"
import { makeLineAnswer } from "../LineAnswer.js"
import { continuedRequest } from "../realtime/RealtimeAnswers.js"
import { makeRealtimeLeg, type RealtimeLeg } from "../realtime/RealtimeLeg.js"
import { RealtimeModel } from "../realtime/RealtimeModel.js"
import { joined } from "../realtime/RealtimeSpeech.js"
import { TurnTakingOption } from "../TurnTakingOptions.js"

/** The events of a line from its handover on, for a listener that comes then; those before it, first. */
const makeLaterLine = (line: AudioLine) => {
  let waiting: Array<LineEvent> = []
  let listener: (event: LineEvent) => void = () => {}
  let endEvent: LineEvent | null = null
  const later: AudioLine = {
    ...line,
    hear: (hear) => {
      listener = hear
      waiting.forEach(hear)
      waiting = []
      if (endEvent !== null) hear(endEvent)
    }
  }
  return {
    line: later,
    /** Sound that the next listener hears first. */
    begin: (frames: ReadonlyArray<Float32Array>): void => {
      waiting = frames.map((samples) => ({ _tag: "Frame", samples, concealed: false }))
    },
    tell: (event: LineEvent): void => {
      if (event._tag === "Ended") endEvent = event
      listener(event)
    }
  }
}

/** The clauses that were not heard: all but those that are whole in a text. */
const unheard = (clauses: Stream.Stream<string>, heardText: string): Stream.Stream<string> => {
  let at = 0
  return Stream.filter(clauses, (clause) => {
    at += clause.length + 1
    return at - 1 > heardText.length
  })
}

/** The rest to say of an utterance of which a text was heard; null for nothing. */
const restOf = (utterance: Utterance, { heard }: Spoken): Utterance | null => {
  const { more, text } = utterance
  if (more !== undefined && text === "") return { ...utterance, more: unheard(more, heard) }
  const rest = text.startsWith(heard) ? text.slice(heard.length).trim() : heard === "" ? text : ""
  return rest === "" ? null : { ...utterance, text: rest }
}

/** Leg of a realtime model whose place the leg of the chain takes once the model is lost. */
const withChain = ({ leg, link }: Pick<RealtimeLeg, "leg" | "link">, chain: Effect.Effect<Leg, CallFault>): Leg => {
  const loss = Effect.flatMap(
    link.lost,
    ({ failure }) =>
      Effect.as(logFailure("The realtime model was lost; the chain takes over", Cause.fail(failure)), null)
  )
  const failureOf = ({ reason }: CallFault): Spoken => ({ heard: "", interrupted: false, failed: true, reason })
  const sayInChain = (utterance: Utterance) =>
    Effect.matchEffect(chain, {
      onFailure: (fault) => Effect.succeed(failureOf(fault)),
      onSuccess: ({ say }) => say(utterance)
    })
  const listenInChain: Leg["listen"] = (silence) =>
    Effect.matchEffect(chain, {
      onFailure: ({ reason }) => Effect.succeed({ _tag: "Unheard" as const, reason }),
      onSuccess: ({ listen }) => listen(silence)
    })
  return {
    ...leg,
    say: (utterance) =>
      link.isLost() ? sayInChain(utterance) : Effect.flatMap(leg.say(utterance), (speech) => {
        const isOver = speech.interrupted || speech.endedBy !== undefined || !link.isLost()
        const rest = isOver ? null : restOf(utterance, speech)
        if (rest === null) return Effect.succeed(speech)
        return Effect.map(sayInChain(rest), (more): Spoken => ({
          ...more,
          ...(speech.startedAt !== undefined && { startedAt: speech.startedAt }),
          heard: `${speech.heard} ${more.heard}`.trim()
        }))
      }),
    listen: (silence) =>
      link.isLost()
        ? listenInChain(silence)
        : Effect.flatMap(Effect.raceFirst(leg.listen(silence), loss), (input) =>
          input === null ? listenInChain(silence) : Effect.succeed(input)),
    goesOn: Effect.suspend(() =>
      link.isLost()
        ? Effect.flatMap(Effect.orElseSucceed(chain, () => leg), ({ goesOn }) => goesOn ?? Effect.never)
        : leg.goesOn ?? Effect.never
    )
  }
}

/** The leg of a duplex model with the chain, for utterances whose clauses are still made: the model says whole texts. */
const withWholeTexts = (duplex: DuplexLeg, chain: Effect.Effect<Leg, CallFault>): Leg => {
  const leg = withChain(duplex, chain)
  return {
    ...leg,
    say: ({ more, ...utterance }) =>
      more === undefined || duplex.link.isLost()
        ? leg.say(more === undefined ? utterance : { ...utterance, more })
        : Effect.flatMap(joined(utterance.text, more), (text) => leg.say({ ...utterance, text }))
  }
}

/**
 * Calls with sound that a realtime model hears and answers, over the chain that holds them without one: a `Voicing` for lines, and
 * a `LanguageModel` for conversations, whose answers to such a call are those of its session. All other requests go to the model of
 * the chain. A call is held by the chain from its beginning when no session can be opened, and otherwise from the moment at which the
 * model is lost: what was said stays, and the chain goes on with it.
 *
 * With a duplex model, which talks by itself, the model of the chain is the agent that it asks.
 *
 * Without a `RealtimeModel` it is the chain.
 */
export const RealtimeVoicing = {
  layer: Layer.effectContext(
    Effect.gen(function*() {
      const model = yield* RealtimeModel
      const chain = yield* Voicing
      const language = yield* LanguageModel
      if (model === null) return Context.merge(Context.make(Voicing, chain), Context.make(LanguageModel, language))
      const options = yield* TurnTakingOption
      const calls = new Map<string, RealtimeLeg>()

      const legOf = (line: AudioLine, brief: CallBrief): Effect.Effect<Leg, CallFault, Scope.Scope> =>
        Effect.gen(function*() {
          const scope = yield* Effect.scope
          const later = makeLaterLine(line)
          const parts = {
            line,
            model,
            options,
            language: brief.app_overrides.initial_language_name ?? null,
            answer: brief.answer_handling === undefined ? null : makeLineAnswer(line.rate),
            onLine: later.tell
          }
          const making: Effect.Effect<DuplexLeg | RealtimeLeg, ModelFailure, Scope.Scope> = model.shape === "duplex"
            ? makeDuplexLeg(parts)
            : makeRealtimeLeg(parts)
          const exit = yield* Effect.exit(making)
          if (Exit.isFailure(exit)) {
            if (Cause.isInterruptedOnly(exit.cause)) return yield* Effect.interrupt
            yield* logFailure("No session of the realtime model could be opened; the chain takes over", exit.cause)
            return yield* chain.legOf(line, brief)
          }
          const { link } = exit.value
          const takeOver = yield* Effect.cached(
            Effect.suspend(() => {
              later.begin(link.takeRecent())
              return Scope.extend(chain.legOf(later.line, brief), scope)
            })
          )
          if (exit.value.answer === null) return withWholeTexts(exit.value, takeOver)
          if (!calls.has(brief.attempt_id)) {
            calls.set(brief.attempt_id, exit.value)
            yield* Effect.addFinalizer(() => Effect.sync(() => calls.delete(brief.attempt_id)))
          }
          return withChain(exit.value, takeOver)
        })

      const stream = (request: ModelRequest): Stream.Stream<Delta, ModelFailure> =>
        Stream.suspend(() => {
          const call = calls.get(request.origin?.call ?? "")
          if (call === undefined || call.link.isLost()) return language.stream(request)
          let text = ""
          return call.answer(request).pipe(
            Stream.tap((delta) =>
              Effect.sync(() => {
                if (delta._tag === "Text") text += delta.text
              })
            ),
            Stream.catchAll(() => language.stream(continuedRequest(request, text)))
          )
        })

      return Context.merge(
        Context.make(Voicing, { legOf }),
        Context.make(LanguageModel, { generate: language.generate, stream })
      )
    })
  )
} as const
