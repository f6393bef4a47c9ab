import { assert } from "@effect/vitest"
import {
  type AnswerEvent,
  type AnswerFailure,
  Answers,
  type Completion,
  type FinishReason,
  freeOfCharge,
  type ModelRequest,
  TokenCounter,
  type Usage
} from "@trunkline/models"
import { type ResponseAsked, Responses, type ResponsesOptions } from "@trunkline/responses"
import { ScriptedModel, type ScriptedRule, toolAnswered, userSays } from "@trunkline/scripted-model"
import { type Cause, Chunk, Effect, Layer, Stream } from "effect"
import type { Piece } from "../src/output/Output.js"
import { eventsIn } from "../src/testing.js"

/** Where the tests' requests are from. */
export const requestId = "20260101_11111111-1111-4111-8111-111111111111"

export const ticket = { requestId, meter: freeOfCharge }

/** What answers take unless a test says otherwise. */
export const usage: Usage = { inputTokens: 7, cachedTokens: 2, outputTokens: 5, reasoningTokens: 1 }

/** A body that asks for as little as possible, and more. */
export const asking = (more: object = {}): object => ({ model: "core-105b", input: "hello", ...more })

export const text = (text: string): Piece => ({ _tag: "Text", text })
export const reasoning = (text: string): Piece => ({ _tag: "Reasoning", text })
export const refusal = (text: string): Piece => ({ _tag: "Refusal", text })
export const start = (index: number, name: string, id = `call_${index}`): Piece => ({
  _tag: "ToolStart",
  index,
  id,
  name
})
export const args = (index: number, text: string): Piece => ({ _tag: "ToolArgs", index, text })
export const finish = (reason: FinishReason = "stop"): Piece => ({ _tag: "Finish", reason })

export const completion: Completion = {
  text: "Hello there",
  reasoning: "",
  refusal: null,
  toolRequests: [],
  finish: "stop",
  usage: null,
  logprobs: []
}

/** A piece as `Answers` sends it. */
export const sent = (delta: Piece): AnswerEvent => ({ _tag: "Piece", choice: 0, delta })

export const total = (used: Usage = usage): AnswerEvent => ({ _tag: "Total", usage: used })

/** What a double answers, and how it ends. */
export interface Script {
  /** The pieces, in the chunks that they come in. */
  readonly chunks?: ReadonlyArray<ReadonlyArray<AnswerEvent>>
  readonly ending?: Cause.Cause<AnswerFailure>
  readonly whole?: Effect.Effect<Partial<Completion>, AnswerFailure>
  readonly usage?: Usage
  /** Is told what the model is asked. */
  readonly asked?: (request: ModelRequest) => void
}

/** Chunks of a whole answer: its pieces, each alone, and what it took. */
export const whole = (
  pieces: ReadonlyArray<Piece>,
  used: Usage = usage
): NonNullable<Script["chunks"]> => [...pieces.map((piece) => [sent(piece)]), [total(used)]]

/** `Responses` over answers that are written down. */
export const scripted = (script: Script = {}, options: ResponsesOptions = {}): Layer.Layer<Responses> => {
  const { asked = () => {}, chunks = [], ending, usage: used = usage, whole = Effect.succeed({}) } = script
  return Layer.provide(
    Responses.layerWith(options),
    Layer.succeed(Answers, {
      generate: ({ request }) => {
        asked(request)
        return Effect.map(whole, (parts) => ({ choices: [{ ...completion, ...parts }], usage: used }))
      },
      stream: ({ request }) => {
        asked(request)
        return Stream.concat(
          Stream.fromChunks(...chunks.map(Chunk.fromIterable)),
          ending === undefined ? Stream.empty : Stream.failCause(ending)
        )
      }
    })
  )
}

/** `Responses` over everything that stands above a model, with a model that follows rules. */
export const served = (...rules: ReadonlyArray<ScriptedRule>): Layer.Layer<Responses> =>
  Responses.layer.pipe(
    Layer.provide(Answers.layer),
    Layer.provide(Layer.merge(ScriptedModel.layer(rules), TokenCounter.layer))
  )

/** Looks up the weather, then tells it. */
export const weather: ReadonlyArray<ScriptedRule> = [
  { when: toolAnswered("weather"), reply: "It is sunny." },
  { when: userSays("weather"), toolCall: { name: "weather", arguments: { city: "Pune" } } }
]

/** A body that was read. */
export const readBody = (body: unknown): Effect.Effect<ResponseAsked, never, Responses> =>
  Effect.flatMap(Responses, (responses) => Effect.orDie(responses.read(body)))

/** The response to a body. */
export const created = (body: unknown) =>
  Effect.gen(function*() {
    const responses = yield* Responses
    return yield* responses.create(yield* readBody(body), ticket)
  })

const decoder = new TextDecoder()

/** The text of frames. */
export const textOf = (frames: Iterable<Uint8Array>): string =>
  [...frames].map((frame) => decoder.decode(frame)).join("")

/** The frames of the response to a body. */
export const framesFor = (body: unknown) =>
  Effect.gen(function*() {
    const responses = yield* Responses
    return yield* Stream.runCollect(responses.stream(yield* readBody(body), ticket))
  })

/** The events in frames, which must be framed well. */
export const eventsOf = (frames: Iterable<Uint8Array>): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const { events, faults } = eventsIn(textOf(frames))
  assert.deepStrictEqual(faults, [])
  return events.map((event) => {
    assert.isObject(event)
    return { ...Object(event) }
  })
}

/** The events of the response to a body. */
export const eventsFor = (body: unknown) => Effect.map(framesFor(body), eventsOf)
