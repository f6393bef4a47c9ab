import { assert, describe, it } from "@effect/vitest"
import { Description, ResourceName } from "@trunkline/kernel"
import { Schema } from "effect"
import { issueTypes } from "../IssueTypes.js"

describe("ResourceName", () => {
  it("accepts letters of any script, digits, underscores, hyphens and spaces, and trims", () => {
    const decode = Schema.decodeSync(ResourceName)
    assert.strictEqual(decode("  June reminders_2-b\n"), "June reminders_2-b")
    assert.strictEqual(decode("दिल्ली वसूली १"), "दिल्ली वसूली १")
    assert.strictEqual(decode("𑀅".repeat(50)), "𑀅".repeat(50))
  })

  it("rejects anything else", () => {
    for (const name of ["", "   ", "a".repeat(51), "a/b", "a\tb", "a.b", "👍"]) {
      assert.deepStrictEqual(issueTypes(ResourceName, name), ["string_pattern_mismatch"], JSON.stringify(name))
    }
    assert.deepStrictEqual(issueTypes(ResourceName, null), ["string_type"])
  })
})

describe("Description", () => {
  it("accepts null and up to 150 code points", () => {
    for (const text of [null, "", "a".repeat(150), "👍".repeat(150)]) {
      assert.strictEqual(Schema.decodeUnknownSync(Description)(text), text)
    }
  })

  it("rejects more than 150 characters", () => {
    assert.deepStrictEqual(issueTypes(Description, "a".repeat(151)), ["string_too_long"])
    assert.deepStrictEqual(issueTypes(Description, "👍".repeat(151)), ["string_too_long"])
  })
})
