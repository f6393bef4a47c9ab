import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { assert, describe, it } from "vitest"
import { otherCounts, otherTexts, sampleCounts } from "../../packages/models/test/tokens/Counts.js"
import { samples } from "../../packages/models/test/tokens/Samples.js"

const countsOf = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, countTokens(text)]))

describe("the counts that the estimate of tokens is measured by", () => {
  it("are those of o200k_base", () => {
    assert.deepStrictEqual(countsOf(samples), sampleCounts)
    assert.deepStrictEqual(countsOf(otherTexts), { ...otherCounts })
  })
})
