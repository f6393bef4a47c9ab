import { assert, describe, it } from "@effect/vitest"
import { templateFault } from "@trunkline/kernel"

describe("a template", () => {
  for (const text of ["Hi {{name", "Hi {name}}", "Hi { name }}", "Hi {{}}", "Hi {{ }}", "{{a}} and {b}}"]) {
    it(`is refused when a variable is not written as one: ${text}`, () => assert.isString(templateFault(text)))
  }

  for (const text of ["Hi {{name}}", "Hi {{ name }}", "Answer with {\"a\": {\"b\": 1}}", "Hi {name}", "Hi"]) {
    it(`is taken: ${text}`, () => assert.isUndefined(templateFault(text)))
  }
})
