import type { BadRequest, ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { Context, type Effect, Layer, type Stream } from "effect"
import type { Completion } from "./answer/Completion.js"
import type { Delta } from "./answer/Delta.js"
import type { ModelRequest } from "./ModelRequest.js"
import { makeScripted, type ScriptedOptions } from "./scripted/ScriptedModel.js"
import type { ScriptedRule } from "./scripted/ScriptedRule.js"

/**
 * How a model fails: it cannot be reached or is overloaded, it failed or made no sense, its provider has had enough, it
 * takes too long, or it cannot do what is asked. Each has its code in the specification's table of errors.
 */
export type ModelFailure = ModelUnavailable | ModelFailed | ModelRateLimited | ModelTimedOut | BadRequest

/** Answers conversations. Interrupting an answer stops the work on it. */
export class LanguageModel extends Context.Tag("@trunkline/models/LanguageModel")<LanguageModel, {
  /** The whole answer. */
  readonly generate: (request: ModelRequest) => Effect.Effect<Completion, ModelFailure>
  /** The answer piece by piece; what arrives together comes in one chunk. */
  readonly stream: (request: ModelRequest) => Stream.Stream<Delta, ModelFailure>
}>() {
  /**
   * A model that follows rules and otherwise has manners of its own: the same request always gives the same answer. It
   * knows the models of `ModelCatalog` and counts with `TokenCounter`.
   */
  static readonly layerScripted = (rules: ReadonlyArray<ScriptedRule> = [], options: ScriptedOptions = {}) =>
    Layer.effect(LanguageModel, makeScripted(rules, options))
}
