import {
  CurrentUsage,
  ensurePull,
  mapSource,
  type ServiceUsage,
  unwrapSource,
  type UsageMeter
} from "@trunkline/kernel"
import { Effect, Exit, Layer, type Stream } from "effect"
import { type Delta, deltaLength, type Usage } from "../Completion.js"
import { LanguageModel, type Model, type ModelFailure } from "../LanguageModel.js"
import type { ModelRequest } from "../ModelRequest.js"
import { estimateTokens } from "../tokens/Estimate.js"
import { promptTexts } from "../tokens/PromptTexts.js"

/** The provider of a model as prices name it, and its own name of the model that is asked for. */
export interface ModelProvider {
  readonly provider: string
  readonly modelOf: (model: string) => string
}

/** Tokens of an image in an estimate. */
const imageTokens = 1_300

/** A model of a provider, as prices name both. */
export interface ModelKey {
  readonly provider: string
  readonly model: string
}

/** Tokens by kind: cached ones and those of sound are parts of the input, and the latter of the output too. */
export const tokenUsage = (key: ModelKey, usage: Usage, isEstimated = false): ReadonlyArray<ServiceUsage> => {
  const { audioInputTokens = 0, audioOutputTokens = 0, cachedTokens, inputTokens, outputTokens } = usage
  const counts = {
    input_token: Math.max(0, inputTokens - cachedTokens - audioInputTokens),
    cached_input_token: cachedTokens,
    output_token: Math.max(0, outputTokens - audioOutputTokens),
    audio_input_token: audioInputTokens,
    audio_output_token: audioOutputTokens
  } as const
  const units = [
    "input_token",
    "cached_input_token",
    "output_token",
    "audio_input_token",
    "audio_output_token"
  ] as const
  return units.map((unit) => ({
    service: "model",
    provider: key.provider,
    model: key.model,
    unit,
    quantity: counts[unit],
    ...(isEstimated && { estimated: isEstimated })
  }))
}

/** Usage of an answer whose provider told none, as when it was broken off. */
const estimatedUsage = (request: ModelRequest, pieces: string): Usage => {
  const { texts, tokens } = promptTexts(request, { imageTokens })
  return {
    inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), tokens),
    cachedTokens: 0,
    outputTokens: estimateTokens(pieces),
    reasoningTokens: 0
  }
}

const textOf = (delta: Delta): string => "text" in delta ? delta.text : ""

/** Notes the usage of a streamed answer. An answer without any delta was perhaps not begun, and counts as nothing. */
const countedStream = (
  answer: Stream.Stream<Delta, ModelFailure>,
  request: ModelRequest,
  note: (usage: Usage, isEstimated: boolean) => void
): Stream.Stream<Delta, ModelFailure> => {
  let isNoted = false
  let hasBegun = false
  const pieces: Array<string> = []
  const source = mapSource(answer, () => (deltas) => {
    for (const delta of deltas ?? []) {
      if (delta._tag === "Usage") {
        isNoted = true
        note(delta.usage, false)
      } else {
        hasBegun ||= delta._tag === "Finish" || deltaLength(delta) > 0
        pieces.push(textOf(delta))
      }
    }
    return Exit.succeed(deltas)
  })
  return ensurePull(
    source,
    Effect.sync(() => {
      if (!isNoted && hasBegun) note(estimatedUsage(request, pieces.join("")), true)
      isNoted = true
    })
  )
}

/**
 * A model whose tokens are noted with the meter of the fiber that asks it (`CurrentUsage`), as its provider tells them. Where it
 * tells none, because it never does or because the answer was broken off, they are estimated.
 */
export const countedModel = ({ generate, stream }: Model, { modelOf, provider }: ModelProvider): Model => {
  const noting = (meter: UsageMeter, request: ModelRequest) => (usage: Usage, isEstimated: boolean): void =>
    tokenUsage({ provider, model: modelOf(request.model) }, usage, isEstimated).forEach(meter.note)
  return {
    generate: (request) =>
      Effect.withFiberRuntime((fiber) => {
        const meter = fiber.getFiberRef(CurrentUsage)
        if (meter === null) return generate(request)
        const note = noting(meter, request)
        return generate(request).pipe(
          Effect.tap(({ text, usage }) =>
            Effect.sync(() => note(usage ?? estimatedUsage(request, text), usage === null))
          ),
          Effect.onInterrupt(() => Effect.sync(() => note(estimatedUsage(request, ""), true)))
        )
      }),
    stream: (request) =>
      unwrapSource(Effect.withFiberRuntime((fiber) => {
        const meter = fiber.getFiberRef(CurrentUsage)
        return Effect.succeed(
          meter === null ? stream(request) : countedStream(stream(request), request, noting(meter, request))
        )
      }))
  }
}

/** The layer of a model, with {@link countedModel}. */
export const countedModelLayer = <E, R>(
  model: Layer.Layer<LanguageModel, E, R>,
  provider: ModelProvider
): Layer.Layer<LanguageModel, E, R> =>
  Layer.provide(Layer.effect(LanguageModel, Effect.map(LanguageModel, (one) => countedModel(one, provider))), model)
