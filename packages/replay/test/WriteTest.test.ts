import { assert, describe, it } from "@effect/vitest"
import { writeTest } from "@trunkline/replay"
import { Effect } from "effect"
import { agentVersion, holdTraced, modelOf, readTrace, use } from "./Fixtures.js"

const version = agentVersion({
  prompt: "You book tables for {{name}}.",
  first_message: "Hello {{name}}, how can I help you with your table tonight?",
  output_variables: [{ name: "table", required: true }],
  tools: [{ name: "free_tables", description: "Finds free tables.", parameters: { type: "object" } }]
})

const model = modelOf(({ messages }) =>
  messages.at(-1)?.role === "tool"
    ? { text: "Booked for Asha. Goodbye.", ...use("end_call") }
    : use("free_tables", { people: 2 })
)

const handlers = { free_tables: () => Effect.succeed({ content: "table 4 for Asha", set: { table: 4 } }) }

const written = holdTraced({
  version,
  model,
  handlers,
  redact: [],
  brief: { agent_variables: { name: "Asha", account: 7788990 } },
  lines: [{ say: "I am Ravi Menon, my number is 98765 43210 and ravi@mail.in", interruptAt: 0.5 }]
})

describe("a test from a recorded call", () => {
  it.effect("has the caller, the answers and the outcome of the call", () =>
    Effect.gen(function*() {
      const text = writeTest(readTrace((yield* written).text), { from: "../src/desk.js" })
      assert.include(text, `import { agent } from "../src/desk.js"`)
      assert.include(text, "await caller.interrupts(")
      assert.include(text, `{ after: 1.7 }`)
      assert.include(text, `"free_tables": inOrder([toolOutput("table 4 for Kiran", {"table":4})])`)
      assert.include(
        text,
        `expectCall(call).outcome("completed").used("free_tables", {"people":2}).variables({"table":4})`
      )
    }))

  it.effect("has invented names, numbers and addresses in place of those of people, each the same everywhere", () =>
    Effect.gen(function*() {
      const { text: trace } = yield* written
      const text = writeTest(readTrace(trace))
      for (const secret of ["Asha", "Ravi", "Menon", "98765", "43210", "mail.in", "7788990"]) {
        assert.notInclude(text, secret)
      }
      assert.include(text, `"name":"Kiran"`)
      assert.include(text, "Booked for Kiran. Goodbye.")
      assert.include(text, "person1@example.com")
    }))

  it.effect("has values for the placeholders of a redacted trace", () =>
    Effect.gen(function*() {
      const { text } = yield* holdTraced({
        version,
        model,
        handlers,
        redact: [{ variable: "name" }, "phone_numbers"],
        brief: { agent_variables: { name: "Asha" } },
        lines: ["call me at +91 98765 43210"]
      })
      const test = writeTest(readTrace(text))
      assert.notMatch(test, /\[(?:name|phone) \d\]/)
      assert.include(test, "+91980000000")
    }))
})
