import { assert, describe, it } from "@effect/vitest"
import { fillTemplate } from "@trunkline/agents"
import { FastCheck } from "effect"

describe("fillTemplate", () => {
  it("puts values in place, numbers and booleans included", () => {
    assert.strictEqual(
      fillTemplate("Dear {{ name }}, you owe {{amount}} rupees: {{late}}.", { name: "Asha", amount: 4500, late: true }),
      "Dear Asha, you owe 4500 rupees: true."
    )
  })

  it("leaves no gap for what is missing or null", () => {
    assert.strictEqual(fillTemplate("Hello {{title}} {{name}}, good day {{none}}.", { name: null }), "Hello, good day.")
  })

  it("keeps the lines of a prompt", () => {
    assert.strictEqual(fillTemplate("Be kind.\n\nCall {{name}}\nnow", { name: "Asha" }), "Be kind.\n\nCall Asha\nnow")
  })

  it("sees only the variables given, not what every object has", () => {
    assert.strictEqual(fillTemplate("a{{constructor}}b{{__proto__}}c", {}), "abc")
  })

  it.prop(
    "never fills what a value brings along",
    [FastCheck.constantFrom("{{secret}}", "{{ secret }}")],
    ([value]) => {
      assert.strictEqual(fillTemplate("{{name}}", { name: value, secret: "42" }), value)
    }
  )
})
