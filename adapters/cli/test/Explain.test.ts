import { StoreBusy } from "@trunkline/kernel"
import { Cause } from "effect"
import { assert, describe, it } from "vitest"
import { explain } from "../src/Explain.js"

describe("the message of a failed command", () => {
  it("explains that another process keeps the database locked", () => {
    const { code, message } = explain(Cause.die(new StoreBusy()))
    assert.strictEqual(message, "another process keeps the database locked: try again when it is done")
    assert.strictEqual(code, 1)
  })
})
