import { assert, describe, it } from "@effect/vitest"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck } from "effect"
import { countTokens, hasLongRun } from "../src/Counting.js"

/** A vocabulary in which every character is a token, which remembers what it was given. */
const spelling = () => {
  const inputs: Array<string> = []
  const tokenize = (text: string) => {
    inputs.push(text)
    return Array.from(text, () => 0)
  }
  return { inputs, tokenize }
}

describe("counting", () => {
  it.effect.prop("passes every character to the vocabulary once, and never too many at a time", [
    FastCheck.array(FastCheck.constantFrom("a", " ", "\n", "क", "👋", "x".repeat(5_000), "👋".repeat(2_100)), {
      maxLength: 20
    })
  ], ([parts]) =>
    Effect.gen(function*() {
      const text = parts.join("")
      const { inputs, tokenize } = spelling()
      assert.strictEqual(yield* countTokens(tokenize, [text]), Array.from(text).length)
      assert.strictEqual(inputs.join(""), text)
      assert.isTrue(inputs.every(({ length }) => length <= 4_096))
    }), { fastCheck: { numRuns: propertyRuns(50) } })

  it.effect("splits before a space", () =>
    Effect.gen(function*() {
      const { inputs, tokenize } = spelling()
      yield* countTokens(tokenize, ["some words ".repeat(1_000)])
      assert.isTrue(inputs.every((piece, index) => index === 0 || piece.startsWith(" ")))
    }))

  it.effect("stops once the limit is exceeded", () =>
    Effect.gen(function*() {
      const { inputs, tokenize } = spelling()
      assert.isAbove(yield* countTokens(tokenize, ["x".repeat(1_000_000), "y"], 5_000), 5_000)
      assert.strictEqual(inputs.length, 2)
    }))

  it.effect("yields to the event loop", () =>
    Effect.gen(function*() {
      let turns = 0
      const timer = setInterval(() => turns++, 0)
      yield* countTokens(() => {
        const until = performance.now() + 2
        while (performance.now() < until);
        return [0]
      }, ["word ".repeat(20_000)])
      clearInterval(timer)
      assert.isAbove(turns, 3)
    }))
})

describe("a run of one kind of characters", () => {
  it("is too long after 8,192 characters, for every kind", () => {
    for (const kind of ["a", "7", " ", ".", "ा"]) {
      assert.isFalse(hasLongRun(`1a ${kind.repeat(8_190)}`))
      assert.isTrue(hasLongRun(`!${kind.repeat(8_193)}`))
    }
    assert.isFalse(hasLongRun("word, and ".repeat(10_000)))
  })
})
