import type { AgentOptions } from "trunkline"
import { CallError, expectCall, testCampaign } from "trunkline/testing"
import { assert, describe, it } from "vitest"
// Loaded here, since that takes longer than a test may.
import "../../../src/testing/campaigns/TestCampaign.js"

const agent: AgentOptions = {
  app_id: "reminder",
  first_message: "Hello {{name}}, your bill of {{amount}} rupees is due. Will you pay it today?",
  tools: [{
    name: "note_promise",
    description: "Notes a promise",
    run: () => Promise.reject(new Error("the real one runs"))
  }]
}

const model = {
  generate: async (
    { messages }: { readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }> }
  ) => {
    const last = messages.at(-1)
    if (last?.role === "tool") {
      return { text: "Thank you. Goodbye.", toolRequests: [{ id: "2", name: "end_call", arguments: "{}" }] }
    }
    return {
      text: "",
      toolRequests: [{ id: "1", name: "note_promise", arguments: JSON.stringify({ words: last?.content }) }]
    }
  }
}

const contacts = [
  { phone: "+919800000001", variables: { name: "Asha", amount: 300 } },
  { phone: "+919800000002", variables: { name: "Ravi, Jr.", amount: 50 } }
]

describe("a campaign under test", () => {
  it("dials its contacts in virtual time, retries, and returns its calls", async () => {
    const { calls, dials, status } = await testCampaign(agent, {
      contacts,
      model,
      tools: { note_promise: "noted" },
      at: "2026-11-30T18:00+05:30",
      answers: ({ phone }, attempt) =>
        phone.endsWith("2") && attempt === 1 ? "busy" : async (caller) => {
          await caller.hears("pay it today")
          await caller.says("Yes, today.")
        },
      campaign: {
        allowed_schedule: {
          allowed_start_time: "09:00",
          allowed_end_time: "19:00",
          timezone: "Asia/Kolkata",
          allowed_days: ["Monday", "Tuesday", "Wednesday"]
        },
        app_config: { retry_config: { max_retries: 2, retry_interval_minutes: 20 } }
      }
    })
    assert.strictEqual(status, "ended")
    assert.deepStrictEqual(
      dials.map((
        { attempt, at, contact, ended }
      ) => [contact.phone.slice(-1), attempt, at.slice(0, 16), ended.connectivity_status]),
      [
        ["1", 1, "2026-11-30T12:30", "connected"],
        ["2", 1, "2026-11-30T12:30", "busy"],
        ["2", 2, "2026-11-30T12:50", "connected"]
      ]
    )
    assert.deepStrictEqual(dials.map(({ call }) => call === null), [false, true, false])
    assert.strictEqual(calls.length, 2)
    for (const call of calls) {
      expectCall(call).inOrder("agent: your bill", "caller: Yes", "tool: note_promise", "agent: Goodbye").outcome(
        "completed"
      )
        .used("note_promise", { words: "Yes, today." }, { times: 1 }).endedBy("agent")
    }
    assert.match(JSON.stringify(calls[1]?.turns[0]), /Hello Ravi, Jr\., your bill of 50 rupees/)
  })

  it("rejects when the script of a contact does, with the call", async () => {
    const campaign = testCampaign(agent, {
      contacts,
      model,
      tools: { note_promise: "noted" },
      answers: () => (caller) => caller.hears("your prize", { within: 4 })
    })
    const error: unknown = await campaign.catch((error: unknown) => error)
    assert.instanceOf(error, CallError)
    assert.match(String(error), /The caller did not hear "your prize" within 4 s\./)
  })

  it("tells what is wrong with its options", async () => {
    const messageOf = async (options: Partial<Parameters<typeof testCampaign>[1]>): Promise<string> =>
      String(
        await testCampaign(agent, { contacts, model, tools: { note_promise: "" }, answers: () => "busy", ...options })
          .catch((error: unknown) => error)
      )
    assert.match(
      await messageOf({ contacts: [{ phone: "98" }] }),
      /testCampaign: contacts\.0\.phone: "98" is no number/
    )
    assert.match(
      await messageOf({ contacts: [...contacts, ...contacts] }),
      /contacts\.2\.phone: \+919800000001 is given twice/
    )
    const campaign = { app_config: { retry_config: { max_retries: -1, retry_interval_minutes: 5 } } }
    assert.match(await messageOf({ campaign }), /testCampaign: campaign\.app_config\.retry_config\.max_retries: /)
  })
})
