import {
  type AnswerEvent,
  type AnswerFailure,
  type AnswerRequest,
  Answers,
  appendDelta,
  type Delta,
  emptyCompletion,
  LanguageModel,
  ModelCatalog,
  type ModelRequest,
  publicModels,
  TokenCounter,
  type Usage
} from "@trunkline/models"
import { Chunk, Effect, Layer, Stream } from "effect"

export const request: ModelRequest = { model: "core-105b", messages: [{ role: "user", content: "Hello" }] }

export const sampleUsage: Usage = { inputTokens: 7, cachedTokens: 2, outputTokens: 5, reasoningTokens: 1 }

export const words = (...texts: ReadonlyArray<string>): ReadonlyArray<Delta> =>
  texts.map((text) => ({ _tag: "Text", text }) as const)

export const stop: Delta = { _tag: "Finish", reason: "stop" }

export type Model = LanguageModel["Type"]

/** A model that gives these pieces, each in a chunk of its own, whatever it is asked; `seen` is what it was asked. */
export const saying = (pieces: ReadonlyArray<Delta>, requests: Array<ModelRequest> = []): Model => ({
  generate: (request) => {
    requests.push(request)
    return Effect.succeed(pieces.reduce(appendDelta, emptyCompletion))
  },
  stream: (request) => {
    requests.push(request)
    return Stream.fromIterable(pieces).pipe(Stream.rechunk(1))
  }
})

export const answersOf = (model: Model, catalog = publicModels) =>
  Answers.layer.pipe(
    Layer.provide([Layer.succeed(LanguageModel, model), TokenCounter.layer, Layer.succeed(ModelCatalog, catalog)])
  )

export const generate = (model: Model, asking: Partial<AnswerRequest> = {}) =>
  Effect.flatMap(Answers, (answers) => answers.generate({ request, ...asking })).pipe(Effect.provide(answersOf(model)))

export const events = (model: Model, asking: Partial<AnswerRequest> = {}) =>
  Stream.unwrap(Effect.map(Answers, (answers) => answers.stream({ request, ...asking }))).pipe(
    Stream.provideLayer(answersOf(model))
  )

export const collected = (model: Model, asking: Partial<AnswerRequest> = {}) =>
  Effect.map(Stream.runCollect(events(model, asking)), Chunk.toReadonlyArray)

/** Both ways to answer, whatever they answer. */
export const bothWays: ReadonlyArray<
  (model: Model, asking: Partial<AnswerRequest>) => Effect.Effect<void, AnswerFailure>
> = [
  (model, asking) => Effect.asVoid(generate(model, asking)),
  (model, asking) => Effect.asVoid(collected(model, asking))
]

export const textOf = (events: ReadonlyArray<AnswerEvent>, choice = 0) =>
  events.flatMap((event) =>
    event._tag === "Piece" && event.choice === choice && event.delta._tag === "Text" ? [event.delta.text] : []
  ).join("")

export const finishes = (events: ReadonlyArray<AnswerEvent>) =>
  events.flatMap((event) => event._tag === "Piece" && event.delta._tag === "Finish" ? [event.delta.reason] : [])

export const limited = (limits: ModelRequest["limits"]): Partial<AnswerRequest> => ({
  request: { ...request, ...(limits && { limits }) }
})
