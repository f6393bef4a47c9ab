import { assert, describe, it } from "@effect/vitest"
import { digitsOf, saysPhrase } from "@trunkline/agents"

describe("spoken words", () => {
  it("are compared without case, punctuation or apostrophes", () => {
    assert.isTrue(saysPhrase("No... I DON'T have time!", "dont have time"))
  })

  it("match as whole words only", () => {
    assert.isFalse(saysPhrase("I know", "no"))
    assert.isFalse(saysPhrase("नहींं", "नहीं"))
  })

  it("match in Hindi, vowel signs included", () => {
    assert.isTrue(saysPhrase("जी हाँ, बोलिए।", "हाँ"))
  })

  it("never match an empty phrase", () => {
    assert.isFalse(saysPhrase("anything", "?!"))
  })

  it("give their digits in Western digits, whatever the script", () => {
    assert.strictEqual(digitsOf("१५ तारीख, ௩ or 4"), "1534")
  })
})
