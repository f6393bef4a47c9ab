import { BusinessTime } from "@trunkline/kernel"
import {
  type Completion,
  type Delta,
  LanguageModel,
  makeGatherer,
  messageText,
  type ModelRequest
} from "@trunkline/models"
import { Effect, Layer, Stream } from "effect"
import type { ModelExchange } from "../record/TestedCall.js"

/** Exchanges with a model so far, in the order of their requests. */
export interface ModelLog {
  readonly layer: Layer.Layer<LanguageModel>
  readonly exchanges: () => ReadonlyArray<ModelExchange>
}

const systemOf = ({ messages }: ModelRequest): string => {
  const [first] = messages
  return first?.role === "system" ? messageText(first) : ""
}

/**
 * A model that tells what it was asked and what it answered, and asks with a seed, by which a model that can answers alike again.
 */
export const watchModel = (
  model: LanguageModel["Type"],
  { second, seed }: { readonly second: (at: number) => number; readonly seed: number }
): ModelLog => {
  const exchanges: Array<ModelExchange> = []

  const withSeed = (request: ModelRequest): ModelRequest => ({ ...request, sampling: { ...request.sampling, seed } })

  /** Notes a request, and returns how to note its answer. */
  const begin = (request: ModelRequest) =>
    Effect.map(BusinessTime.now, (at) => {
      const none = { text: null, tools: [], toolArguments: [], inputTokens: 0, outputTokens: 0 }
      const exchange: ModelExchange = { system: systemOf(request), at: second(at), ...none }
      const index = exchanges.push(exchange) - 1
      return ({ text, toolRequests, usage }: Completion): void => {
        exchanges[index] = {
          ...exchange,
          text,
          tools: toolRequests.map(({ name }) => name),
          toolArguments: toolRequests.map((request) => request.arguments),
          inputTokens: usage?.inputTokens ?? 0,
          outputTokens: usage?.outputTokens ?? 0
        }
      }
    })

  const stream = (request: ModelRequest): ReturnType<typeof model.stream> =>
    Stream.unwrap(Effect.map(begin(request), (end) => {
      const gatherer = makeGatherer()
      return model.stream(withSeed(request)).pipe(
        Stream.tap((delta: Delta) => Effect.sync(() => gatherer.append(delta))),
        Stream.ensuring(Effect.sync(() => end(gatherer.completion())))
      )
    }))

  return {
    layer: Layer.succeed(LanguageModel, {
      generate: (request) =>
        Effect.flatMap(begin(request), (end) => Effect.tap(model.generate(withSeed(request)), (answer) => end(answer))),
      stream
    }),
    exchanges: () => exchanges
  }
}
