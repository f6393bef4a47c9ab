import { assert, describe, it } from "@effect/vitest"
import { appendDelta, type Delta, emptyCompletion, type ToolRequest } from "@trunkline/models"
import { FastCheck } from "effect"
import { reading, written } from "./fixtures/Reading.js"
import { chunk } from "./fixtures/Wire.js"

/** The calls that one answer comes to, a list of fragments in each of its chunks. */
const calls = (
  fragments: ReadonlyArray<ReadonlyArray<unknown>>,
  { finish = "tool_calls", toolIds = [] }: { readonly finish?: string; readonly toolIds?: ReadonlyArray<string> } = {}
) => {
  const chunks = fragments.map((tool_calls) => chunk({ tool_calls }))
  const { deltas, isWhole } = reading([...chunks, chunk({}, finish)], { toolIds })
  assert.isTrue(isWhole)
  return deltas.reduce(appendDelta, emptyCompletion)
}

const call = (id: string, name: string, text: string): ToolRequest => ({ id, name, arguments: text })

const fragment = (index: unknown, id: unknown, name: unknown, text: unknown) => ({
  index,
  id,
  type: "function",
  function: { name, arguments: text }
})

const pune = "{\"city\":\"Pune\"}"
const agra = "{\"city\":\"Agra\"}"

const two = [call("a", "weather", pune), call("b", "weather", agra)]

describe("tool calls of an upstream", () => {
  const cases: Readonly<Record<string, ReadonlyArray<ReadonlyArray<unknown>>>> = {
    "one after the other, as they should come": [
      [fragment(0, "a", "weather", "")],
      [{ index: 0, function: { arguments: "{\"city\":" } }],
      [{ index: 0, function: { arguments: "\"Pune\"}" } }],
      [fragment(1, "b", "weather", "")],
      [{ index: 1, function: { arguments: agra } }]
    ],
    "mixed": [
      [fragment(0, "a", "weather", "{\"city\":"), fragment(1, "b", "weather", "{")],
      [{ index: 1, function: { arguments: "\"city\":" } }, { index: 0, function: { arguments: "\"Pune\"}" } }],
      [{ index: 1, function: { arguments: "\"Agra\"}" } }]
    ],
    "whole in one chunk each": [[fragment(0, "a", "weather", pune)], [fragment(1, "b", "weather", agra)]],
    "whole in one chunk together": [[fragment(0, "a", "weather", pune), fragment(1, "b", "weather", agra)]],
    "with the index 0 for all": [
      [fragment(0, "a", "weather", "{\"city\":")],
      [{ index: 0, function: { arguments: "\"Pune\"}" } }],
      [fragment(0, "b", "weather", "")],
      [{ index: 0, function: { arguments: agra } }]
    ],
    "without an index": [
      [{ id: "a", function: { name: "weather", arguments: "{\"city\":" } }],
      [{ function: { arguments: "\"Pune\"}" } }],
      [{ id: "b", function: { name: "weather", arguments: agra } }]
    ],
    "with a null index and mixed, told apart by id": [
      [fragment(null, "a", "weather", "{\"city\":")],
      [fragment(null, "b", "weather", "{\"city\":")],
      [fragment(null, "a", null, "\"Pune\"}"), fragment(null, "b", null, "\"Agra\"}")]
    ],
    "with indexes that begin anywhere": [[fragment(7, "a", "weather", pune)], [fragment(3, "b", "weather", agra)]],
    "with id and name in every fragment": [
      [fragment(0, "a", "weather", "{\"city\":")],
      [fragment(0, "a", "weather", "\"Pune\"}")],
      [fragment(1, "b", "weather", "{\"city\":")],
      [fragment(1, "b", "weather", "\"Agra\"}")]
    ],
    "with the name after the id": [
      [fragment(0, "a", "", "")],
      [{ index: 0, function: { name: "weather", arguments: pune } }],
      [fragment(1, "b", undefined, undefined)],
      [{ index: 1, function: { name: "weather", arguments: agra } }]
    ],
    "with arguments before the name": [
      [fragment(0, "a", "", "{\"city\":")],
      [{ index: 0, function: { name: "weather", arguments: "\"Pune\"}" } }],
      [fragment(1, "b", "weather", agra)]
    ],
    "with another id in every fragment": [
      [fragment(0, "a", "weather", "{\"city\":")],
      [fragment(0, "a2", null, "\"Pune\"}")],
      [fragment(1, "b", "weather", "{\"city\":")],
      [fragment(1, "b2", null, "\"Agra\"}")]
    ],
    "with arguments that are objects": [
      [fragment(0, "a", "weather", { city: "Pune" })],
      [fragment(1, "b", "weather", { city: "Agra" })]
    ],
    "without the object around the function": [
      [{ id: "a", name: "weather", arguments: pune }, { id: "b", name: "weather", arguments: agra }]
    ]
  }
  for (const [name, fragments] of Object.entries(cases)) {
    it(`are understood: ${name}`, () => {
      assert.deepStrictEqual(calls(fragments).toolRequests, two)
    })
  }

  it("are numbered from 0 in order of their start, and passed as they arrive", () => {
    assert.deepStrictEqual(
      written([
        chunk({ tool_calls: [fragment(4, "a", "weather", "{"), fragment(2, "b", "dice", "")] }),
        chunk({ tool_calls: [{ index: 2, function: { arguments: "{}" } }, { index: 4, function: { arguments: "}" } }] })
      ]),
      [
        { _tag: "ToolStart", index: 0, id: "a", name: "weather" },
        { _tag: "ToolArgs", index: 0, text: "{" },
        { _tag: "ToolStart", index: 1, id: "b", name: "dice" },
        { _tag: "ToolArgs", index: 1, text: "{}" },
        { _tag: "ToolArgs", index: 0, text: "}" }
      ]
    )
  })

  it("get ids if they have none, numbered after those of the conversation", () => {
    const without = [[fragment(0, "", "weather", pune)], [fragment(1, null, "weather", agra)]]
    assert.deepStrictEqual(calls(without).toolRequests, [
      call("call_1", "weather", pune),
      call("call_2", "weather", agra)
    ])
    assert.deepStrictEqual(calls(without, { toolIds: ["call_1", "call_4"] }).toolRequests.map(({ id }) => id), [
      "call_3",
      "call_5"
    ])
  })

  it("get new ids if theirs are used in the response or the conversation", () => {
    assert.deepStrictEqual(
      calls([[fragment(0, "call_0", "weather", pune)], [fragment(1, "call_0", "dice", "{}")]], { toolIds: ["call_0"] })
        .toolRequests,
      [call("call_2", "weather", pune), call("call_3", "dice", "{}")]
    )
  })

  it("are separated without ids and indexes when a name is repeated after whole arguments", () => {
    const toolCalls = (name: string, text: string) => [{ function: { name, arguments: text } }]
    const expectedCalls = [call("call_1", "weather", pune), call("call_2", "weather", agra)]
    assert.deepStrictEqual(calls([toolCalls("weather", pune), toolCalls("weather", agra)]).toolRequests, expectedCalls)
    assert.deepStrictEqual(
      calls([toolCalls("weather", "{\"city\":"), toolCalls("weather", "\"Pune\"}"), toolCalls("weather", agra)])
        .toolRequests,
      expectedCalls
    )
    const nested = "{\"in\":{\"text\":\"a } \\\" ]\"}}"
    assert.deepStrictEqual(
      calls([toolCalls("weather", "{\"in\":"), toolCalls("weather", nested.slice(6))]).toolRequests,
      [call("call_1", "weather", nested)]
    )
  })

  it("have {} for arguments that are missing, null or blank", () => {
    for (const text of ["", null, undefined]) {
      assert.deepStrictEqual(calls([[fragment(0, "a", "dice", text)]]).toolRequests, [call("a", "dice", "{}")])
    }
    assert.strictEqual(calls([[fragment(0, "a", "dice", " ")]]).toolRequests[0]?.arguments, " {}")
  })

  it("keep their fragment in a truncated response", () => {
    for (const [upstream, finish] of [["length", "length"], ["content_filter", "content_filter"]] as const) {
      const cut = calls([[fragment(0, "a", "weather", "{\"ci")], [fragment(1, "b", "dice", "")]], { finish: upstream })
      assert.deepStrictEqual(cut.toolRequests, [call("a", "weather", "{\"ci"), call("b", "dice", "")])
      assert.strictEqual(cut.finish, finish)
    }
  })

  it("may be a legacy function_call", () => {
    const { deltas } = reading([
      chunk({ function_call: { name: "weather", arguments: "" } }),
      chunk({ function_call: { arguments: "{\"city\":" } }),
      chunk({ function_call: { arguments: "\"Pune\"}" } }),
      chunk({}, "function_call")
    ])
    const { finish, toolRequests } = deltas.reduce(appendDelta, emptyCompletion)
    assert.deepStrictEqual(toolRequests, [call("call_1", "weather", pune)])
    assert.strictEqual(finish, "tool_calls")
  })

  it("determine the finish reason: stop with calls is tool_calls, and tool_calls without is stop", () => {
    assert.strictEqual(calls([[fragment(0, "a", "dice", "{}")]], { finish: "stop" }).finish, "tool_calls")
    assert.strictEqual(calls([], { finish: "tool_calls" }).finish, "stop")
  })

  it("fail without a name, unless the response was truncated", () => {
    const nameless = chunk({ tool_calls: [fragment(0, "a", "", "{}")] })
    assert.isFalse(reading([nameless, chunk({}, "tool_calls")]).isWhole)
    assert.deepStrictEqual(reading([nameless, chunk({}, "length")]).deltas, [{ _tag: "Finish", reason: "length" }])
  })

  it("that are not objects are ignored", () => {
    assert.deepStrictEqual(calls([[null, 1, "call", []], [fragment(0, "a", "dice", "{}")]]).toolRequests, [
      call("a", "dice", "{}")
    ])
  })

  it("of many fragments without id take linear time", () => {
    const callChunk = (text: string) => chunk({ tool_calls: [{ function: { name: "f", arguments: text } }] })
    const workFor = (fragments: number): number => {
      const chunks = [callChunk("{\"a\":\""), ...Array.from({ length: fragments }, () => callChunk("{}"))]
      const before = process.cpuUsage()
      written(chunks)
      return process.cpuUsage(before).user
    }
    const leastFor = (fragments: number) => Math.min(...Array.from({ length: 3 }, () => workFor(fragments)))
    leastFor(20_000)
    assert.isBelow(leastFor(160_000) / leastFor(20_000), 8 * 4)
  })

  it.prop(
    "are always well formed",
    [FastCheck.array(FastCheck.record({
      index: FastCheck.constantFrom(0, 1, null, undefined, "0"),
      id: FastCheck.constantFrom("a", "b", "", null, undefined, 7),
      function: FastCheck.record({
        name: FastCheck.constantFrom("f", "g", "", null, undefined),
        arguments: FastCheck.constantFrom("", "{", "}", "{}", "{\"a\":1}", "\uD83D", null, undefined, { a: 1 }, 3)
      })
    }, { requiredKeys: [] }))],
    ([fragments]) => {
      const { deltas } = reading([...fragments.map((one) => chunk({ tool_calls: [one] })), chunk({}, "length")])
      const started = deltas.filter((delta): delta is Delta & { _tag: "ToolStart" } => delta._tag === "ToolStart")
      assert.deepStrictEqual(started.map(({ index }) => index), started.map((_, index) => index))
      assert.strictEqual(new Set(started.map(({ id }) => id)).size, started.length)
      assert.isTrue(started.every(({ id, name }) => id !== "" && name !== ""))
      let open = 0
      for (const delta of deltas) {
        if (delta._tag === "ToolStart") open++
        if (delta._tag === "ToolArgs") {
          assert.isBelow(delta.index, open)
          assert.notMatch(delta.text, /\p{Surrogate}/u)
        }
      }
      assert.deepStrictEqual(deltas.at(-1), { _tag: "Finish", reason: "length" })
    }
  )
})
