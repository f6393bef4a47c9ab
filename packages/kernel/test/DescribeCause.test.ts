import { assert, describe, it } from "@effect/vitest"
import { Cause } from "effect"
import { describeCause } from "../src/index.js"

describe("what is logged of a cause", () => {
  it("names errors and where they come from, and leaves out what they say", () => {
    const secret = "call +919876543210\n    at home: sk_test_1\n    at sk_test_1:1:1"
    const text = describeCause(Cause.parallel(Cause.die(new RangeError(secret)), Cause.fail({ _tag: "Odd", secret })))
    assert.include(text, "RangeError")
    assert.include(text, "Odd")
    assert.include(text, "DescribeCause.test.ts")
    assert.notMatch(text, /98765|sk_test|call/)
    assert.strictEqual(describeCause(Cause.die("sk_test_1")), "string")
  })
})
