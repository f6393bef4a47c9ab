import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import type { AnswerEvent, Completion, FinishReason } from "@trunkline/models"
import type { OutputItem } from "@trunkline/responses"
import { Array, Cause, Effect, FastCheck, Layer, Logger } from "effect"
import type { Piece } from "../src/output/Output.js"
import { checkEvents } from "../src/testing.js"
import {
  args,
  asking,
  created,
  eventsFor,
  finish,
  reasoning,
  refusal,
  scripted,
  sent,
  start,
  text,
  total,
  usage
} from "./fixtures.js"

const words = FastCheck.string({ unit: "grapheme", maxLength: 6 })
const json = FastCheck.dictionary(words, FastCheck.jsonValue(), { maxKeys: 2 }).map((value) => JSON.stringify(value))

/** The arguments of one call: JSON, nothing, or something else. */
const argumentTexts = FastCheck.oneof(json, FastCheck.constantFrom("", "{", "[1", "\"", "}"), words)

/** A text in some pieces, which may be empty. */
const inPieces = (whole: string, cuts: ReadonlyArray<number>) => {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].toSorted((a, b) => a - b)
  return Array.zipWith(places, places.slice(1), (from, to) => whole.slice(from, to))
}

const cuts = FastCheck.array(FastCheck.nat(), { maxLength: 3 })

/** The pieces of each of some calls, in order. */
const callPieces = FastCheck.array(FastCheck.tuple(argumentTexts, cuts), { maxLength: 3 }).map((calls) =>
  calls.map(([whole, cuts], index): ReadonlyArray<Piece> => [
    start(index, `tool_${index}`),
    ...inPieces(whole, cuts).map((piece) => args(index, piece))
  ])
)

const spoken = FastCheck.array(
  FastCheck.oneof(words.map(text), words.map(reasoning), words.map(refusal)),
  { maxLength: 6 }
)

/** Merges lists, of which each keeps its order; where the next one comes from is told by `turns`. */
const merged = <A>(lists: ReadonlyArray<ReadonlyArray<A>>, turns: ReadonlyArray<number>): ReadonlyArray<A> => {
  const queues = lists.map((list) => [...list])
  const result: Array<A> = []
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const full = queues.filter((queue) => queue.length > 0)
    result.push(...(full[(turns[turn % turns.length] ?? 0) % full.length] ?? []).splice(0, 1))
  }
  return result
}

/** Calls begin in the order of their numbers, whatever their pieces do. */
const inOrder = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const numbers = new Map<number, number>()
  return pieces.map((piece) => {
    if (piece._tag === "ToolStart") numbers.set(piece.index, numbers.size)
    return piece._tag === "ToolStart" || piece._tag === "ToolArgs"
      ? { ...piece, index: numbers.get(piece.index) ?? 0 }
      : piece
  })
}

const reasons = FastCheck.constantFrom<FinishReason>("stop", "length", "tool_calls", "content_filter")

/** All that a model may write: words, thoughts and refusals, and calls mixed among them. */
const written = FastCheck.tuple(
  spoken,
  callPieces,
  FastCheck.array(FastCheck.nat({ max: 7 }), { minLength: 1, maxLength: 20 }),
  reasons
).map(([spoken, calls, turns, reason]): ReadonlyArray<Piece> => [
  ...inOrder(merged([spoken, ...calls], turns)),
  finish(reason)
])

/** Events in some chunks. */
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

const quiet = Logger.remove(Logger.defaultLogger)

const outputOf = (events: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyArray<OutputItem> =>
  Object(events.at(-1)?.["response"]).output

const callsIn = (output: ReadonlyArray<OutputItem>) =>
  output.flatMap((item) => item.type === "function_call" ? [item.arguments] : [])

const wordsIn = (output: ReadonlyArray<OutputItem>) =>
  output.flatMap((item) =>
    item.type === "message" ? item.content.flatMap((part) => part.type === "output_text" ? [part.text] : []) : []
  ).join("")

describe("the stream of any answer", () => {
  it.effect.prop(
    "keeps the rules, whatever is written and however it comes",
    [written, sizes, bodies],
    ([pieces, sizes, more]) =>
      Effect.gen(function*() {
        const events = yield* eventsFor(asking(more))
        assert.deepStrictEqual(checkEvents(events), [])
        assert.include(["response.completed", "response.incomplete"], events.at(-1)?.["type"])
      }).pipe(Effect.provide(scripted({ chunks: chunked([...pieces.map(sent), total()], sizes) })))
  )

  it.effect.prop(
    "keeps the rules wherever it fails",
    [written, sizes, bodies, FastCheck.nat(), FastCheck.boolean()],
    ([pieces, sizes, more, at, defect]) => {
      const shown = pieces.slice(0, at % pieces.length).map(sent)
      const ending = defect ? Cause.die(new Error("oops")) : Cause.fail(new ModelFailed({ message: "oops" }))
      return Effect.gen(function*() {
        const events = yield* Effect.either(eventsFor(asking(more)))
        if (shown.length === 0) {
          assert.strictEqual(events._tag, "Left")
        } else if (events._tag === "Right") {
          assert.deepStrictEqual(checkEvents(events.right), [])
          assert.strictEqual(events.right.at(-1)?.["type"], "response.failed")
        }
      }).pipe(
        Effect.catchAllDefect(() => Effect.sync(() => assert.lengthOf(shown, 0))),
        Effect.provide(Layer.merge(scripted({ chunks: chunked(shown, sizes), ending }), quiet))
      )
    }
  )

  it.effect.prop(
    "does not depend on its chunks",
    [written, sizes, bodies],
    ([pieces, sizes, more]) =>
      Effect.gen(function*() {
        const events = [...pieces.map(sent), total()]
        const inChunks = Effect.provide(eventsFor(asking(more)), scripted({ chunks: chunked(events, sizes) }))
        const atOnce = Effect.provide(eventsFor(asking(more)), scripted({ chunks: [events] }))
        assert.deepStrictEqual(yield* inChunks, yield* atOnce)
      })
  )

  it.effect.prop("loses nothing of an answer that is whole", [written], ([pieces]) =>
    Effect.gen(function*() {
      const all = pieces.map((piece) => piece._tag === "Finish" ? finish("stop") : piece)
      const output = outputOf(
        yield* Effect.provide(eventsFor(asking()), scripted({ chunks: [[...all.map(sent), total()]] }))
      )
      assert.strictEqual(wordsIn(output), all.map((piece) => piece._tag === "Text" ? piece.text : "").join(""))
      const texts = all.flatMap((piece) =>
        piece._tag === "ToolStart"
          ? [all.map((other) => other._tag === "ToolArgs" && other.index === piece.index ? other.text : "").join("")]
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
    text: words,
    reasoning: words,
    refusal: FastCheck.option(words),
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

  it.effect.prop("is what its stream ends with, when that comes in order", [completions, bodies], ([whole, more]) => {
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
      const events = yield* eventsFor(asking(more))
      assert.deepStrictEqual<unknown>(events.at(-1)?.["response"], yield* created(asking(more)))
    }).pipe(Effect.provide(scripted({ whole: Effect.succeed(whole), chunks: [[...pieces.map(sent), total()]] })))
  })
})
