import { makeConnections } from "@trunkline/http-upstream"
import { CurrentRequestId } from "@trunkline/kernel"
import {
  type Completion,
  type Delta,
  gather,
  LanguageModel,
  type ModelFailure,
  type ModelRequest
} from "@trunkline/models"
import { Channel, Chunk, Duration, Effect, Layer, Redacted, type Scope, Stream } from "effect"
import { toolIdsIn } from "./answer/Answer.js"
import { type Attempt, type AttemptOptions, startAttempt } from "./Attempt.js"
import { capabilitiesBy, type NoThinking } from "./Capabilities.js"
import type { Trouble } from "./failures/Trouble.js"
import { type Options, usualConnections } from "./Options.js"
import { outboundBody } from "./outbound/Body.js"
import { refusalBy } from "./Refusals.js"
import { makeReliable, type ReliableOptions } from "./Reliability.js"
import { makeThinkingSwitch } from "./ThinkingSwitch.js"
import { millisOf } from "./Timeouts.js"

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
    // Said below, without the address, which may hold a key.
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

const fail = ({ failure, note }: Trouble): Effect.Effect<never, ModelFailure> =>
  Effect.zipRight(Effect.logDebug(`${failure._tag}: ${note}`), Effect.fail(failure))

const completed = (attempt: Attempt): Effect.Effect<Completion, ModelFailure> => {
  const outcome = attempt.outcome()
  return typeof outcome === "string" ? Effect.succeed(gather(attempt.take())) : fail(outcome)
}

/** Shows what has arrived in one chunk, as soon as something has. */
const showing = (attempt: Attempt): Channel.Channel<Chunk.Chunk<Delta>, unknown, ModelFailure> => {
  const arrival = Effect.async<void>((resume) => attempt.wait(() => resume(Effect.void)))
  const show: ReturnType<typeof showing> = Channel.suspend(() => {
    const deltas = attempt.take()
    if (deltas.length > 0) return Channel.flatMap(Channel.write(Chunk.unsafeFromArray(deltas)), () => show)
    const outcome = attempt.outcome()
    if (outcome === "whole") return Channel.void
    return outcome === "open"
      ? Channel.flatMap(Channel.fromEffect(arrival), () => show)
      : Channel.fromEffect(fail(outcome))
  })
  return show
}

/**
 * A model behind a server that speaks the chat completions of OpenAI: vLLM, llama.cpp, Ollama, or a hosted one.
 *
 * An answer is one attempt over a pooled connection; whoever stops waiting for it breaks that connection. Nothing that
 * the server says about a failure is repeated, since it may hold prompts and keys. What `extra` holds goes into the
 * request beside the fields that exist, never in their place. It dies when it cannot read `baseUrl`.
 */
export const make = (options: Options): Effect.Effect<LanguageModel["Type"], never, Scope.Scope> =>
  Effect.gen(function*() {
    const { keepAlive = "4 seconds", models = {}, timeouts = {}, watchWhole = false } = options
    const url = yield* Effect.sync(() => addressOf(options.baseUrl))
    const millis = { stream: millisOf(timeouts, true), whole: millisOf(timeouts, false) }
    const refusalOf = refusalBy(options)
    const capabilitiesOf = capabilitiesBy(options.capabilities ?? {})
    const thinkingSwitch = makeThinkingSwitch(capabilitiesOf)
    const upstreamIds = new Map(Object.entries(models))
    const headers = headersOf(options)
    const connections = yield* makeConnections({
      origin: url.origin,
      connections: options.connections ?? usualConnections,
      connectMillis: millis.stream.connect,
      idleMillis: Duration.toMillis(keepAlive)
    })

    /** What an attempt at this request takes; it fails when the model lacks what is asked for. */
    const prepare = (
      request: ModelRequest,
      { noThinking, streamed }: { readonly noThinking: NoThinking; readonly streamed: boolean }
    ): Effect.Effect<AttemptOptions, ModelFailure> =>
      Effect.withFiberRuntime((fiber) => {
        const refusal = refusalOf(request)
        if (refusal !== null) return refusal
        const model = upstreamIds.get(request.model) ?? request.model
        const capabilities = capabilitiesOf(request.model)
        const requestId = fiber.getFiberRef(CurrentRequestId)
        return Effect.succeed({
          connections,
          posted: {
            path: `${url.pathname}${url.search}`,
            headers: {
              ...headers,
              accept: streamed ? "text/event-stream, application/json" : "application/json",
              ...(requestId !== null && { "x-request-id": requestId })
            },
            body: JSON.stringify(outboundBody(request, { capabilities, model, streamed, noThinking }))
          },
          asked: {
            reasoningIn: capabilities.reasoningIn,
            logprobs: request.logprobs,
            toolIds: toolIdsIn(request.messages)
          },
          streamed,
          millis: streamed ? millis.stream : millis.whole
        })
      })

    // A channel, and no span, because a stream's own means cost several times as much for each chunk.
    const stream = (request: ModelRequest) =>
      thinkingSwitch.streamed(request, (noThinking) =>
        Stream.fromChannel(Channel.acquireUseRelease(
          Effect.map(prepare(request, { noThinking, streamed: true }), startAttempt),
          showing,
          (attempt) => Effect.sync(attempt.cancel)
        )))

    const inOne = (request: ModelRequest) =>
      thinkingSwitch.whole(
        request,
        (noThinking) =>
          Effect.flatMap(prepare(request, { noThinking, streamed: false }), (options) =>
            Effect.async<Completion, ModelFailure>((resume) => {
              const attempt = startAttempt(options)
              attempt.wait(() =>
                resume(completed(attempt))
              )
              return Effect.sync(attempt.cancel)
            }))
      )

    const asStream = (request: ModelRequest) =>
      Effect.map(Stream.runCollect(stream(request)), (deltas) => gather(Chunk.toReadonlyArray(deltas)))

    const generate = Effect.fn("OpenAiModel.generate")(watchWhole ? asStream : inOne)

    return LanguageModel.of({ generate, stream })
  })

/**
 * Provides such a model; its connections close with the layer. Unless told otherwise, it is asked again when that may
 * help and nothing was shown yet, and left alone while it is down.
 */
export const layer = (options: ReliableOptions): Layer.Layer<LanguageModel> =>
  Layer.scoped(LanguageModel, makeReliable(make, options))
