import { assert, describe, it } from "@effect/vitest"
import type { Model, Tool } from "trunkline"
import { call, reminder, withTrunkline } from "../Fixtures.js"

/** A model as JavaScript may give it. */
const modelOf = (model: object): { readonly model: Model } => ({ model })

describe("a plain model that asks for a tool", () => {
  const requests: ReadonlyArray<readonly [what: string, request: object, used: unknown]> = [
    ["with arguments as text", { arguments: "{\"people\":2}" }, { people: 2 }],
    ["with arguments as an object", { arguments: { people: 2 } }, { people: 2 }],
    ["without arguments", {}, {}]
  ]
  for (const [what, request, expected] of requests) {
    it(`${what} gets it, and the call ends`, () => {
      const used: Array<unknown> = []
      const find: Tool = {
        description: "Finds a table",
        name: "find_table",
        parameters: { type: "object" },
        run: async (given) => {
          used.push(given)
          return "8"
        }
      }
      const generate = async ({ messages }: { readonly messages: ReadonlyArray<{ readonly role: string }> }) =>
        messages.some(({ role }) => role === "tool")
          ? { text: "Goodbye.", toolRequests: [{ id: "2", name: "end_call" }] }
          : { toolRequests: [{ id: "1", name: "find_table", ...request }] }
      return withTrunkline(
        { agents: [{ ...reminder, tools: [find] }], ...modelOf({ generate }) },
        async (trunkline) => {
          const ended = await (await trunkline.calls.create(call)).ended
          assert.strictEqual(ended.failure_reason, null)
          assert.deepStrictEqual(used, [expected])
        }
      )
    })
  }
})

describe("a plain model whose answer makes no sense", () => {
  const answers: ReadonlyArray<readonly [what: string, answer: unknown, reason: RegExp]> = [
    ["a misspelt field", { txt: "x" }, /txt/],
    ["nothing", undefined, /makes no sense: it is nothing\./],
    ["an empty object", {}, /neither text nor toolRequests/],
    ["a number as text", { text: 5 }, /text: Must be a string\./],
    ["tools that are no list", { text: "", toolRequests: {} }, /toolRequests: /],
    ["a tool without a name", { toolRequests: [{ id: "1" }] }, /toolRequests\.0\.name: /]
  ]
  for (const [what, answer, reason] of answers) {
    it(`fails the call with its reason: ${what}`, () =>
      withTrunkline(modelOf({ generate: async () => answer }), async (trunkline) => {
        const { failure_reason } = await (await trunkline.calls.create(call)).ended
        assert.match(
          failure_reason ?? "",
          /^The language model could not answer: The model gave an answer that makes no /
        )
        assert.match(failure_reason ?? "", reason)
      }))
  }

  it("fails the call where its stream is none, or has other pieces", async () => {
    const streams: ReadonlyArray<readonly [() => unknown, RegExp]> = [
      [() => ({}), /not iterable: use an async generator/],
      [async function*() {
        yield { txt: "x" }
      }, /a piece of its stream is neither a text nor a delta/]
    ]
    for (const [stream, reason] of streams) {
      await withTrunkline(modelOf({ stream }), async (trunkline) => {
        assert.match((await (await trunkline.calls.create(call)).ended).failure_reason ?? "", reason)
      })
    }
  })
})
