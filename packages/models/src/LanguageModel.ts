import type { BadRequest, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { Context, type Effect, Layer, type Stream } from "effect"
import type { Completion, Delta } from "./Completion.js"
import type { ModelRequest } from "./ModelRequest.js"
import { makeScripted, type ScriptedRule } from "./ScriptedModel.js"

/** How a model fails: it is not to be had, it takes too long, or it cannot do what is asked. */
export type ModelFailure = ModelUnavailable | ModelTimedOut | BadRequest

/** Answers conversations. Interrupting an answer stops the work on it. */
export class LanguageModel extends Context.Tag("@trunkline/models/LanguageModel")<LanguageModel, {
  /** The whole answer. */
  readonly generate: (request: ModelRequest) => Effect.Effect<Completion, ModelFailure>
  /** The answer piece by piece. */
  readonly stream: (request: ModelRequest) => Stream.Stream<Delta, ModelFailure>
}>() {
  /** A model that follows rules and otherwise makes polite conversation; the same request always gives the same answer. */
  static readonly layerScripted = (rules: ReadonlyArray<ScriptedRule> = []) =>
    Layer.sync(LanguageModel, () => makeScripted(rules))
}
