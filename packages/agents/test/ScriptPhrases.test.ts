import { assert, describe, it } from "@effect/vitest"
import { containsPhrase, digitsOf } from "@trunkline/agents"

describe("containsPhrase", () => {
  it("ignores case, punctuation and apostrophes", () => {
    assert.isTrue(containsPhrase("No... I DON'T have time!", "dont have time"))
  })

  it("matches whole words only", () => {
    assert.isFalse(containsPhrase("I know", "no"))
    assert.isFalse(containsPhrase("नहींं", "नहीं"))
  })

  it("matches Hindi, including vowel signs", () => {
    assert.isTrue(containsPhrase("जी हाँ, बोलिए।", "हाँ"))
  })

  it("never matches an empty phrase", () => {
    assert.isFalse(containsPhrase("anything", "?!"))
  })

  it("returns digits of any script as Western digits", () => {
    assert.strictEqual(digitsOf("१५ तारीख, ௩ or 4"), "1534")
  })
})
