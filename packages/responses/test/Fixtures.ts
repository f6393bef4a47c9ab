import { assert } from "@effect/vitest"
import {
  type AnswerEvent,
  type AnswerFailure,
  Answers,
  type Completion,
  type FinishReason,
  freeMeter,
  type ModelRequest,
  TokenCounter,
  type Usage
} from "@trunkline/models"
import { type ResponseRequest, Responses, type ResponsesOptions } from "@trunkline/responses"
import { ScriptedModel, type ScriptedRule, toolAnswered, userSays } from "@trunkline/scripted-model"
import { type Cause, Chunk, Effect, Layer, Stream } from "effect"
import type { AnswerDelta } from "../src/output/Output.js"
import { parseEvents } from "../src/testing.js"

/** The id of every request in these tests. */
export const requestId = "20260101_11111111-1111-4111-8111-111111111111"

export const ticket = { requestId, meter: freeMeter }

/** The default token usage of answers. */
export const usage: Usage = { inputTokens: 7, cachedTokens: 2, outputTokens: 5, reasoningTokens: 1 }

/** A body with only the required fields, plus the given ones. */
export const bodyWith = (more: object = {}): object => ({ model: "core-105b", input: "hello", ...more })

export const text = (text: string): AnswerDelta => ({ _tag: "Text", text })
export const reasoning = (text: string): AnswerDelta => ({ _tag: "Reasoning", text })
export const refusal = (text: string): AnswerDelta => ({ _tag: "Refusal", text })
export const start = (index: number, name: string, id = `call_${index}`): AnswerDelta => ({
  _tag: "ToolStart",
  index,
  id,
  name
})
export const args = (index: number, text: string): AnswerDelta => ({ _tag: "ToolArgs", index, text })
export const finish = (reason: FinishReason = "stop"): AnswerDelta => ({ _tag: "Finish", reason })

export const completion: Completion = {
  text: "Hello there",
  reasoning: "",
  refusal: null,
  toolRequests: [],
  finish: "stop",
  usage: null,
  logprobs: []
}

/** A delta as an event of `Answers`. */
export const pieceOf = (delta: AnswerDelta): AnswerEvent => ({ _tag: "Piece", choice: 0, delta })

export const total = (used: Usage = usage): AnswerEvent => ({ _tag: "Total", usage: used })

/** The answers of the test double, and how they end. */
export interface Script {
  /** The events of a stream, in chunks. */
  readonly chunks?: ReadonlyArray<ReadonlyArray<AnswerEvent>>
  readonly ending?: Cause.Cause<AnswerFailure>
  readonly whole?: Effect.Effect<Partial<Completion>, AnswerFailure>
  readonly usage?: Usage
  /** Receives every request to the model. */
  readonly onRequest?: (request: ModelRequest) => void
}

/** The chunks of a whole answer: one for each delta, and one for the usage. */
export const whole = (
  pieces: ReadonlyArray<AnswerDelta>,
  used: Usage = usage
): NonNullable<Script["chunks"]> => [...pieces.map((piece) => [pieceOf(piece)]), [total(used)]]

/** `Responses` with scripted answers. */
export const scripted = (script: Script = {}, options: ResponsesOptions = {}): Layer.Layer<Responses> => {
  const { onRequest = () => {}, chunks = [], ending, usage: used = usage, whole = Effect.succeed({}) } = script
  return Layer.provide(
    Responses.layerWith(options),
    Layer.succeed(Answers, {
      generate: ({ request }) => {
        onRequest(request)
        return Effect.map(whole, (parts) => ({ choices: [{ ...completion, ...parts }], usage: used }))
      },
      stream: ({ request }) => {
        onRequest(request)
        return Stream.concat(
          Stream.fromChunks(...chunks.map(Chunk.fromIterable)),
          ending === undefined ? Stream.empty : Stream.failCause(ending)
        )
      }
    })
  )
}

/** `Responses` on `Answers` and the scripted model, which follows the given rules. */
export const withScriptedModel = (...rules: ReadonlyArray<ScriptedRule>): Layer.Layer<Responses> =>
  Responses.layer.pipe(
    Layer.provide(Answers.layer),
    Layer.provide(Layer.merge(ScriptedModel.layer(rules), TokenCounter.layer))
  )

/** Rules that look up the weather, then report it. */
export const weather: ReadonlyArray<ScriptedRule> = [
  { when: toolAnswered("weather"), reply: "It is sunny." },
  { when: userSays("weather"), toolCall: { name: "weather", arguments: { city: "Pune" } } }
]

/** The request of a body, which must be valid. */
export const readBody = (body: unknown): Effect.Effect<ResponseRequest, never, Responses> =>
  Effect.flatMap(Responses, (responses) => Effect.orDie(responses.read(body)))

/** The response for a body. */
export const created = (body: unknown) =>
  Effect.gen(function*() {
    const responses = yield* Responses
    return yield* responses.create(yield* readBody(body), ticket)
  })

const decoder = new TextDecoder()

/** The text of frames. */
export const textOf = (frames: Iterable<Uint8Array>): string =>
  [...frames].map((frame) => decoder.decode(frame)).join("")

/** The frames of the stream for a body. */
export const framesFor = (body: unknown) =>
  Effect.gen(function*() {
    const responses = yield* Responses
    return yield* Stream.runCollect(responses.stream(yield* readBody(body), ticket))
  })

/** The events in frames, which must be framed correctly. */
export const eventsOf = (frames: Iterable<Uint8Array>): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const { events, faults } = parseEvents(textOf(frames))
  assert.deepStrictEqual(faults, [])
  return events.map((event) => {
    assert.isObject(event)
    return { ...Object(event) }
  })
}

/** The events of the stream for a body. */
export const eventsFor = (body: unknown) => Effect.map(framesFor(body), eventsOf)
