import { createTrunkline, type PlainModel } from "trunkline"
import { holdPayment } from "./payment.js"
import { serveTables } from "./tables.js"

/** A model that asks for the tool, and then says what it answered. Any language model takes its place. */
const model: PlainModel = {
  generate: async ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === "tool") return { text: `Done: ${String(last.content)}. Goodbye.` }
    return last?.role === "user" && String(last.content).includes("table")
      ? { toolRequests: [{ id: "1", name: "book_table", arguments: JSON.stringify({ people: 2, time: "20:00" }) }] }
      : { text: "Thank you.", toolRequests: [{ id: "2", name: "end_call", arguments: "{}" }] }
  }
}

const holdCall = async (): Promise<void> => {
  const [, program = ""] = process.argv
  const trunkline = await createTrunkline({
    data: ":memory:",
    logLevel: "error",
    model,
    mcpServers: [{
      name: "tables",
      command: process.execPath,
      args: [...process.execArgv, program, "tables"],
      connect_seconds: 60,
      tools: [{ name: "book_table", once: true, timeout_seconds: 5, filler: "I am looking for a free table." }]
    }],
    agents: [{ app_id: "desk", first_message: "Good evening, the restaurant.", mcp_servers: ["tables"] }],
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
    caller: ["A table for two at eight, please.", "Bye."]
  })
  const { transcript } = await call.ended
  for (const { en_text, role, tool_name, tool_outcome } of transcript ?? []) {
    console.log(`${tool_name === undefined ? role : `${tool_name} (${tool_outcome})`}: ${en_text}`)
  }
  await trunkline.close()
}

if (process.argv[2] === "tables") serveTables()
else if (process.argv[2] === "payment") await holdPayment()
else await holdCall()
