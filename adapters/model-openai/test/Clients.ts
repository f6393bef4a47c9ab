import { OpenAiModel } from "@trunkline/model-openai"
import {
  type AnswerFailure,
  Answers,
  type Delta,
  LanguageModel,
  type Meter,
  type ModelRequest,
  type Usage
} from "@trunkline/models"
import { type Context, Effect, Either, Layer, type Scope, Stream } from "effect"

/** What a client sees of an answer, and pays for it. */
export interface Told {
  readonly text: string
  readonly outputTokens: number | null
  readonly isFinished: boolean
  /** Null when it ended well. */
  readonly failure: AnswerFailure | null
  /** The output tokens of each payment; null where nobody pays. */
  readonly paid: ReadonlyArray<number> | null
  /** Milliseconds. */
  readonly took: number
}

/** What clients ask. */
export type Service = LanguageModel | Answers

/** A way to ask for one answer. */
export interface Way {
  readonly isStream: boolean
  readonly ask: (request: ModelRequest) => Effect.Effect<Told, never, Service>
}

const gathered = (deltas: Stream.Stream<Delta, AnswerFailure, Service>, paid: Told["paid"]) =>
  Effect.gen(function*() {
    const began = performance.now()
    let text = ""
    let outputTokens: number | null = null
    let isFinished = false
    const end = yield* Effect.either(Stream.runForEach(deltas, (delta) =>
      Effect.sync(() => {
        if (delta._tag === "Text") text += delta.text
        if (delta._tag === "Usage") outputTokens = delta.usage.outputTokens
        if (delta._tag === "Finish") isFinished = true
      })))
    const took = performance.now() - began
    return { text, outputTokens, isFinished, failure: Either.isLeft(end) ? end.left : null, paid, took }
  })

const asDeltas = (text: string, usage: Usage | null): ReadonlyArray<Delta> => [
  { _tag: "Text", text },
  ...usage === null ? [] : [{ _tag: "Usage", usage } as const],
  { _tag: "Finish", reason: "stop" }
]

/** Asks with a meter that writes down what is paid. */
const paying = (
  deltas: (answers: Answers["Type"], meter: Meter) => Stream.Stream<Delta, AnswerFailure>
): Effect.Effect<Told, never, Service> =>
  Effect.suspend(() => {
    const paid: Array<number> = []
    const meter: Meter = {
      reserve: () => Effect.void,
      settle: ({ outputTokens }) => Effect.sync(() => void paid.push(outputTokens)),
      release: Effect.void
    }
    return gathered(Stream.unwrap(Effect.map(Answers, (answers) => deltas(answers, meter))), paid)
  })

/** The ways to ask: for a stream or a whole answer, of the model or through `Answers`. */
export const ways: Readonly<Record<string, Way>> = {
  "a stream of the model": {
    isStream: true,
    ask: (request) => gathered(Stream.unwrap(Effect.map(LanguageModel, (model) => model.stream(request))), null)
  },
  "a whole answer of the model": {
    isStream: false,
    ask: (request) =>
      gathered(
        LanguageModel.pipe(
          Effect.flatMap((model) => model.generate(request)),
          Effect.map(({ text, usage }) => Stream.fromIterable(asDeltas(text, usage))),
          Stream.unwrap
        ),
        null
      )
  },
  "a stream of answers": {
    isStream: true,
    ask: (request) =>
      paying((answers, meter) =>
        Stream.map(
          answers.stream({ request, meter }),
          (event): Delta => event._tag === "Total" ? { _tag: "Usage", usage: event.usage } : event.delta
        )
      )
  },
  "a whole answer of answers": {
    isStream: false,
    ask: (request) =>
      paying((answers, meter) =>
        Stream.unwrap(Effect.map(
          answers.generate({ request, meter }),
          ({ choices, usage }) =>
            Stream.fromIterable(choices).pipe(Stream.flatMap(({ text }) => Stream.fromIterable(asDeltas(text, usage))))
        ))
      )
  }
}

/** A model with all that stands around it, and answers from it, until the scope closes. */
export const serving = (
  options: OpenAiModel.ReliableOptions
): Effect.Effect<Context.Context<Service>, never, Scope.Scope> =>
  Layer.build(Layer.provideMerge(Answers.layer, OpenAiModel.layer(options)))
