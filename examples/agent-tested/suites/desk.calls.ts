import { defineSuite, expectCall, testAgent } from "trunkline/testing"
import { deskWith, prompt } from "../src/agent.js"
import { promptModel } from "../src/model.js"

const tools = { find_table: "Table 4 is free", book_table: "table 4 at seven, booked" }
const desk = testAgent(deskWith(prompt), { model: promptModel, tools })

export const suite = defineSuite({
  name: "The desk",
  runs: 3,
  tests: {
    "books a table": async () => {
      const call = await desk.call(async (caller) => {
        await caller.says("A table for 2, please.")
        await caller.says("Yes.")
      })
      expectCall(call).used("book_table", { table: 4 }, { times: 1 }).outcome("completed")
    },
    "connects nobody with the manager": async () => {
      const call = await desk.call((caller) => caller.says("Your manager, please."))
      expectCall(call).heard("cannot connect you").notUsed("book_table")
    }
  }
})
