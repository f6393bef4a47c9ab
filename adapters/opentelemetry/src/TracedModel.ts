import { noteSpan, type SpanOptions, withSpan } from "@trunkline/kernel"
import {
  type Completion,
  type Delta,
  gatherDeltas,
  LanguageModel,
  type Message,
  type Model,
  type ModelRequest,
  type Usage
} from "@trunkline/models"
import { Effect, Layer } from "effect"
import { tracedStream } from "./TracedStream.js"

type Attributes = Readonly<Record<string, unknown>>

const present = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))

/** Messages of the conventions, as JSON. Images are left out. */
const messagesText = (messages: ReadonlyArray<Message>): string =>
  JSON.stringify(
    messages.filter(({ role }) => role !== "system").map((message) => ({
      role: message.role,
      parts: [
        ...(typeof message.content === "string" ? [{ type: "text", content: message.content }] : []),
        ...(message.role === "assistant"
          ? message.toolRequests.map(({ arguments: givenText, id, name }) => ({
            type: "tool_call",
            id,
            name,
            arguments: givenText
          }))
          : [])
      ]
    }))
  )

const instructionsText = (messages: ReadonlyArray<Message>): string =>
  JSON.stringify(
    messages.flatMap(({ content, role }) =>
      role === "system" && typeof content === "string" ? [{ type: "text", content }] : []
    )
  )

const answerText = ({ finish, text, toolRequests }: Completion): string =>
  JSON.stringify([{
    role: "assistant",
    parts: [
      ...(text === "" ? [] : [{ type: "text", content: text }]),
      ...toolRequests.map(({ arguments: givenText, id, name }) => ({
        type: "tool_call",
        id,
        name,
        arguments: givenText
      }))
    ],
    finish_reason: finish
  }])

const usageAttributes = (usage: Usage): Attributes => ({
  "gen_ai.usage.input_tokens": usage.inputTokens,
  "gen_ai.usage.output_tokens": usage.outputTokens,
  ...(usage.cachedTokens > 0 && { "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens }),
  ...(usage.reasoningTokens > 0 && { "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens })
})

const answerAttributes = (completion: Completion, hasTexts: boolean): Attributes => ({
  "gen_ai.response.finish_reasons": [completion.finish],
  ...(completion.usage !== null && usageAttributes(completion.usage)),
  ...(hasTexts && { "gen_ai.output.messages": answerText(completion) })
})

/** Makes the options of the span of a request to a provider. */
const optionsFor = (provider: string) =>
(
  { format, limits = {}, messages, model, sampling = {} }: ModelRequest,
  { hasTexts, streams }: { readonly hasTexts: boolean; readonly streams: boolean }
): SpanOptions => ({
  kind: "client",
  attributes: present({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": model,
    "gen_ai.request.stream": streams ? true : undefined,
    "gen_ai.output.type": format === undefined || format.type === "text" ? undefined : "json",
    "gen_ai.request.max_tokens": limits.maxOutputTokens,
    "gen_ai.request.temperature": sampling.temperature,
    "gen_ai.request.top_p": sampling.topP,
    "gen_ai.request.top_k": sampling.topK,
    "gen_ai.request.frequency_penalty": sampling.frequencyPenalty,
    "gen_ai.request.presence_penalty": sampling.presencePenalty,
    "gen_ai.request.seed": sampling.seed,
    ...(hasTexts && {
      "gen_ai.system_instructions": instructionsText(messages),
      "gen_ai.input.messages": messagesText(messages)
    })
  })
})

/**
 * Runs the calls of a model in spans by the conventions of OpenTelemetry for generative AI. Texts are in them where they are
 * asked for.
 */
const tracedModel = (model: Model, provider: string): Model => {
  const optionsOf = optionsFor(provider)
  const streamOf = (request: ModelRequest) =>
    tracedStream(model.stream(request), (hasTexts) => {
      const answer: Array<Delta> = []
      return {
        name: `chat ${request.model}`,
        options: () => optionsOf(request, { hasTexts, streams: true }),
        onElements: (deltas, { isFirst, millis }) => {
          answer.push(...deltas)
          return isFirst ? { "gen_ai.response.time_to_first_chunk": millis / 1_000 } : {}
        },
        onEnd: () =>
          answer.some(({ _tag }) => _tag === "Finish") ? answerAttributes(gatherDeltas(answer), hasTexts) : {}
      }
    })
  return {
    generate: (request) =>
      Effect.tap(
        model.generate(request),
        (completion) => noteSpan((hasTexts) => answerAttributes(completion, hasTexts))
      ).pipe(
        withSpan(`chat ${request.model}`, (hasTexts) => optionsOf(request, { hasTexts, streams: false }))
      ),
    stream: streamOf
  }
}

/** The layer of a model whose calls have spans. */
export const modelLayer = <E, R>(
  model: Layer.Layer<LanguageModel, E, R>,
  provider: string
): Layer.Layer<LanguageModel, E, R> =>
  Layer.provide(Layer.effect(LanguageModel, Effect.map(LanguageModel, (model) => tracedModel(model, provider))), model)
