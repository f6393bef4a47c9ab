import { BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { reasonOfThrown } from "@trunkline/kernel"
import { OpenAiModel } from "@trunkline/model-openai"
import {
  emptyCompletion,
  gatherDeltas,
  LanguageModel,
  type Model as EngineModel,
  type ModelFailure,
  modelIds,
  splitIntoDeltas
} from "@trunkline/models"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Chunk, Effect, Layer, Redacted, Stream } from "effect"
import type { Fields } from "../errors/Fields.js"
import type { Delta, ModelRequest } from "../generated/Models.js"
import { checkKnown, checkNone, InvalidOption } from "./InvalidOption.js"
import type { Model, OpenAiOptions, PlainModel } from "./ModelOptions.js"
import { completionOf, deltaOf } from "./PlainAnswers.js"

const openAiUrl = "https://api.openai.com/v1"

const failures = [BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable] as const

/** A rejection as the failure that it is, or as that of a failing model. */
export const modelFailure = (error: unknown): ModelFailure =>
  failures.find((failure): boolean => error instanceof failure) === undefined
    ? new ModelFailed({ message: reasonOfThrown(error) })
    : error as ModelFailure

/** Items that a method yields; whatever it throws, at once or later, is a failure of the model. */
export const streamFrom = <A>(make: () => AsyncIterable<A>): Stream.Stream<A, ModelFailure> =>
  Stream.unwrap(Effect.flatMap(
    Effect.try({ try: make, catch: modelFailure }),
    (items) =>
      typeof Object(items)[Symbol.asyncIterator] === "function"
        ? Effect.succeed(Stream.fromAsyncIterable(items, modelFailure))
        : new ModelFailed({
          message: "The model's stream is not iterable: use an async generator, as in async function*"
        })
  ))

/** The key of a server, where there is one. */
export const keyOf = (apiKey: string | undefined): { readonly apiKey?: Redacted.Redacted } =>
  apiKey ? { apiKey: Redacted.make(apiKey) } : {}

/** Deltas of an answer; one that does not finish by itself is finished. */
const deltasOf = (pieces: Stream.Stream<string | Delta, ModelFailure>): Stream.Stream<Delta, ModelFailure> =>
  Stream.suspend(() => {
    let isFinished = false
    return pieces.pipe(
      Stream.mapEffect(deltaOf),
      Stream.tap((delta) =>
        Effect.sync(() => {
          if (delta._tag === "Finish") isFinished = true
        })
      ),
      Stream.concat(
        Stream.suspend(() => isFinished ? Stream.empty : Stream.make<[Delta]>({ _tag: "Finish", reason: "stop" }))
      )
    )
  })

const fromPlain = (model: PlainModel): EngineModel => {
  const generate = model.generate?.bind(model)
  const stream = model.stream?.bind(model)
  const whole = generate && ((request: ModelRequest) =>
    Effect.flatMap(
      Effect.tryPromise({ try: (signal) => generate(request, { signal }), catch: modelFailure }),
      completionOf
    ))
  const streamed = stream && ((request: ModelRequest) =>
    Stream.unwrapScoped(Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort())
      ),
      ({ signal }) => deltasOf(streamFrom(() => stream(request, { signal })))
    )))
  return {
    generate: whole ?? ((request) =>
      streamed === undefined
        ? Effect.succeed(emptyCompletion)
        : Effect.map(Stream.runCollect(streamed(request)), (deltas) => gatherDeltas(Chunk.toReadonlyArray(deltas)))),
    stream: streamed ?? ((request) =>
      whole === undefined
        ? Stream.empty
        : Stream.unwrap(Effect.map(whole(request), (completion) => Stream.fromIterable(splitIntoDeltas(completion)))))
  }
}

const openAiOptions: Fields<OpenAiOptions> = { apiKey: true, baseUrl: true, model: true, models: true }

const openAiLayer = (options: OpenAiOptions) => {
  const { apiKey, baseUrl = openAiUrl, model, models = {} } = options
  checkKnown(options, openAiOptions, "model")
  if (baseUrl === openAiUrl && !apiKey) {
    throw new InvalidOption(
      "model",
      "openai() needs an apiKey: set OPENAI_API_KEY, and pass process.env.OPENAI_API_KEY"
    )
  }
  const modelById = model === undefined ? {} : Object.fromEntries(modelIds.map((id) => [id, model]))
  return OpenAiModel.layer({
    baseUrl,
    models: { ...modelById, ...models },
    ...keyOf(apiKey)
  })
}

/** The layer of a model. Throws `InvalidOption`. */
export const modelLayer = (model: Model): Layer.Layer<LanguageModel, Error> => {
  if ("provider" in model) {
    switch (model.provider) {
      case "openai":
        return openAiLayer(model.options ?? {})
      case "scripted":
        checkNone(model.options, { at: "model", provider: "scripted" })
        return ScriptedModel.layer()
      default:
        throw new InvalidOption("model", `there is no provider "${String(Reflect.get(model, "provider"))}"`)
    }
  }
  if (model.generate === undefined && model.stream === undefined) {
    throw new InvalidOption("model", "a model needs the method generate or stream")
  }
  return Layer.succeed(LanguageModel, fromPlain(model))
}
