import { assert, describe, it } from "@effect/vitest"
import type { Delta } from "@trunkline/models"
import { Effect, Ref, Stream } from "effect"
import {
  collected,
  finishes,
  generate,
  limited,
  type Model,
  saying,
  stop,
  textOf,
  told,
  words
} from "./AnswerFixtures.js"

describe("stop sequences", () => {
  const pieces = [...words("One, t", "wo, th", "ree, four"), stop]

  it.effect("end the answer before them, also across pieces, and stop the model", () =>
    Effect.gen(function*() {
      const isStopped = yield* Ref.make(false)
      const model: Model = {
        ...saying(pieces),
        stream: () =>
          Stream.concat(Stream.rechunk(Stream.fromIterable(pieces.slice(0, 3)), 1), Stream.never).pipe(
            Stream.ensuring(Ref.set(isStopped, true))
          )
      }
      const all = yield* collected(model, limited({ stop: ["three"] }))
      assert.strictEqual(textOf(all), "One, two, ")
      assert.deepStrictEqual(finishes(all), ["stop"])
      assert.isTrue(yield* Ref.get(isStopped))
    }))

  it.effect("end whole answers as well", () =>
    Effect.gen(function*() {
      const { choices: [first] } = yield* generate(saying(pieces), limited({ stop: ["four", "two"] }))
      assert.deepStrictEqual([first?.text, first?.finish], ["One, ", "stop"])
    }))

  it.effect("cost the same, streamed or not: what was shown", () =>
    Effect.gen(function*() {
      const model = saying([...words("One, t", "wo, th", "ree, four"), { _tag: "Usage", usage: told }, stop])
      const asked = limited({ stop: ["three"] })
      const total = (yield* collected(model, asked)).at(-1)
      assert.deepStrictEqual(total, { _tag: "Total", usage: (yield* generate(model, asked)).usage })
    }))

  it.effect("that are only told apart at the end end the answer all the same", () =>
    Effect.gen(function*() {
      const asked = limited({ stop: ["bc", "abcd"] })
      const all = yield* collected(saying([...words("x", "abc"), { _tag: "Finish", reason: "length" }]), asked)
      assert.deepStrictEqual([textOf(all), finishes(all)], ["xa", ["stop"]])
    }))

  it.effect("that are not met hold nothing back in the end", () =>
    Effect.gen(function*() {
      const all = yield* collected(saying(pieces), limited({ stop: ["four!"] }))
      assert.strictEqual(textOf(all), "One, two, three, four")
    }))
})

describe("text that may begin a stop sequence", () => {
  it.effect("is shown before a tool is asked for", () =>
    Effect.gen(function*() {
      const tool: Delta = { _tag: "ToolStart", index: 0, id: "call_1", name: "look" }
      const finish: Delta = { _tag: "Finish", reason: "tool_calls" }
      const all = yield* collected(saying([...words("a st"), tool, finish]), limited({ stop: ["stop"] }))
      const tags = all.flatMap((event) => event._tag === "Piece" ? [event.delta._tag] : [])
      assert.deepStrictEqual(tags, ["Text", "Text", "ToolStart", "Finish"])
    }))
})
