import { makeConnections } from "@trunkline/http-client"
import { CurrentRequestId, type Pull, startSource, traceHeaders } from "@trunkline/kernel"
import {
  type Completion,
  type Delta,
  gatherDeltas,
  LanguageModel,
  type ModelFailure,
  type ModelRequest
} from "@trunkline/models"
import { Chunk, Duration, Effect, Layer, Redacted, type Scope, Stream } from "effect"
import { toolIdsIn } from "./answer/Answer.js"
import { type AnswerAttempt, type AnswerAttemptOptions, startAttempt } from "./Attempt.js"
import { capabilitiesBy, type NoThinking } from "./Capabilities.js"
import { defaultConnections, type Options } from "./Options.js"
import { makeReliableModel, type ReliableOptions } from "./Reliability.js"
import { outboundBody, rejectionBy } from "./RequestBody.js"
import { makeThinkingSwitch } from "./ThinkingSwitch.js"
import { millisOf } from "./Timeouts.js"
import type { UpstreamError } from "./UpstreamError.js"
export { type Options } from "./Options.js"
export { type Fallback, type ReliableOptions } from "./Reliability.js"

const addressOf = (baseUrl: string): URL => {
  try {
    const url = new URL(baseUrl)
    if (/^https?:$/.test(url.protocol) && url.username === "" && url.password === "") {
      url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`
      return url
    }
  } catch {
    // Reported below, without the address, which may hold a key.
  }
  throw new Error("The base URL of a model should be an http:// or https:// URL without user and password")
}

const headersOf = ({ apiKey, headers = {} }: Options): Readonly<Record<string, string>> => ({
  "user-agent": "trunkline",
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  ...(apiKey !== undefined && { authorization: `Bearer ${Redacted.value(apiKey)}` }),
  "accept-encoding": "identity",
  "content-type": "application/json"
})

const fail = ({ failure, note }: UpstreamError): Effect.Effect<never, ModelFailure> =>
  Effect.zipRight(Effect.logDebug(`${failure._tag}: ${note}`), Effect.fail(failure))

const completionOf = (attempt: AnswerAttempt): Effect.Effect<Completion, ModelFailure> => {
  const outcome = attempt.outcome()
  return typeof outcome === "string" ? Effect.succeed(gatherDeltas(attempt.take())) : fail(outcome)
}

/** Takes everything that has arrived; undefined if nothing has. */
const pollDeltas = (attempt: AnswerAttempt): Pull<Delta, ModelFailure> | undefined => {
  const deltas = attempt.take()
  if (deltas.length > 0) return Effect.succeed(deltas)
  const outcome = attempt.outcome()
  return outcome === "whole" ? Effect.succeed(null) : outcome === "open" ? undefined : fail(outcome)
}

/**
 * Makes a model behind a server with OpenAI's chat completions API: vLLM, llama.cpp, Ollama, or a hosted one.
 *
 * An answer is one attempt over a pooled connection; interrupting it closes that connection. Error texts of the server
 * are never repeated, since they may hold prompts and keys. `extra` fields are added to the request but never replace
 * those that it has. Dies if `baseUrl` is invalid.
 */
export const make = (options: Options): Effect.Effect<LanguageModel["Type"], never, Scope.Scope> =>
  Effect.gen(function*() {
    const { keepAlive = "4 seconds", models = {}, timeouts = {}, watchWhole = false } = options
    const url = yield* Effect.sync(() => addressOf(options.baseUrl))
    const millis = { stream: millisOf(timeouts, true), whole: millisOf(timeouts, false) }
    const rejectionOf = rejectionBy(options)
    const capabilitiesOf = capabilitiesBy(options.capabilities ?? {})
    const thinkingSwitch = makeThinkingSwitch(capabilitiesOf)
    const upstreamIds = new Map(Object.entries(models))
    const headers = headersOf(options)
    const connections = yield* makeConnections({
      origin: url.origin,
      connections: options.connections ?? defaultConnections,
      connectMillis: millis.stream.connect,
      idleMillis: Duration.toMillis(keepAlive)
    })

    const path = `${url.pathname}${url.search}`
    const attemptHeaders = {
      stream: { ...headers, accept: "text/event-stream, application/json" },
      whole: { ...headers, accept: "application/json" }
    }

    /** Builds the attempt for a request; fails if the model lacks a capability that it needs. */
    const withAttempt = <A>(
      request: ModelRequest,
      { noThinking, streamed }: { readonly noThinking: NoThinking; readonly streamed: boolean },
      use: (options: AnswerAttemptOptions) => Effect.Effect<A, ModelFailure>
    ): Effect.Effect<A, ModelFailure> =>
      Effect.withFiberRuntime((fiber) => {
        const rejection = rejectionOf(request)
        if (rejection !== null) return rejection
        const model = upstreamIds.get(request.model) ?? request.model
        const capabilities = capabilitiesOf(request.model)
        const requestId = fiber.getFiberRef(CurrentRequestId)
        const kind = streamed ? "stream" : "whole"
        const headers = attemptHeaders[kind]
        return use({
          connections,
          posted: {
            path,
            headers: {
              ...headers,
              ...(requestId !== null && { "x-request-id": requestId }),
              ...traceHeaders(fiber)
            },
            body: JSON.stringify(outboundBody(request, { capabilities, model, streamed, noThinking }))
          },
          answerOptions: {
            reasoningIn: capabilities.reasoningIn,
            logprobs: request.logprobs,
            toolIds: toolIdsIn(request.messages)
          },
          streamed,
          millis: millis[kind]
        })
      })

    const stream = (request: ModelRequest) =>
      thinkingSwitch.streamed(
        request,
        (noThinking) =>
          startSource<Delta, ModelFailure>((open) =>
            withAttempt(request, { noThinking, streamed: true }, (options) => {
              const attempt = startAttempt(options)
              return open({
                poll: () => pollDeltas(attempt),
                wait: attempt.wait,
                close: Effect.sync(attempt.cancel)
              })
            })
          )
      )

    const wholeAnswer = (request: ModelRequest) =>
      thinkingSwitch.whole(
        request,
        (noThinking) =>
          withAttempt(request, { noThinking, streamed: false }, (options) =>
            Effect.async<Completion, ModelFailure>((resume) => {
              const attempt = startAttempt(options)
              attempt.wait(() =>
                resume(completionOf(attempt))
              )
              return Effect.sync(attempt.cancel)
            }))
      )

    const wholeFromStream = (request: ModelRequest) =>
      Effect.map(Stream.runCollect(stream(request)), (deltas) => gatherDeltas(Chunk.toReadonlyArray(deltas)))

    return LanguageModel.of({ generate: watchWhole ? wholeFromStream : wholeAnswer, stream })
  })

/**
 * A `LanguageModel` behind a server with OpenAI's chat completions API, by default with retries, a fair queue and
 * circuit breakers. Its connections close with the layer.
 *
 * @example
 * const model = OpenAiModel.layer({
 *   baseUrl: "https://api.openai.com/v1",
 *   apiKey: Redacted.make("sk-..."),
 *   models: { "core-105b": "gpt-4.1-mini" }
 * })
 */
export const layer = (options: ReliableOptions): Layer.Layer<LanguageModel> =>
  Layer.scoped(LanguageModel, makeReliableModel(make, options))
