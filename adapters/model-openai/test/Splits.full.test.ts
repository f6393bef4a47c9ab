import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import type { Delta } from "@trunkline/models"
import { FastCheck } from "effect"
import type { AnswerOptions } from "../src/answer/Answer.js"
import { makeStreamReader } from "../src/answer/AnswerReader.js"
import { chunk, usageChunk, words } from "./fixtures/Wire.js"

const options: AnswerOptions = { reasoningIn: "reasoning_content", logprobs: undefined, toolIds: [] }

const read = (pieces: ReadonlyArray<Uint8Array>) => {
  const reader = makeStreamReader(options)
  const deltas: Array<Delta> = []
  for (const piece of pieces) reader.push(piece, deltas)
  reader.end(deltas)
  assert.strictEqual(reader.state(), "whole")
  return deltas
}

const frames = [
  chunk({ role: "assistant", content: "" }),
  chunk({ reasoning_content: "सोचो…" }),
  words("नमस्ते "),
  words("👩‍👩‍👧 ଓଡ଼ିଆ"),
  words("a\u2028b\uFFFDc\r\n"),
  chunk({ tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "f", arguments: "" } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: "{\"ü\":\"😀" } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: "\"}" } }] }),
  chunk({}, "tool_calls"),
  usageChunk()
].map((frame) => JSON.stringify(frame))

const recorded = (end: string, { bom = "", last = end + end } = {}) =>
  new TextEncoder().encode([
    `${bom}: hello${end}`,
    ...frames.map((frame, place) =>
      place % 3 === 0
        ? `event: message${end}data: ${frame.slice(0, 1)}${end}data:${frame.slice(1)}${end}${end}: ping${end}${end}`
        : `data: ${frame}${end}${end}`
    ),
    `data: [DONE]${last}`
  ].join(""))

const streams = {
  LF: recorded("\n"),
  CRLF: recorded("\r\n"),
  CR: recorded("\r"),
  "LF with a byte order mark": recorded("\n", { bom: "\uFEFF" }),
  "CR with a byte order mark and no last end of line": recorded("\r", { bom: "\uFEFF", last: "" })
}

const expected = read([streams.LF])

describe("the pieces of a recorded stream", () => {
  it("are the recorded ones", () => {
    assert.deepStrictEqual(expected.filter(({ _tag }) => _tag === "Text"), [
      { _tag: "Text", text: "नमस्ते " },
      { _tag: "Text", text: "👩‍👩‍👧 ଓଡ଼ିଆ" },
      { _tag: "Text", text: "a\u2028b\uFFFDc\r\n" }
    ])
    assert.lengthOf(expected, 9)
  })

  for (const [name, bytes] of Object.entries(streams)) {
    it(`are the same wherever it is cut in two: ${name}`, () => {
      for (let offset = 0; offset <= bytes.length; offset++) {
        assert.deepStrictEqual(read([bytes.subarray(0, offset), bytes.subarray(offset)]), expected, `cut at ${offset}`)
      }
    })

    it(`are the same when its bytes come one by one: ${name}`, () => {
      assert.deepStrictEqual(read(Array.from(bytes, (byte) => Uint8Array.of(byte))), expected)
    })
  }

  it.prop(
    "are the same for any split",
    [
      FastCheck.constantFrom(...Object.values(streams)),
      FastCheck.array(FastCheck.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })
    ],
    ([bytes, shares]) => {
      const cuts = [0, ...shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length]
      const pieces = cuts.slice(1).map((cut, place) => bytes.subarray(cuts[place], cut))
      assert.deepStrictEqual(read(pieces), expected)
    }
  )

  it.prop(
    "are well formed, or end with a failure, when the stream is damaged anywhere",
    [FastCheck.nat(streams.LF.length - 1), FastCheck.uint8Array({ maxLength: 6 })],
    ([place, damage]) => {
      const reader = makeStreamReader(options)
      const deltas: Array<Delta> = []
      const { LF } = streams
      for (const piece of [LF.subarray(0, place), damage, LF.subarray(place + damage.length)]) {
        reader.push(piece, deltas)
      }
      reader.end(deltas)
      const state = reader.state()
      assert.isTrue(state === "whole" || typeof state === "object")
      const ends = deltas.filter(({ _tag }) => _tag === "Finish").length
      assert.strictEqual(ends, state === "whole" ? 1 : 0)
      assert.notMatch(JSON.stringify(deltas), /\\ud[89a-f]/i)
    },
    { fastCheck: { numRuns: propertyRuns(500) } }
  )
})
