import { CallError, expectCall, showCall, testAgent } from "trunkline/testing"
import { deskWith, prompt, quickPrompt } from "./agent.js"
import { promptModel } from "./model.js"

const tools = { find_table: "Table 4 is free", book_table: "table 4 at seven, booked" }

/** A caller who asks for a table and does not want it. */
const asks = async (prompt: string): Promise<void> => {
  const call = await testAgent(deskWith(prompt), { model: promptModel, tools }).call(async (caller) => {
    await caller.says("Is there a table for 2?")
    await caller.says("No, thanks.")
  })
  expectCall(call).notUsed("book_table")
  console.log(showCall(call))
}

await asks(prompt)
console.log("\nThe same test, after a change of the prompt:\n")
await asks(quickPrompt).catch((error: unknown) => console.log(error instanceof CallError ? error.message : error))
