import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import { Array, Cause, Context, Effect, Layer, Stream } from "effect"
import type { Completion, Usage } from "../Completion.js"
import { LanguageModel, type ModelFailure } from "../LanguageModel.js"
import { ModelCatalog } from "../ModelCatalog.js"
import type { ModelRequest } from "../ModelRequest.js"
import { TokenCounter } from "../tokens/TokenCounter.js"
import { enforceLimits, makeChoice, type VisibleDelta } from "./Choice.js"
import { freeOfCharge, makePayment, type Meter, sumUsage, usageOf } from "./Meter.js"
import { prepare, type PreparedRequest } from "./PreparedRequest.js"

/** What is asked, how often, and who pays. */
export interface Asking {
  readonly request: ModelRequest
  /** How many answers to give; 1 unless told. Each has a seed of its own: that of the request, plus its number. */
  readonly choices?: number
  /** The limit of the output where the request has none; it shrinks to what the context leaves. */
  readonly usualOutputTokens?: number
  /** `freeOfCharge` unless told. */
  readonly meter?: Meter
}

/** Whole answers to one request, and what they took together: the input once, the output of all. */
export interface Answered {
  readonly choices: ReadonlyArray<Completion>
  readonly usage: Usage
}

/** A piece of one of the answers, or, last of all, what they took together. */
export type AnswerEvent =
  | { readonly _tag: "Piece"; readonly choice: number; readonly delta: VisibleDelta }
  | { readonly _tag: "Total"; readonly usage: Usage }

/** How an answer fails: the model does, or it is not paid for. */
export type AnswerFailure = ModelFailure | InsufficientCredits | BillingUnavailable

/**
 * Answers requests as the API promises it, whatever the model: nothing that the catalog knows it not to have, nothing
 * that does not fit its context, stop sequences that do not show, usage that is always told and paid for once. An answer
 * that broke off does not pass for a whole one, nor one that breaks a strict schema: both are `ModelFailed`.
 */
export class Answers extends Context.Tag("@trunkline/models/Answers")<Answers, {
  /** The whole answers. Who stops waiting stops the model, and pays for what it has read. */
  readonly generate: (asking: Asking) => Effect.Effect<Answered, AnswerFailure>
  /**
   * The answers piece by piece: of each choice its pieces and then one `Finish`, those of several choices mixed, and
   * one `Total` at the end. Who stops reading stops the model, and pays for what was written until then.
   */
  readonly stream: (asking: Asking) => Stream.Stream<AnswerEvent, AnswerFailure>
}>() {
  /** Answers from the language model. */
  static readonly layer = Layer.suspend(() => Layer.effect(Answers, make))
}

/** What is set aside for output that has no limit. */
const assumedOutputTokens = 4_096

/** Answers of one request that are asked for at the same time; the others wait for one of them to end. */
const choicesAtOnce = 16

const nothing: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 }

/** The request of one of several answers. */
const sampleOf = (request: ModelRequest, choice: number): ModelRequest =>
  choice === 0
    ? request
    : { ...request, sampling: { ...request.sampling, seed: (request.sampling?.seed ?? 0) + choice } }

/** Whether a model that always thinks is to keep it to itself: JSON is asked for, and nothing else (specification). */
const hidesReasoning = ({ facts: { thinking }, request: { format } }: PreparedRequest): boolean =>
  thinking.when === "always" && (format?.type === "json" || (format?.type === "schema" && format.strict))

const make = Effect.gen(function*() {
  const model = yield* LanguageModel
  const counter = yield* TokenCounter
  const catalog = yield* ModelCatalog

  /** Sets aside what a request may take at the most. */
  const reserve = (meter: Meter, { inputTokens, request }: PreparedRequest, choices: number) =>
    meter === freeOfCharge
      ? Effect.void
      : Effect.flatMap(inputTokens, (inputTokens) =>
        meter.reserve({
          inputTokens,
          outputTokens: choices * (request.limits?.maxOutputTokens ?? assumedOutputTokens)
        }))

  const prepared = ({ request, usualOutputTokens }: Asking) => prepare({ counter, catalog }, request, usualOutputTokens)

  const total = (completions: Array.NonEmptyReadonlyArray<Completion>, { inputTokens }: PreparedRequest) =>
    Effect.map(Effect.forEach(completions, (completion) => usageOf(counter, completion, inputTokens)), sumUsage)

  /** So many samples of an answer, each within the limits of its request. They begin one after the other. */
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

  const generate = ({ choices = 1, meter = freeOfCharge, ...asking }: Asking): Effect.Effect<Answered, AnswerFailure> =>
    Effect.flatMap(prepared(asking), (ready) => {
      const payment = makePayment(meter)
      const work = Effect.flatMap(
        samples(ready, choices),
        (completions) =>
          Effect.flatMap(
            total(completions, ready),
            (usage) => Effect.as(payment.pay(usage), { choices: completions, usage })
          )
      )
      if (meter === freeOfCharge) return work
      const left = Effect.flatMap(ready.inputTokens, (inputTokens) => payment.pay({ ...nothing, inputTokens }))
      return Effect.zipRight(
        ready.inputTokens,
        Effect.uninterruptibleMask((restore) =>
          Effect.zipRight(
            reserve(meter, ready, choices),
            Effect.onError(
              restore(work),
              (cause) => Cause.isInterruptedOnly(cause) ? Effect.ignore(left) : payment.release
            )
          )
        )
      )
    })

  const stream = (asking: Asking): Stream.Stream<AnswerEvent, AnswerFailure> =>
    Stream.unwrapScoped(Effect.gen(function*() {
      const { choices: count = 1, meter = freeOfCharge } = asking
      const ready = yield* prepared(asking)
      const options = { hidesReasoning: hidesReasoning(ready) }
      const choices = Array.makeBy(count, (choice) => makeChoice(model, sampleOf(ready.request, choice), options))
      const payment = makePayment(meter)
      const pay = Effect.suspend(() =>
        Effect.flatMap(
          total(Array.map(choices, ({ soFar }) => soFar()), ready),
          (usage) => Effect.as(payment.pay(usage), usage)
        )
      )
      const failed = Effect.suspend(() =>
        choices.some(({ isMalformed: isMisshapen }) => isMisshapen()) ? Effect.ignore(pay) : payment.release
      )
      if (meter !== freeOfCharge) yield* ready.inputTokens
      yield* Effect.acquireRelease(reserve(meter, ready, count), () => Effect.ignore(pay))
      const pieces = Array.map(
        choices,
        ({ stream }, choice) => Stream.map(stream, (delta): AnswerEvent => ({ _tag: "Piece", choice, delta }))
      )
      const [only] = pieces
      const begun = (stream: typeof only) => Stream.unwrap(Effect.as(macroTask, stream))
      return (pieces.length === 1 ? only : Stream.mergeAll(pieces.map(begun), { concurrency: choicesAtOnce })).pipe(
        Stream.onError(() => failed),
        Stream.concat(Stream.fromEffect(Effect.map(pay, (usage): AnswerEvent => ({ _tag: "Total", usage }))))
      )
    }))

  return Answers.of({ generate, stream })
})
