// A program with a test of an agent in sound, outside of any test runner: it prints what the caller has heard.
import { testAgent } from "trunkline/testing"

const desk = testAgent({ app_id: "desk", first_message: "Hello, how can I help?" }, {
  model: { generate: async () => "We open at nine." }
})
const { turns } = await desk.call(async (caller) => {
  await caller.says("When do you open?")
  await caller.hears("nine")
  await caller.hangsUp()
}, { sound: true })
console.log(turns.flatMap((turn) => turn.role === "tool" || turn.text === "" ? [] : [turn.text]).join("|"))
