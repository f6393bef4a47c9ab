import { type AgentOptions, type PlainModel, toolOutput } from "trunkline"
import { CallError, expectCall, slowTool, testAgent } from "trunkline/testing"
import { assert, describe, it } from "vitest"

const agent: AgentOptions = {
  app_id: "desk",
  first_message: "Hello {{name}}, how can I help?",
  output_variables: [{ name: "table", required: true }],
  tools: [{
    name: "find_table",
    description: "Finds a free table",
    parameters: { type: "object", properties: { people: { type: "integer" } }, required: ["people"] },
    run: () => {
      throw new Error("the real one runs")
    }
  }]
}

const lastOf = (messages: Parameters<NonNullable<PlainModel["generate"]>>[0]["messages"]) => messages.at(-1)

/** Finds a table for as many as the caller says, and says goodbye after thanks. */
const model: PlainModel = {
  generate: async ({ messages }) => {
    const last = lastOf(messages)
    const words = typeof last?.content === "string" ? last.content : ""
    if (last?.role === "tool") return `${words}. Anything else?`
    if (words.includes("thanks")) {
      return { text: "Goodbye.", toolRequests: [{ id: "1", name: "end_call", arguments: "{}" }] }
    }
    const people = /for (\d)/.exec(words)?.[1]
    if (people === undefined) return "For how many people is the table?"
    return {
      text: "",
      toolRequests: [{ id: "2", name: "find_table", arguments: JSON.stringify({ people: Number(people) }) }]
    }
  }
}

const findTable = ({ people }: Readonly<Record<string, unknown>>) =>
  toolOutput(`Table 4 for ${String(people)} is free`, { table: 4 })

/** Message of the rejection of a promise. */
const messageOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return "no error"
}

describe("an agent under test", () => {
  const desk = testAgent(agent, { model, tools: { find_table: findTable }, variables: { name: "Asha" } })

  it("holds a call with a scripted caller, and tells what happened", async () => {
    const call = await desk.call(async (caller) => {
      await caller.hears("Hello Asha")
      await caller.says("A table for 2, please.")
      await caller.hears(/table 4/i)
      await caller.says("No, thanks.")
    })
    expectCall(call)
      .turns(
        "agent: Hello Asha, how can I help?",
        "caller: A table for 2, please.",
        "tool: find_table",
        "agent: Table 4 for 2 is free. Anything else?",
        "caller: No, thanks.",
        "agent: Goodbye."
      )
      .inOrder("caller: table for 2", "tool: find_table", "agent: table 4")
      .heard("table 4", "goodbye").neverSaid("manager")
      .used("find_table", { people: 2 }, { times: 1 })
      .gaps({ most: 1 })
      .outputs({ table: 4 }).variables({ name: /^A/ })
      .outcome("completed").endedBy("agent").language("English").lasted({ most: 30 })
    assert.strictEqual(call.startedAt, "2026-01-05T04:30:00.000Z")
    assert.match(call.model[0]?.system ?? "", /The call began at 2026-01-05T04:30/)
  })

  it("holds the same call with sound", async () => {
    const call = await desk.call(async (caller) => {
      await caller.hears("Hello Asha")
      await caller.says("A table for 2, please.")
      await caller.interrupts("No, thanks.", { after: 1 })
    }, { sound: true })
    expectCall(call).inOrder(
      "agent: Hello Asha",
      "tool: find_table",
      "agent: Table 4",
      "caller: No, thanks.",
      "agent: Goodbye."
    )
      .gaps({ least: 0.2, most: 1 }).endedBy("agent")
  })

  it("shows the call and the place of what is not as expected", async () => {
    const call = await desk.call((caller) => void caller.says("A table for 2, please."))
    try {
      expectCall(call).used("find_table", { people: 3 })
      assert.fail("nothing is thrown")
    } catch (error) {
      assert.instanceOf(error, CallError)
      assert.strictEqual(
        error.message,
        [
          `The tool find_table was used with {"people":2}, and not with {"people":3}.`,
          "",
          "The call of 2026-01-05T04:30:00.000Z, in seconds since the answer (seed 1):",
          "    0.0 agent   Hello Asha, how can I help?",
          "    2.3 caller  A table for 2, please.",
          `>   3.8 tool    find_table({"people":2}) → Table 4 for 2 is free`,
          `       ^ The tool find_table was used with {"people":2}, and not with {"people":3}.`,
          "    3.8 agent   Table 4 for 2 is free. Anything else?",
          `    9.3 end     ended by the caller, partial, outputs {"table":4}`
        ].join("\n")
      )
    }
  })

  it("rejects when the caller does not hear some words, and says what they heard", async () => {
    const message = await messageOf(desk.call(async (caller) => {
      await caller.says("A table, please.")
      await caller.hears("table 4", { within: 5 })
    }))
    assert.match(message, /^The caller did not hear "table 4" within 5 s\. Its last words were "For how many people/)
  })

  it("lets slow tools take virtual time, in which the agent asks for a moment", async () => {
    const slow = testAgent(agent, { model, tools: { find_table: slowTool(8, findTable) }, variables: { name: "Asha" } })
    const call = await slow.call(async (caller) => {
      await caller.says("A table for 2, please.")
      await caller.hears("table 4")
    })
    expectCall(call).inOrder("tool: find_table", "agent: One moment", "agent: Table 4")
    const [use] = call.turns.filter(({ role }) => role === "tool")
    assert.closeTo((use?.to ?? 0) - (use?.from ?? 0), 8, 0.01)
  })

  it("tells tools of the test what time it is, and waits in real time for what they do", async () => {
    const times: Array<string> = []
    const timed = testAgent(agent, {
      model,
      variables: { name: "Asha" },
      at: "2026-11-30T09:00+05:30",
      tools: {
        find_table: async (_input: unknown, { now }: { readonly now: Date }) => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          times.push(now.toISOString().slice(0, 16))
          return "Table 1"
        }
      }
    })
    const call = await timed.call((caller) => void caller.says("A table for 2, please."))
    assert.deepStrictEqual(times, ["2026-11-30T03:30"])
    expectCall(call).inOrder("tool: find_table", "agent: Table 1")
  })
})
