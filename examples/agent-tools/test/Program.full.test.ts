import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { bundled } from "../../../test/programs/Programs.js"

const program = await bundled("examples/agent-tools/src/main.ts")

describe("the example of an agent with tools", () => {
  it("books through an MCP server's tool, and its record tells it", () => {
    const { stderr, stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    assert.includeMembers(stdout.split("\n"), [
      "book_table (done): Table 4 for 2 at 20:00",
      "agent: Done: Table 4 for 2 at 20:00. Goodbye."
    ])
  })

  it("hands a payment over to an agent that collects a card, which its record does not show", () => {
    const { stderr, stdout } = spawnSync(process.execPath, [program, "payment"], { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    assert.notInclude(stdout, "4111111111111111")
    assert.includeMembers(stdout.split("\n"), [
      "hand_over: Handed over from desk to billing.",
      "billing: Please enter the number of your card.",
      "collect_digits: The caller has entered 16 digits.",
      "pay: Paid 40 with the card that ends in 1111",
      "billing: It is paid. Goodbye."
    ])
  })
})
