import { createTrunkline, type PlainModel, type Tool } from "trunkline"

/** Requests of the two agents, one answer after the other. Any language model takes its place. */
const requests = [
  { name: "hand_over", arguments: { to: "billing", reason: "The caller wants to pay 40 rupees" } },
  { name: "collect_digits", arguments: { name: "card" } },
  { name: "pay", arguments: { amount: 40 } },
  { name: "end_call", arguments: {} }
]

const makeModel = (): PlainModel => {
  let count = 0
  return {
    generate: async () => {
      const { name, arguments: given } = requests[count++] ?? { name: "end_call", arguments: {} }
      return {
        text: name === "end_call" ? "It is paid. Goodbye." : "",
        toolRequests: [{ id: String(count), name, arguments: JSON.stringify(given) }]
      }
    }
  }
}

const pay: Tool = {
  name: "pay",
  description: "Pays with the card that the caller has entered",
  parameters: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  once: true,
  run: ({ amount }, { digits }) => `Paid ${String(amount)} with the card that ends in ${digits["card"]?.slice(-4)}`
}

/** The desk hands the call over to billing, which collects the digits of a card and pays. */
export const holdPayment = async (): Promise<void> => {
  const trunkline = await createTrunkline({
    data: ":memory:",
    logLevel: "error",
    model: makeModel(),
    agents: [{
      app_id: "desk",
      first_message: "Good evening, the restaurant.",
      hand_overs: [{ app_id: "billing", when: "The caller wants to pay", history: "last_turns" }]
    }, {
      app_id: "billing",
      name: "Vera",
      digit_entries: [{
        name: "card",
        description: "The 16 digits of the card",
        min: 16,
        max: 16,
        say: "Please enter the number of your card."
      }],
      tools: [pay]
    }],
    lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }]
  })
  await trunkline.deployments.create({
    name: "Desk",
    app_id: "desk",
    app_version: 1,
    connection_configs: [{ connection_id: "line", phone_numbers: ["+911140000001"] }]
  })
  const call = await trunkline.simulator.callIn({
    from: "+919876543210",
    to: "+911140000001",
    caller: ["I want to pay.", { press: "4111111111111111#" }, "Bye."]
  })
  const { transcript } = await call.ended
  for (const { app_id = "desk", en_text, role, tool_name } of transcript ?? []) {
    console.log(`${role === "agent" ? app_id : tool_name ?? role}: ${en_text}`)
  }
  await trunkline.close()
}
