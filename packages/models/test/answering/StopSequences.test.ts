import { assert, describe, it } from "@effect/vitest"
import type { Delta } from "@trunkline/models"
import { Effect, Ref, Stream } from "effect"
import {
  collected,
  finishes,
  generate,
  limited,
  type Model,
  sampleUsage,
  saying,
  stop,
  textOf,
  words
} from "./AnswerFixtures.js"

describe("stop sequences", () => {
  const pieces = [...words("One, t", "wo, th", "ree, four"), stop]

  it.effect("end the completion before them, also across pieces, and stop the model", () =>
    Effect.gen(function*() {
      const isStopped = yield* Ref.make(false)
      const model: Model = {
        ...saying(pieces),
        stream: () =>
          Stream.concat(Stream.rechunk(Stream.fromIterable(pieces.slice(0, 3)), 1), Stream.never).pipe(
            Stream.ensuring(Ref.set(isStopped, true))
          )
      }
      const answer = yield* collected(model, limited({ stop: ["three"] }))
      assert.strictEqual(textOf(answer), "One, two, ")
      assert.deepStrictEqual(finishes(answer), ["stop"])
      assert.isTrue(yield* Ref.get(isStopped))
    }))

  it.effect("end whole completions as well", () =>
    Effect.gen(function*() {
      const { choices: [first] } = yield* generate(saying(pieces), limited({ stop: ["four", "two"] }))
      assert.deepStrictEqual([first?.text, first?.finish], ["One, ", "stop"])
    }))

  it.effect("charge the passed text, streamed or not", () =>
    Effect.gen(function*() {
      const model = saying([...words("One, t", "wo, th", "ree, four"), { _tag: "Usage", usage: sampleUsage }, stop])
      const options = limited({ stop: ["three"] })
      const total = (yield* collected(model, options)).at(-1)
      assert.deepStrictEqual(total, { _tag: "Total", usage: (yield* generate(model, options)).usage })
    }))

  it.effect("that only the end of the text distinguishes end the completion as well", () =>
    Effect.gen(function*() {
      const options = limited({ stop: ["bc", "abcd"] })
      const answer = yield* collected(saying([...words("x", "abc"), { _tag: "Finish", reason: "length" }]), options)
      assert.deepStrictEqual([textOf(answer), finishes(answer)], ["xa", ["stop"]])
    }))

  it.effect("that do not occur hold nothing back at the end", () =>
    Effect.gen(function*() {
      const answer = yield* collected(saying(pieces), limited({ stop: ["four!"] }))
      assert.strictEqual(textOf(answer), "One, two, three, four")
    }))
})

describe("text that may begin a stop sequence", () => {
  it.effect("is passed before a tool call", () =>
    Effect.gen(function*() {
      const tool: Delta = { _tag: "ToolStart", index: 0, id: "call_1", name: "look" }
      const finish: Delta = { _tag: "Finish", reason: "tool_calls" }
      const answer = yield* collected(saying([...words("a st"), tool, finish]), limited({ stop: ["stop"] }))
      const tags = answer.flatMap((event) => event._tag === "Piece" ? [event.delta._tag] : [])
      assert.deepStrictEqual(tags, ["Text", "Text", "ToolStart", "Finish"])
    }))
})
