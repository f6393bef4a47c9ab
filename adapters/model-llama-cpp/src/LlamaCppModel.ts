import { BadRequest, ModelFailed, ModelUnavailable } from "@trunkline/errors"
import {
  appendDelta,
  type Delta,
  emptyCompletion,
  LanguageModel,
  type ModelFailure,
  type ModelRequest,
  withQueue
} from "@trunkline/models"
import { Array, type Duration, Effect, Layer, Random, Stream } from "effect"
import { write } from "./Answer.js"
import { countTokens, hasLongRun } from "./Counting.js"
import type { LlamaToken, Sequence } from "./LlamaModule.js"
import {
  type LlamaCppMissing,
  type ModelFile,
  type ModelFileUnusable,
  openModel,
  released,
  unusable
} from "./OpenedModel.js"
import { type LlamaPlan, planOf } from "./Plan.js"
import { type ChatModel, contextExceeded, promptOf, roomAfter } from "./Prompt.js"
import { makeSequencePool } from "./Sequences.js"
import { makeWriter } from "./Writer.js"

/** A model file, its context size and its concurrency. */
export interface Options extends ModelFile {
  /** Context of each answer: tokens of input and output. Default: that of the model, at most 8,192. */
  readonly contextSize?: number
  /** Answers generated at once, each with its own context memory. Default: 1. */
  readonly concurrency?: number
  /** Requests that may wait. Default: 32. */
  readonly waiting?: number
  /** Time that a request waits at most. Default: 30 s. */
  readonly queueTimeout?: Duration.DurationInput
}

const defaultContextSize = 8_192

const badRequest = (message: string) => new BadRequest({ message, param: null })

/** Reports only the kind of an error: its message may hold parts of the conversation. */
const failureOf = (error: unknown): ModelFailure => {
  const kind = error instanceof Error ? error.constructor.name : "unknown"
  return kind === "DisposedError" || kind === "InsufficientMemoryError"
    ? new ModelUnavailable({ message: `The model badRequest answer now (${kind})` })
    : new ModelFailed({ message: `The model failed (${kind})` })
}

/** Tokenizes a prompt after checking that it fits the context and can be tokenized. */
const tokenizePrompt = (
  chatModel: ChatModel,
  plan: LlamaPlan,
  contextSize: number
): Effect.Effect<ReadonlyArray<LlamaToken>, BadRequest> =>
  Effect.gen(function*() {
    const minTokens = yield* countTokens(chatModel.model.tokenizer, plan.texts, contextSize)
    if (minTokens > contextSize) return yield* contextExceeded(minTokens, contextSize)
    if (plan.texts.some(hasLongRun)) {
      return yield* badRequest("This model does not take more than 8,192 characters without a break")
    }
    const prompt = yield* Effect.try({
      try: () => promptOf(chatModel, plan),
      catch: () => badRequest("The chat template of this model badRequest render this conversation or these tools")
    })
    const isRoom = roomAfter(prompt, contextSize, plan.callable.size > 0) > 0
    return isRoom ? prompt : yield* contextExceeded(prompt.length, contextSize)
  })

const make = (options: Options) =>
  Effect.gen(function*() {
    const {
      concurrency: atOnce = 1,
      contextSize: requestedSize,
      file,
      queueTimeout = "30 seconds",
      waiting = 32
    } = options
    const openedModel = yield* openModel(options, { vocabOnly: false })
    const wrapper = yield* Effect.try({
      try: () => openedModel.module.resolveChatWrapper(openedModel.model, { warningLogs: false }),
      catch: unusable(file)
    })
    const chatModel = { ...openedModel, wrapper }
    const context = yield* released(Effect.tryPromise({
      try: () =>
        chatModel.model.createContext({ sequences: atOnce, contextSize: requestedSize ?? { max: defaultContextSize } }),
      catch: unusable(file)
    }))
    const sequenceList = Array.makeBy(atOnce, () => context.getSequence())
    const [{ contextSize }] = sequenceList
    const sequences = makeSequencePool(sequenceList)
    const running = new Map<AbortController, Promise<void>>()
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        for (const controller of running.keys()) controller.abort()
        return Promise.all(running.values())
      })
    )

    const stream = (request: ModelRequest): Stream.Stream<Delta, ModelFailure> =>
      Stream.asyncPush<Delta, ModelFailure>((emit) =>
        Effect.gen(function*() {
          const plan = yield* planOf(request)
          const prompt = yield* tokenizePrompt(chatModel, plan, contextSize)
          const isRepeatable = request.sampling?.seed !== undefined
          const seed = (request.sampling?.seed ?? (yield* Random.nextIntBetween(0, 2 ** 31))) >>> 0
          const start = (sequence: Sequence) => {
            const controller = new AbortController()
            const { signal } = controller
            const continuesText = request.messages.at(-1)?.role === "assistant"
            const writer = makeWriter({
              ...plan,
              continuesText,
              emit: (delta) => void emit.single(delta)
            })
            const writing = { sequence, signal, seed, isRepeatable, writer }
            const work = write(chatModel, plan, writing).then(({ finish, usage }) => {
              emit.array([{ _tag: "Usage", usage }, { _tag: "Finish", reason: finish }])
              emit.end()
            }, (error: unknown) => emit.fail(failureOf(error))).finally(() => {
              running.delete(controller)
              sequences.release(sequence)
            })
            running.set(controller, work)
            return Effect.addFinalizer(() => Effect.sync(() => controller.abort()))
          }
          yield* Effect.uninterruptibleMask((restore) => Effect.flatMap(restore(sequences.acquire(prompt)), start))
        }), { bufferSize: "unbounded" })

    const generate = (request: ModelRequest) => Stream.runFold(stream(request), emptyCompletion, appendDelta)

    return LanguageModel.of(withQueue({ generate, stream }, { concurrency: atOnce, waiting, timeout: queueTimeout }))
  })

/**
 * A `LanguageModel` that runs a GGUF file in this process through `node-llama-cpp`. It serves every model id, with the
 * chat template of the file. Images and logprobs are rejected with `BadRequest`.
 *
 * Tools and formats: arguments of tools and JSON answers are generated under a grammar, so they always obey their
 * schema. A strict schema with keywords that a grammar badRequest enforce (`pattern`, `format` other than dates, times
 * and UUIDs, `multipleOf`, `uniqueItems`, `not` and similar) is a `BadRequest`; `oneOf` counts as `anyOf`. Under a
 * grammar, and where a tool is required, the model does not think first. If the template has no syntax for tool calls,
 * the model is told to write `||call: name(arguments)`.
 *
 * Context: input that does not fit is a `BadRequest`; an answer that fills the context ends with `length`. The next
 * request of a conversation evaluates only what is new in it. A request with a seed is evaluated from its beginning, so
 * that it gets the same answer again; answers that are generated at the same time may still differ slightly.
 *
 * @example
 * const model = LlamaCppModel.layer({ file: "/models/llama-3.2-1b.gguf", contextSize: 4_096 })
 */
export const layer = (options: Options): Layer.Layer<LanguageModel, LlamaCppMissing | ModelFileUnusable> =>
  Layer.scoped(LanguageModel, make(options))
