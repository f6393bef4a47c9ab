import { StoreBusy } from "@trunkline/kernel"
import { Cause } from "effect"
import { assert, describe, it } from "vitest"
import { explain } from "../src/Explain.js"

describe("what a command tells when it cannot be carried out", () => {
  it("is that another process keeps the database locked, and what to do about it", () => {
    const { code, message } = explain(Cause.die(new StoreBusy()))
    assert.strictEqual(message, "another process keeps the database locked: try again when it is done")
    assert.strictEqual(code, 1)
  })
})
