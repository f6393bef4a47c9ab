import { assert, describe, it } from "@effect/vitest"
import type { PlainModel, TrunklineOptions } from "trunkline"
import { call, withTrunkline } from "../Fixtures.js"

const desk = "+911140000050"

/** Use of a tool: its name and its arguments. */
type Use = readonly [name: string, input: unknown]

/** A model that uses these tools one after the other, and then ends the call; `told` is what it is told. */
const using = (uses: ReadonlyArray<Use>) => {
  const told: Array<string> = []
  const model: PlainModel = {
    generate: async ({ messages }) => {
      const results = messages.flatMap((message) => message.role === "tool" ? [String(message.content)] : [])
      told.splice(0, Infinity, ...results)
      const [name, input] = uses[results.length] ?? ["end_call", {}]
      return {
        text: "One moment.",
        toolRequests: [{ id: String(results.length), name, arguments: JSON.stringify(input) }]
      }
    }
  }
  return { told, model }
}

/** The record of a call whose agent has these targets, with what its model was told. */
const held = async (
  fields: object,
  uses: ReadonlyArray<Use>,
  simulator: TrunklineOptions["simulator"] = {}
) => {
  const { model, told } = using(uses)
  const agents = [{ app_id: "reminder", first_message: "Hello", ...fields }]
  return withTrunkline(
    { agents, model, simulator: { speed: 250, default: ["Please connect me.", "Yes."], ...simulator } },
    async (trunkline) => {
      const { attempt_id, ended } = await trunkline.calls.create(call)
      const result = await ended
      const record = await trunkline.attempts.get(attempt_id)
      return { told, result, messages: record.transcript?.messages ?? [], record }
    }
  )
}

const transfer = ["transfer_call", { target: "desk", summary: "Asha asks for an invoice." }] as const

const transfers = [{ name: "desk", to: desk, description: "Invoices" }]

const warm = [{ ...transfers[0], kind: "warm", accept_key: "1", extension: "w12", mask_extension: true }]

describe("a transfer", () => {
  it("connects the caller with a number, and the agent leaves", async () => {
    const { messages, record, result } = await held({ transfers }, [transfer])
    const tool = messages.find(({ role }) => role === "tool")
    assert.deepInclude(tool?.transfer, {
      target: "desk",
      to: desk,
      kind: "blind",
      outcome: "transferred",
      reason: null,
      by: "provider",
      digits: null
    })
    assert.strictEqual(tool?.tool_outcome, "done")
    assert.strictEqual(result.completion_status, "completed")
    assert.strictEqual(record.ended_by, "AGENT_ENDS")
    assert.include(messages.map(({ en_text }) => en_text), "Please hold, I am connecting you.")
    assert.strictEqual(result.transcript?.find(({ role }) => role === "tool")?.transfer?.outcome, "transferred")
  })

  it("tells a person what the model has written, who takes the call with a key; keys of the extension are hidden", async () => {
    const { messages } = await held({ transfers: warm }, [transfer], {
      rules: [{ suffix: desk.slice(-4), callee: [{ press: "1" }] }]
    })
    const done = messages.find(({ role }) => role === "tool")?.transfer
    assert.deepInclude(done, { kind: "warm", outcome: "transferred", by: "bridge", digits: "w**" })
    assert.isNotNull(done?.answered_at)
  })

  it("brings the caller back when nobody takes the call, and the agent is told why", async () => {
    const { messages, record, told } = await held({ transfers }, [transfer], {
      rules: [{ suffix: desk.slice(-4), callee: "busy" }]
    })
    assert.match(told[0] ?? "", /^The line was busy\. The caller is with you again/)
    assert.deepInclude(messages.find(({ role }) => role === "tool"), { tool_outcome: "failed" })
    assert.strictEqual(record.completion_status, "completed")
  })

  it("to a target that the agent does not have is an argument that does not fit", async () => {
    const { messages, told } = await held({ transfers }, [["transfer_call", { target: "attic" }]])
    assert.match(told[0] ?? "", /^The arguments are wrong: target/)
    assert.isUndefined(messages.find(({ role }) => role === "tool")?.transfer)
  })
})

describe("keys", () => {
  it("are sent by the agent, with pauses", async () => {
    const { messages, told } = await held({ send_digits: true }, [["send_digits", { digits: "1w2#" }]])
    assert.deepStrictEqual(told, ["The keys were sent."])
    assert.deepInclude(messages.find(({ role }) => role === "tool"), {
      tool_name: "send_digits",
      tool_arguments: "{\"digits\":\"1w2#\"}"
    })
  })

  it("are no tool of an agent that was not given them", async () => {
    const { told } = await held({}, [["send_digits", { digits: "1" }]])
    assert.deepStrictEqual(told, ["There is no tool of this name."])
  })
})
