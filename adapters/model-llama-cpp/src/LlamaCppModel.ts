import { BadRequest, ModelFailed, ModelUnavailable } from "@trunkline/errors"
import {
  append,
  type Delta,
  emptyCompletion,
  LanguageModel,
  type ModelFailure,
  type ModelRequest,
  queued
} from "@trunkline/models"
import { Array, type Duration, Effect, Layer, Random, Stream } from "effect"
import { write } from "./Answer.js"
import { countTokens, hasLongRun } from "./Counting.js"
import type { LlamaCppMissing, ModelFileUnusable } from "./LlamaCppMissing.js"
import type { Sequence, Token } from "./LlamaModule.js"
import { type ModelFile, openModel, released, unusable } from "./OpenedModel.js"
import { type Plan, planOf } from "./Plan.js"
import { type Desk, promptOf, roomAfter, tooLong } from "./Prompt.js"
import { makeSequences } from "./Sequences.js"
import { makeWriter } from "./Writer.js"

/** A model in a GGUF file, and how much it may do at once. */
export interface Options extends ModelFile {
  /** Tokens of input and output together, of each answer; what the model was made for when absent, at most 8,192. */
  readonly contextSize?: number
  /** How many answers are written at once; 1 when absent. Each has a context of its own, and takes memory for it. */
  readonly atOnce?: number
  /** How many requests wait for their turn at most; 32 when absent. */
  readonly waiting?: number
  /** How long each of them waits; 30 seconds when absent. */
  readonly patience?: Duration.DurationInput
}

const usualContextSize = 8_192

const cannot = (message: string) => new BadRequest({ message, param: null })

/** Only the kind of an error is told: its message may hold what was being worked on. */
const failureOf = (error: unknown): ModelFailure => {
  const kind = error instanceof Error ? error.constructor.name : "unknown"
  return kind === "DisposedError" || kind === "InsufficientMemoryError"
    ? new ModelUnavailable({ message: `The model cannot answer now (${kind})` })
    : new ModelFailed({ message: `The model failed (${kind})` })
}

/** The tokens of a prompt, once it is certain that there are not too many, and none that cannot be counted. */
const checked = (desk: Desk, plan: Plan, contextSize: number): Effect.Effect<ReadonlyArray<Token>, BadRequest> =>
  Effect.gen(function*() {
    const least = yield* countTokens(desk.model.tokenizer, plan.texts, contextSize)
    if (least > contextSize) return yield* tooLong(least, contextSize)
    if (plan.texts.some(hasLongRun)) {
      return yield* cannot("This model does not take more than 8,192 characters without a break")
    }
    const prompt = yield* Effect.try({
      try: () => promptOf(desk, plan),
      catch: () => cannot("The chat template of this model cannot show this conversation or these tools")
    })
    const isRoom = roomAfter(prompt, contextSize, plan.callable.size > 0) > 0
    return isRoom ? prompt : yield* tooLong(prompt.length, contextSize)
  })

const make = (options: Options) =>
  Effect.gen(function*() {
    const { atOnce = 1, contextSize: wished, file, patience = "30 seconds", waiting = 32 } = options
    const opened = yield* openModel(options, { vocabOnly: false })
    const wrapper = yield* Effect.try({
      try: () => opened.module.resolveChatWrapper(opened.model, { warningLogs: false }),
      catch: unusable(file)
    })
    const desk = { ...opened, wrapper }
    const context = yield* released(Effect.tryPromise({
      try: () => desk.model.createContext({ sequences: atOnce, contextSize: wished ?? { max: usualContextSize } }),
      catch: unusable(file)
    }))
    const all = Array.makeBy(atOnce, () => context.getSequence())
    const [{ contextSize }] = all
    const sequences = makeSequences(all)
    const atWork = new Map<AbortController, Promise<void>>()
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        for (const controller of atWork.keys()) controller.abort()
        return Promise.all(atWork.values())
      })
    )

    const stream = (request: ModelRequest): Stream.Stream<Delta, ModelFailure> =>
      Stream.asyncPush<Delta, ModelFailure>((emit) =>
        Effect.gen(function*() {
          const plan = yield* planOf(request)
          const prompt = yield* checked(desk, plan, contextSize)
          const isRepeatable = request.sampling?.seed !== undefined
          const seed = (request.sampling?.seed ?? (yield* Random.nextIntBetween(0, 2 ** 31))) >>> 0
          const begin = (sequence: Sequence) => {
            const controller = new AbortController()
            const { signal } = controller
            const goesOn = request.messages.at(-1)?.role === "assistant"
            const writer = makeWriter({ ...plan, goesOn, emit: (delta) => void emit.single(delta) })
            const writing = { sequence, signal, seed, isRepeatable, writer }
            const work = write(desk, plan, writing).then(({ finish, usage }) => {
              emit.array([{ _tag: "Usage", usage }, { _tag: "Finish", reason: finish }])
              emit.end()
            }, (error: unknown) => emit.fail(failureOf(error))).finally(() => {
              atWork.delete(controller)
              sequences.give(sequence)
            })
            atWork.set(controller, work)
            return Effect.addFinalizer(() => Effect.sync(() => controller.abort()))
          }
          yield* Effect.uninterruptibleMask((restore) => Effect.flatMap(restore(sequences.take(prompt)), begin))
        }), { bufferSize: "unbounded" })

    const generate = (request: ModelRequest) => Stream.runFold(stream(request), emptyCompletion, append)

    return LanguageModel.of(queued({ generate, stream }, { concurrency: atOnce, waiting, patience }))
  })

/**
 * A `LanguageModel` that runs a GGUF file in this process, by `node-llama-cpp`. The same model answers whatever id is
 * asked for, through its own chat template. It refuses images and logprobs.
 *
 * Tools and forms. Arguments of tools, and answers that are to be JSON, are written under a grammar, so that they always
 * obey their schemas. A strict schema with more in it than a grammar can keep (`pattern`, `format` other than dates, times
 * and UUIDs, `multipleOf`, `uniqueItems`, `not` and their like) is a `BadRequest`; `oneOf` counts as `anyOf`. Under a
 * grammar, and where a tool is required, a model does not think first. Where the template has no way of its own to ask
 * for tools, it is told to write `||call: name(arguments)`.
 *
 * Context. Input that does not fit is a `BadRequest`; an answer that fills the context ends with `length`. The next
 * request of a conversation reads only what is new in it. A request with a seed is read from its beginning, so that it
 * gives the same answer again; where several are written at once, they may still differ in their last bits.
 */
export const layer = (options: Options): Layer.Layer<LanguageModel, LlamaCppMissing | ModelFileUnusable> =>
  Layer.scoped(LanguageModel, make(options))
