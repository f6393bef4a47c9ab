import { assert, describe, it } from "@effect/vitest"
import { TokenCounter } from "@trunkline/models"
import { tokenCounterLaws } from "@trunkline/models/testing"
import { Effect, Record } from "effect"
import { estimateTokens } from "../../src/tokens/Estimate.js"
import { otherCounts, otherTexts, sampleCounts } from "./Counts.js"
import { samples } from "./Samples.js"

tokenCounterLaws("estimate", TokenCounter.layer)

/** Deviation of the estimate from a count of o200k_base, in whole per cent: above 0 it counts too many. */
const error = (text: string, count: number): number => Math.round(100 * (estimateTokens(text) / count - 1)) + 0

const errorOf = (name: keyof typeof otherTexts): number => error(otherTexts[name], otherCounts[name])

const measured: Readonly<Record<string, number>> = {
  English: 6,
  Hindi: 10,
  Marathi: -11,
  Bengali: 11,
  Assamese: 10,
  Tamil: 6,
  Telugu: 12,
  Kannada: 7,
  Malayalam: 6,
  Gujarati: -4,
  Punjabi: -3,
  Odia: 0,
  Urdu: -5,
  "Hindi and English": 1,
  German: 0,
  Russian: -3,
  Arabic: 8,
  Chinese: 11,
  Japanese: 11,
  Korean: 2,
  Thai: -6,
  Emoji: 3,
  TypeScript: -8,
  Python: 2,
  JSON: -5,
  "JSON on lines": -8,
  Prompt: 3,
  Numbers: -11,
  // Hindi in Latin letters cannot be told from English without a vocabulary.
  Hinglish: -22
}

describe("the estimate of tokens", () => {
  it("is within 15 % of o200k_base for prose and code", () => {
    const errors = Record.map(samples, (text, name) => error(text, sampleCounts[name] ?? 0))
    assert.deepStrictEqual(errors, measured)
    const { Hinglish: _, ...usual } = errors
    assert.isAtMost(Math.max(...Object.values(usual).map(Math.abs)), 15)
  })

  it("is within 2 % for all samples together", () => {
    assert.closeTo(errorOf("all"), 0, 2)
  })

  it("is usable for capitals, hex digits and base64", () => {
    assert.closeTo(errorOf("capitals"), 29, 5)
    assert.closeTo(errorOf("hex"), 0, 15)
    assert.closeTo(errorOf("base64"), -24, 5)
  })

  it.effect("is the same with pauses as without", () =>
    Effect.gen(function*() {
      const { count } = yield* TokenCounter
      const text = Object.values(samples).join("\n").repeat(40)
      assert.isAbove(text.length, 3 * 65_536)
      assert.strictEqual(yield* count(text), estimateTokens(text))
    }).pipe(Effect.provide(TokenCounter.layer)))

  it("never shrinks when text is appended", () => {
    const text = Object.values(samples).join(" ")
    const counts = Array.from({ length: text.length }, (_, length) => estimateTokens(text.slice(0, length)))
    assert.deepStrictEqual(counts, counts.toSorted((a, b) => a - b))
  })
})
