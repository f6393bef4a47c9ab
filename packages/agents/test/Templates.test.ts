import { assert, describe, it } from "@effect/vitest"
import { fillTemplate } from "@trunkline/agents"
import { FastCheck } from "effect"

describe("fillTemplate", () => {
  it("inserts values, including numbers and booleans", () => {
    assert.strictEqual(
      fillTemplate("Dear {{ name }}, you owe {{amount}} rupees: {{late}}.", { name: "Asha", amount: 4500, late: true }),
      "Dear Asha, you owe 4500 rupees: true."
    )
  })

  it("leaves no gap for missing and null variables", () => {
    assert.strictEqual(fillTemplate("Hello {{title}} {{name}}, good day {{none}}.", { name: null }), "Hello, good day.")
  })

  it("keeps line breaks", () => {
    assert.strictEqual(fillTemplate("Be kind.\n\nCall {{name}}\nnow", { name: "Asha" }), "Be kind.\n\nCall Asha\nnow")
  })

  it("ignores inherited properties", () => {
    assert.strictEqual(fillTemplate("a{{constructor}}b{{__proto__}}c", {}), "abc")
  })

  it.prop(
    "does not fill placeholders in values",
    [FastCheck.constantFrom("{{secret}}", "{{ secret }}")],
    ([value]) => {
      assert.strictEqual(fillTemplate("{{name}}", { name: value, secret: "42" }), value)
    }
  )
})
