import { ModelUnavailable } from "@trunkline/errors"
import { CurrentRequestId } from "@trunkline/kernel"
import {
  append,
  type Completion,
  type Delta,
  emptyCompletion,
  LanguageModel,
  type ModelFailure,
  type ModelRequest
} from "@trunkline/models"
import { Channel, Chunk, Duration, Effect, Layer, Redacted, type Scope, Stream } from "effect"
import { toolIdsIn } from "./answer/Answer.js"
import { type Attempt, type AttemptOptions, startAttempt } from "./Attempt.js"
import { capabilitiesBy, type CapabilityOptions } from "./Capabilities.js"
import type { Trouble } from "./failures/Trouble.js"
import { lacking, outboundBody } from "./outbound/Body.js"
import { millisOf, type Timeouts } from "./Timeouts.js"
import { makeUpstream } from "./Upstream.js"

/** Where models are, what they are called there, and how patiently they are asked. */
export interface Options {
  /** What `/chat/completions` comes after, such as `http://127.0.0.1:8000/v1`; a query string is kept. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer`; absent: none is. */
  readonly apiKey?: Redacted.Redacted
  /** Sent with every request, such as `api-key`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** The upstream's ids of models, by public id. Others are asked for by the id that they are asked for. Default: none. */
  readonly models?: Readonly<Record<string, string>>
  /** Whether models that are not in `models` are refused, with `ModelUnavailable`. Default: false. */
  readonly strictModels?: boolean
  readonly capabilities?: CapabilityOptions
  readonly timeouts?: Partial<Timeouts>
  /** Connections at most, each of which carries one answer at a time; who needs another one waits. Default: 1,024. */
  readonly connections?: number
  /** How long a connection is kept that carries nothing, unless the server says how long it keeps it. Default: 4 s. */
  readonly keepAlive?: Duration.DurationInput
}

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
  return typeof outcome === "string" ? Effect.succeed(attempt.take().reduce(append, emptyCompletion)) : fail(outcome)
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
    const { connections = 1_024, keepAlive = "4 seconds", models = {}, strictModels = false } = options
    const url = yield* Effect.sync(() => addressOf(options.baseUrl))
    const millis = millisOf(options.timeouts ?? {})
    const capabilitiesOf = capabilitiesBy(options.capabilities ?? {})
    const upstreamIds = new Map(Object.entries(models))
    const headers = headersOf(options)
    const upstream = yield* makeUpstream({
      url,
      connections,
      connectMillis: millis.connect,
      idleMillis: Duration.toMillis(keepAlive)
    })

    /** What an attempt at this request takes; it fails when the model lacks what is asked for. */
    const prepare = (request: ModelRequest, streamed: boolean): Effect.Effect<AttemptOptions, ModelFailure> =>
      Effect.withFiberRuntime((fiber) => {
        const model = upstreamIds.get(request.model) ?? (strictModels ? undefined : request.model)
        if (model === undefined) return new ModelUnavailable({ message: "This model is not available here" })
        const capabilities = capabilitiesOf(request.model)
        const lack = lacking(request, capabilities)
        if (lack !== null) return lack
        const requestId = fiber.getFiberRef(CurrentRequestId)
        return Effect.succeed({
          upstream,
          body: JSON.stringify(outboundBody(request, { capabilities, model, streamed })),
          headers: {
            ...headers,
            accept: streamed ? "text/event-stream, application/json" : "application/json",
            ...(requestId !== null && { "x-request-id": requestId })
          },
          asked: {
            reasoningIn: capabilities.reasoningIn,
            logprobs: request.logprobs,
            toolIds: toolIdsIn(request.messages)
          },
          streamed,
          millis
        })
      })

    const generate = Effect.fn("OpenAiModel.generate")((request: ModelRequest) =>
      Effect.flatMap(prepare(request, false), (options) =>
        Effect.async<Completion, ModelFailure>((resume) => {
          const attempt = startAttempt(options)
          attempt.wait(() => resume(completed(attempt)))
          return Effect.sync(attempt.cancel)
        }))
    )

    // A channel, and no span, because a stream's own means cost several times as much for each chunk.
    const stream = (request: ModelRequest) =>
      Stream.fromChannel(Channel.acquireUseRelease(
        Effect.map(prepare(request, true), startAttempt),
        showing,
        (attempt) => Effect.sync(attempt.cancel)
      ))

    return LanguageModel.of({ generate, stream })
  })

/** Provides such a model; its connections close with the layer. */
export const layer = (options: Options): Layer.Layer<LanguageModel> => Layer.scoped(LanguageModel, make(options))
