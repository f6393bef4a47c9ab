import type { BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { Context, type Effect, type Stream } from "effect"
import type { Completion, Delta } from "./Completion.js"
import type { ModelRequest } from "./ModelRequest.js"

/**
 * Failure of a model: it cannot be reached or is overloaded (`ModelUnavailable`), fails or answers nonsense
 * (`ModelFailed`), limits its provider's client (`ModelRateLimited`), takes too long (`ModelTimedOut`), or cannot do
 * what the request asks for (`BadRequest`).
 */
export type ModelFailure = ModelUnavailable | ModelFailed | ModelRateLimited | ModelTimedOut | BadRequest

/**
 * The port to language models. Interrupting an answer stops the work on it.
 *
 * @example
 * const program = Effect.gen(function*() {
 *   const model = yield* LanguageModel
 *   const { text } = yield* model.generate({ model: "core-105b", messages: [{ role: "user", content: "Hello" }] })
 *   return text
 * })
 */
export class LanguageModel extends Context.Tag("@trunkline/models/LanguageModel")<LanguageModel, {
  /** Returns the whole answer. */
  readonly generate: (request: ModelRequest) => Effect.Effect<Completion, ModelFailure>
  /** Streams the answer; deltas that arrive together come in one chunk. */
  readonly stream: (request: ModelRequest) => Stream.Stream<Delta, ModelFailure>
}>() {}

/** A language model: the service behind `LanguageModel`. */
export type Model = LanguageModel["Type"]
