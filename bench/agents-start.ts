import { testAgent } from "trunkline/testing"

/** Program of a test file: it loads the harness, and holds a call. */
const desk = testAgent({ app_id: "desk", first_message: "Hello, how can I help?" }, {
  model: { generate: async () => "Fine." }
})
const { turns } = await desk.call((caller) => caller.says("How are you?"))
console.log(`${turns.length} turns`)
