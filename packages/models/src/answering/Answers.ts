import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import {
  flatMapNow,
  macroTask,
  mapSource,
  matchCauseNow,
  type Pull,
  type StartedStream,
  startSource,
  toSource
} from "@trunkline/kernel"
import { Array, Cause, Context, Effect, Layer, Stream } from "effect"
import type { Completion, Usage } from "../Completion.js"
import { LanguageModel, type ModelFailure } from "../LanguageModel.js"
import { ModelCatalog } from "../ModelCatalog.js"
import type { ModelRequest } from "../ModelRequest.js"
import { TokenCounter } from "../tokens/TokenCounter.js"
import { type Choice, enforceLimits, makeChoice, type VisibleDelta } from "./Choice.js"
import { freeMeter, makePayment, type Meter, sumUsage, usageOf } from "./Meter.js"
import { prepare, type PreparedRequest } from "./PreparedRequest.js"

/** A request for one or more answers, and its meter. */
export interface AnswerRequest {
  readonly request: ModelRequest
  /** Number of answers. Default: 1. The seed of each is that of the request plus its index. */
  readonly choices?: number
  /** Output limit for requests without one, reduced to the rest of the context. */
  readonly usualOutputTokens?: number
  /** Default: `freeMeter`. */
  readonly meter?: Meter
}

/** Whole answers to one request, and their total usage: the input once, the output of all. */
export interface AnswerSet {
  readonly choices: ReadonlyArray<Completion>
  readonly usage: Usage
}

/** A delta of one of the answers, or, at the end, their total usage. */
export type AnswerEvent =
  | { readonly _tag: "Piece"; readonly choice: number; readonly delta: VisibleDelta }
  | { readonly _tag: "Total"; readonly usage: Usage }

/** Failure of an answer: of its model, or of its payment. */
export type AnswerFailure = ModelFailure | InsufficientCredits | BillingUnavailable

/**
 * Answers requests with the guarantees of the API, whatever the model: requests are checked against the catalog and the
 * context, stop sequences end answers, and usage is always reported and paid for once. An incomplete answer, and one
 * that violates a strict schema, fail with `ModelFailed`.
 *
 * @example
 * const program = Effect.gen(function*() {
 *   const answers = yield* Answers
 *   return yield* answers.generate({ request: { model: "core-105b", messages: [{ role: "user", content: "Hi" }] } })
 * })
 */
export class Answers extends Context.Tag("@trunkline/models/Answers")<Answers, {
  /** Returns the whole answers. Interruption stops the model; the input is paid for. */
  readonly generate: (asking: AnswerRequest) => Effect.Effect<AnswerSet, AnswerFailure>
  /**
   * Streams the answers: for each choice its deltas and one `Finish`, interleaved with other choices, and one `Total`
   * at the end. Interruption stops the model; what was written until then is paid for.
   */
  readonly stream: (asking: AnswerRequest) => Stream.Stream<AnswerEvent, AnswerFailure>
}>() {
  /** Answers with the `LanguageModel`. */
  static readonly layer = Layer.suspend(() => Layer.effect(Answers, make))
}

/** Output tokens reserved for requests without a limit. */
const assumedOutputTokens = 4_096

/** Answers of one request that are generated concurrently. */
const choicesAtOnce = 16

/** The pieces of an answer. */
const piecesOf = (choice: number, stream: Choice["stream"]): Stream.Stream<AnswerEvent, ModelFailure> =>
  mapSource(
    stream,
    () => (deltas): Pull<AnswerEvent> =>
      Effect.succeed(deltas && deltas.map((delta) => ({ _tag: "Piece", choice, delta })))
  )

/** The pieces of all answers, started one after the other. */
const mergeChoices = (
  [first, ...others]: Array.NonEmptyReadonlyArray<Choice>
): Stream.Stream<AnswerEvent, ModelFailure> => {
  if (others.length === 0) return piecesOf(0, first.stream)
  const choiceStream = ({ stream }: Choice, choice: number) =>
    Stream.unwrap(Effect.as(macroTask, piecesOf(choice, stream)))
  return Stream.mergeAll([first, ...others].map(choiceStream), { concurrency: choicesAtOnce })
}

const nothing: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 }

/** Builds the request for one of several answers. */
const sampleOf = (request: ModelRequest, choice: number): ModelRequest =>
  choice === 0
    ? request
    : { ...request, sampling: { ...request.sampling, seed: (request.sampling?.seed ?? 0) + choice } }

/** Hides the thoughts of a model that always thinks when the request wants nothing but JSON. */
const hidesReasoning = ({ facts: { thinking }, request: { format } }: PreparedRequest): boolean =>
  thinking.when === "always" && (format?.type === "json" || (format?.type === "schema" && format.strict))

const make = Effect.gen(function*() {
  const model = yield* LanguageModel
  const counter = yield* TokenCounter
  const catalog = yield* ModelCatalog

  /** Reserves the most that a request may use. */
  const reserve = (meter: Meter, { inputTokens, request }: PreparedRequest, choices: number) =>
    meter === freeMeter
      ? Effect.void
      : flatMapNow(inputTokens(), (inputTokens) =>
        meter.reserve({
          inputTokens,
          outputTokens: choices * (request.limits?.maxOutputTokens ?? assumedOutputTokens)
        }))

  const prepareRequest = ({ request, usualOutputTokens }: AnswerRequest) =>
    prepare({ counter, catalog }, request, usualOutputTokens)

  const total = (completions: Array.NonEmptyReadonlyArray<Completion>, { inputTokens }: PreparedRequest) =>
    completions.length === 1
      ? usageOf(counter, completions[0], inputTokens)
      : Effect.map(Effect.forEach(completions, (completion) => usageOf(counter, completion, inputTokens)), sumUsage)

  /** Generates the answers, each within the limits of its request, started one after the other. */
  const samples = (ready: PreparedRequest, choices: number) => {
    const options = { hidesReasoning: hidesReasoning(ready) }
    const one = (choice: number) =>
      Effect.suspend(() => {
        const request = sampleOf(ready.request, choice)
        return Effect.flatMap(model.generate(request), (completion) => enforceLimits(completion, request, options))
      })
    return choices === 1
      ? Effect.map(one(0), (completion) => Array.of(completion))
      : Effect.forEach(Array.range(0, choices - 1), (choice) => Effect.zipRight(macroTask, one(choice)), {
        concurrency: choicesAtOnce
      })
  }

  const generate = (
    { choices = 1, meter = freeMeter, ...asking }: AnswerRequest
  ): Effect.Effect<AnswerSet, AnswerFailure> =>
    Effect.suspend(() =>
      flatMapNow(prepareRequest(asking), (ready) => {
        const payment = makePayment(meter)
        const work = Effect.flatMap(
          samples(ready, choices),
          (completions) =>
            flatMapNow(
              total(completions, ready),
              (usage) => Effect.as(payment.pay(usage), { choices: completions, usage })
            )
        )
        if (meter === freeMeter) return work
        const payForInput = Effect.suspend(() =>
          Effect.flatMap(ready.inputTokens(), (inputTokens) => payment.pay({ ...nothing, inputTokens }))
        )
        return flatMapNow(
          ready.inputTokens(),
          () =>
            Effect.uninterruptibleMask((restore) =>
              flatMapNow(reserve(meter, ready, choices), () =>
                Effect.matchCauseEffect(restore(work), {
                  onFailure: (cause) => {
                    const settlement = Cause.isInterruptedOnly(cause) ? Effect.ignore(payForInput) : payment.release
                    return Effect.zipRight(settlement, Effect.failCause(cause))
                  },
                  onSuccess: Effect.succeed
                }))
            )
        )
      })
    )

  /** Starts the answers of a prepared request, which is reserved already. */
  const openAnswers = (ready: PreparedRequest, count: number, meter: Meter) => {
    const options = { hidesReasoning: hidesReasoning(ready) }
    const choices = Array.makeBy(count, (choice) => makeChoice(model, sampleOf(ready.request, choice), options))
    const payment = makePayment(meter)
    const pay = Effect.suspend(() =>
      flatMapNow(
        total(Array.map(choices, ({ soFar }) => soFar()), ready),
        (usage) => Effect.as(payment.pay(usage), usage)
      )
    )
    const settlement = Effect.suspend(() =>
      choices.some(({ isMalformed }) => isMalformed()) ? Effect.ignore(pay) : payment.release
    )
    const pieces = toSource(mergeChoices(choices))
    let isPaid = false
    const next = (pull: Pull<AnswerEvent, ModelFailure>): Pull<AnswerEvent, AnswerFailure> =>
      matchCauseNow(pull, {
        onFailure: (cause) => Effect.zipRight(settlement, Effect.failCause(cause)),
        onSuccess: (events): Pull<AnswerEvent, AnswerFailure> => {
          if (events !== null) return Effect.succeed(events)
          isPaid = true
          return Effect.map(pay, (usage) => [{ _tag: "Total", usage }])
        }
      })
    return {
      poll: () => {
        if (isPaid) return Effect.succeed(null)
        const pull = pieces.poll()
        return pull && next(pull)
      },
      wait: pieces.wait,
      close: Effect.ensuring(pieces.close, Effect.ignore(pay))
    } satisfies StartedStream<AnswerEvent, AnswerFailure>
  }

  const stream = (asking: AnswerRequest): Stream.Stream<AnswerEvent, AnswerFailure> =>
    startSource<AnswerEvent, AnswerFailure>((opened) => {
      const { choices = 1, meter = freeMeter } = asking
      return flatMapNow(
        prepareRequest(asking),
        (ready) =>
          flatMapNow(
            meter === freeMeter ? Effect.void : ready.inputTokens(),
            () =>
              Effect.uninterruptibleMask((restore) =>
                flatMapNow(reserve(meter, ready, choices), () => restore(opened(openAnswers(ready, choices, meter))))
              )
          )
      )
    })

  return Answers.of({ generate, stream })
})
