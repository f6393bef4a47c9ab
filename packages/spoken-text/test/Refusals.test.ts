import { findRefusal } from "@trunkline/spoken-text"
import { assert, describe, it } from "vitest"
import { assamese } from "./refusals/Assamese.js"
import { bengali } from "./refusals/Bengali.js"
import { english } from "./refusals/English.js"
import { gujarati } from "./refusals/Gujarati.js"
import { hindi } from "./refusals/Hindi.js"
import { kannada } from "./refusals/Kannada.js"
import { malayalam } from "./refusals/Malayalam.js"
import { marathi } from "./refusals/Marathi.js"
import { odia } from "./refusals/Odia.js"
import { punjabi } from "./refusals/Punjabi.js"
import { romanHindi } from "./refusals/RomanHindi.js"
import { tamil } from "./refusals/Tamil.js"
import { telugu } from "./refusals/Telugu.js"

const languages = {
  assamese,
  bengali,
  english,
  gujarati,
  hindi,
  kannada,
  malayalam,
  marathi,
  odia,
  punjabi,
  romanHindi,
  tamil,
  telugu
}

describe("a refusal of calls", () => {
  for (const [language, { others, refusals }] of Object.entries(languages)) {
    it(`is heard in ${language}, and nothing else is taken for one`, () => {
      assert.isAtLeast(refusals.length, 30)
      assert.isAtLeast(others.length, 30)
      assert.deepStrictEqual(refusals.filter((sentence) => findRefusal(sentence) === null), [])
      assert.deepStrictEqual(others.filter((sentence) => findRefusal(sentence) !== null), [])
    })
  }

  it("is the sentence that says so, among others", () => {
    assert.strictEqual(findRefusal("I'm busy now. Don't call me again! Bye."), "Don't call me again")
    assert.strictEqual(findRefusal("मैं व्यस्त हूँ। मेरा नंबर हटा दो।"), "मेरा नंबर हटा दो")
    assert.strictEqual(findRefusal(""), null)
  })

  it("takes little time in a long text", () => {
    assert.strictEqual(findRefusal("don't ".repeat(100_000)), null)
  })
})
