import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import type { AnswerEvent, Completion, FinishReason } from "@trunkline/models"
import type { OutputItem } from "@trunkline/responses"
import { Array, Cause, Effect, FastCheck, Layer, Logger } from "effect"
import type { AnswerDelta } from "../src/output/Output.js"
import { checkEvents } from "../src/testing.js"
import {
  args,
  bodyWith,
  created,
  eventsFor,
  finish,
  pieceOf,
  reasoning,
  refusal,
  scripted,
  start,
  text,
  total,
  usage
} from "./Fixtures.js"

const texts = FastCheck.string({ unit: "grapheme", maxLength: 6 })
const json = FastCheck.dictionary(texts, FastCheck.jsonValue(), { maxKeys: 2 }).map((value) => JSON.stringify(value))

/** The arguments of one call: JSON, nothing, or invalid JSON. */
const argumentTexts = FastCheck.oneof(json, FastCheck.constantFrom("", "{", "[1", "\"", "}"), texts)

/** Splits a text at the given places; parts may be empty. */
const splitAt = (whole: string, cuts: ReadonlyArray<number>) => {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].toSorted((a, b) => a - b)
  return Array.zipWith(places, places.slice(1), (from, to) => whole.slice(from, to))
}

const cuts = FastCheck.array(FastCheck.nat(), { maxLength: 3 })

/** The deltas of several calls, in order. */
const callDeltas = FastCheck.array(FastCheck.tuple(argumentTexts, cuts), { maxLength: 3 }).map((calls) =>
  calls.map(([whole, cuts], index): ReadonlyArray<AnswerDelta> => [
    start(index, `tool_${index}`),
    ...splitAt(whole, cuts).map((piece) => args(index, piece))
  ])
)

const textDeltas = FastCheck.array(
  FastCheck.oneof(texts.map(text), texts.map(reasoning), texts.map(refusal)),
  { maxLength: 6 }
)

/** Interleaves lists, each of which keeps its order; `turns` selects the list of the next element. */
const interleave = <A>(lists: ReadonlyArray<ReadonlyArray<A>>, turns: ReadonlyArray<number>): ReadonlyArray<A> => {
  const queues = lists.map((list) => [...list])
  const result: Array<A> = []
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const full = queues.filter((queue) => queue.length > 0)
    result.push(...(full[(turns[turn % turns.length] ?? 0) % full.length] ?? []).splice(0, 1))
  }
  return result
}

/** Renumbers calls in the order in which they begin. */
const renumber = (pieces: ReadonlyArray<AnswerDelta>): ReadonlyArray<AnswerDelta> => {
  const numbers = new Map<number, number>()
  return pieces.map((piece) => {
    if (piece._tag === "ToolStart") numbers.set(piece.index, numbers.size)
    return piece._tag === "ToolStart" || piece._tag === "ToolArgs"
      ? { ...piece, index: numbers.get(piece.index) ?? 0 }
      : piece
  })
}

const reasons = FastCheck.constantFrom<FinishReason>("stop", "length", "tool_calls", "content_filter")

/** The deltas of any answer: text, reasoning and refusals, with calls interleaved. */
const deltas = FastCheck.tuple(
  textDeltas,
  callDeltas,
  FastCheck.array(FastCheck.nat({ max: 7 }), { minLength: 1, maxLength: 20 }),
  reasons
).map(([texts, calls, turns, reason]): ReadonlyArray<AnswerDelta> => [
  ...renumber(interleave([texts, ...calls], turns)),
  finish(reason)
])

/** Splits events into chunks of the given sizes. */
const chunked = (events: ReadonlyArray<AnswerEvent>, sizes: ReadonlyArray<number>) => {
  const chunks: Array<ReadonlyArray<AnswerEvent>> = []
  for (let at = 0, turn = 0; at < events.length; turn++) {
    const size = 1 + (sizes[turn % sizes.length] ?? 0)
    chunks.push(events.slice(at, at + size))
    at += size
  }
  return chunks
}

const sizes = FastCheck.array(FastCheck.nat({ max: 4 }), { minLength: 1 })

const bodies = FastCheck.constantFrom<object>(
  {},
  { model: "model-g" },
  { model: "model-g", text: { format: { type: "json_object" } } },
  { max_output_tokens: usage.outputTokens },
  { model: "model-d", max_output_tokens: usage.outputTokens + 1 }
)

const withoutLogs = Logger.remove(Logger.defaultLogger)

const outputOf = (events: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyArray<OutputItem> =>
  Object(events.at(-1)?.["response"]).output

const callsIn = (output: ReadonlyArray<OutputItem>) =>
  output.flatMap((item) => item.type === "function_call" ? [item.arguments] : [])

const textIn = (output: ReadonlyArray<OutputItem>) =>
  output.flatMap((item) =>
    item.type === "message" ? item.content.flatMap((part) => part.type === "output_text" ? [part.text] : []) : []
  ).join("")

describe("the stream of any answer", () => {
  it.effect.prop(
    "is correct for any deltas in any chunks",
    [deltas, sizes, bodies],
    ([pieces, sizes, more]) =>
      Effect.gen(function*() {
        const events = yield* eventsFor(bodyWith(more))
        assert.deepStrictEqual(checkEvents(events), [])
        assert.include(["response.completed", "response.incomplete"], events.at(-1)?.["type"])
      }).pipe(Effect.provide(scripted({ chunks: chunked([...pieces.map(pieceOf), total()], sizes) })))
  )

  it.effect.prop(
    "is correct up to any failure",
    [deltas, sizes, bodies, FastCheck.nat(), FastCheck.boolean()],
    ([pieces, sizes, more, at, defect]) => {
      const shown = pieces.slice(0, at % pieces.length).map(pieceOf)
      const ending = defect ? Cause.die(new Error("oops")) : Cause.fail(new ModelFailed({ message: "oops" }))
      return Effect.gen(function*() {
        const events = yield* Effect.either(eventsFor(bodyWith(more)))
        if (shown.length === 0) {
          assert.strictEqual(events._tag, "Left")
        } else if (events._tag === "Right") {
          assert.deepStrictEqual(checkEvents(events.right), [])
          assert.strictEqual(events.right.at(-1)?.["type"], "response.failed")
        }
      }).pipe(
        Effect.catchAllDefect(() => Effect.sync(() => assert.lengthOf(shown, 0))),
        Effect.provide(Layer.merge(scripted({ chunks: chunked(shown, sizes), ending }), withoutLogs))
      )
    }
  )

  it.effect.prop(
    "does not depend on its chunks",
    [deltas, sizes, bodies],
    ([pieces, sizes, more]) =>
      Effect.gen(function*() {
        const events = [...pieces.map(pieceOf), total()]
        const inChunks = Effect.provide(eventsFor(bodyWith(more)), scripted({ chunks: chunked(events, sizes) }))
        const atOnce = Effect.provide(eventsFor(bodyWith(more)), scripted({ chunks: [events] }))
        assert.deepStrictEqual(yield* inChunks, yield* atOnce)
      })
  )

  it.effect.prop("contains everything of a complete answer", [deltas], ([pieces]) =>
    Effect.gen(function*() {
      const events = pieces.map((piece) => piece._tag === "Finish" ? finish("stop") : piece)
      const output = outputOf(
        yield* Effect.provide(eventsFor(bodyWith()), scripted({ chunks: [[...events.map(pieceOf), total()]] }))
      )
      assert.strictEqual(textIn(output), events.map((piece) => piece._tag === "Text" ? piece.text : "").join(""))
      const texts = events.flatMap((piece) =>
        piece._tag === "ToolStart"
          ? [events.map((other) => other._tag === "ToolArgs" && other.index === piece.index ? other.text : "").join("")]
          : []
      )
      const calls = callsIn(output)
      assert.lengthOf(calls, texts.length)
      for (const [index, text] of texts.entries()) {
        assert.isTrue(calls[index] === (text === "" ? "{}" : text) || text.startsWith(calls[index] ?? "?"))
      }
    }))
})

describe("a whole response", () => {
  const completions = FastCheck.record<Completion>({
    text: texts,
    reasoning: texts,
    refusal: FastCheck.option(texts),
    toolRequests: FastCheck.array(
      FastCheck.record({
        id: FastCheck.constantFrom("", "call_a"),
        name: FastCheck.constant("a"),
        arguments: argumentTexts
      }),
      { maxLength: 3 }
    ),
    finish: reasons,
    usage: FastCheck.constant(null),
    logprobs: FastCheck.constant([])
  })

  it.effect.prop("equals the last event of its stream", [completions, bodies], ([whole, more]) => {
    const pieces = [
      reasoning(whole.reasoning),
      refusal(whole.refusal ?? ""),
      text(whole.text),
      ...whole.toolRequests.flatMap((
        { arguments: text, id, name },
        index
      ) => [start(index, name, id), args(index, text)]),
      finish(whole.finish)
    ]
    return Effect.gen(function*() {
      const events = yield* eventsFor(bodyWith(more))
      assert.deepStrictEqual<unknown>(events.at(-1)?.["response"], yield* created(bodyWith(more)))
    }).pipe(Effect.provide(scripted({ whole: Effect.succeed(whole), chunks: [[...pieces.map(pieceOf), total()]] })))
  })
})
