import { assert, describe, it } from "@effect/vitest"
import { type AgentOptions, createTrunkline, type PlainModel, type Tool } from "trunkline"
import { call, line, withTrunkline } from "../Fixtures.js"

/** The message of an error of a start with these agents. */
const problemOf = async (agents: ReadonlyArray<AgentOptions>): Promise<string> => {
  try {
    await (await createTrunkline({ data: ":memory:", agents, lines: [line] })).close()
    return "none"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A model that asks for these tools, one after the other, and then ends the call. */
const asking = (...requests: ReadonlyArray<readonly [name: string, input: object]>): PlainModel => {
  let count = 0
  return {
    generate: async () => {
      const [name, input] = requests[count++] ?? ["end_call", {}]
      return { text: "", toolRequests: [{ id: String(count), name, arguments: JSON.stringify(input) }] }
    }
  }
}

const billing = { app_id: "billing", name: "Vera", prompt: "You settle invoices." } as const

describe("what agents do in a call", () => {
  it("hands it over, takes digits for a function, and leaves no digit in the record", async () => {
    const seen: Array<unknown> = []
    const pay: Tool = {
      name: "pay",
      description: "Pays",
      run: (_input, { app_id, digits }) => {
        seen.push([app_id, digits])
        return `Paid with ${digits["card"]}`
      }
    }
    await withTrunkline({
      model: asking(["hand_over", { to: "billing", reason: "To pay" }], ["collect_digits", { name: "card" }], [
        "pay",
        {}
      ]),
      agents: [
        { app_id: "reminder", first_message: "Hello", hand_overs: [{ app_id: "billing", when: "They pay" }] },
        { ...billing, digit_entries: [{ name: "card", description: "The card", min: 6, max: 6 }], tools: [pay] }
      ],
      simulator: { speed: 250, default: ["I pay", { press: "424242#" }] }
    }, async (trunkline) => {
      const { attempt_id, ended } = await trunkline.calls.create(call)
      const { transcript } = await ended
      assert.deepStrictEqual(seen, [["billing", { card: "424242" }]])
      assert.notInclude(JSON.stringify(transcript), "424242")
      assert.deepInclude(transcript?.find(({ tool_name }) => tool_name === "hand_over")?.handed_over, {
        from_app_id: "reminder",
        to_app_id: "billing",
        history: "keep",
        reason: "To pay"
      })
      assert.strictEqual(transcript?.at(-1)?.app_id, "billing")
      const record = await trunkline.attempts.get(attempt_id)
      assert.notInclude(JSON.stringify(record), "424242")
      const messages = record.transcript?.messages ?? []
      assert.strictEqual(messages.find(({ tool_name }) => tool_name === "hand_over")?.handed_over?.to_app_id, "billing")
      assert.strictEqual(messages.at(-1)?.app_id, "billing")
    })
  })

  it("stops the start where a hand-over names an agent, a version or a state that does not exist", async () => {
    const desk = (handOver: object) => [{ app_id: "desk", hand_overs: [{ when: "They pay", ...handOver }] }, billing]
    const problem = (handOver: object) => problemOf(desk(handOver) as ReadonlyArray<AgentOptions>)
    assert.include(
      await problem({ app_id: "biling" }),
      "agents.0.hand_overs.0.app_id: There is no agent biling; did you mean billing?"
    )
    assert.include(
      await problem({ app_id: "billing", app_version: 7 }),
      "agents.0.hand_overs.0.app_version: The agent billing has no version 7"
    )
    assert.include(
      await problem({ app_id: "billing", initial_state_name: "late" }),
      "agents.0.hand_overs.0.initial_state_name: The agent billing has no states"
    )
    assert.include(
      await problem({ app_id: "desk" }),
      "agents.0.hand_overs.0.app_id: An agent cannot hand a call over to itself"
    )
  })
})
