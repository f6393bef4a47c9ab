import { OpenAiModel } from "@trunkline/model-openai"
import type { Delta, LanguageModel, ModelRequest } from "@trunkline/models"
import { Chunk, Effect, type Scope, Stream } from "effect"
import { type FakeUpstream, fakeUpstream, type Script } from "./FakeUpstream.js"
import { hello } from "./Wire.js"

/** A model before a fake upstream. */
export interface Pair {
  readonly upstream: FakeUpstream
  readonly model: LanguageModel["Type"]
}

/** A model of which only the upstream is known. */
export const modelBefore = (
  script: Script,
  options: Partial<OpenAiModel.Options> = {}
): Effect.Effect<Pair, never, Scope.Scope> =>
  Effect.gen(function*() {
    const upstream = yield* fakeUpstream(script)
    return { upstream, model: yield* OpenAiModel.make({ baseUrl: upstream.baseUrl, ...options }) }
  })

/** All pieces of an answer. */
export const piecesOf = (model: LanguageModel["Type"], request: ModelRequest = hello) =>
  Effect.map(Stream.runCollect(model.stream(request)), Chunk.toReadonlyArray)

/** The pieces of an answer until it failed, and its failure. */
export const untilFailure = (model: LanguageModel["Type"], request: ModelRequest = hello) =>
  Effect.gen(function*() {
    const pieces: Array<Delta> = []
    const failure = yield* Effect.flip(
      Stream.runForEach(model.stream(request), (delta) => Effect.sync(() => void pieces.push(delta)))
    )
    return { pieces, failure }
  })
