import { assert, describe, it } from "@effect/vitest"
import { TokenCounter } from "@trunkline/models"
import { tokenCounterLaws } from "@trunkline/models/testing"
import { type Encoding, TokensGpt } from "@trunkline/tokens-gpt"
import { Effect, FastCheck } from "effect"
import { endOfChunk, makeCountCache, makeCounter } from "../src/Counter.js"
import { load } from "../src/Vocabulary.js"

/** The count of a text in one piece by a vocabulary. */
const wholeCount = async (encoding: Encoding) => {
  const { countTokens } = await Effect.runPromise(load(encoding))
  return (text: string) => countTokens(text, { disallowedSpecial: new Set() })
}

const countO200k = await wholeCount("o200k_base")
const countCl100k = await wholeCount("cl100k_base")

tokenCounterLaws("gpt-tokenizer", TokensGpt.layer())

const count = (text: string) => Effect.flatMap(TokenCounter, (counter) => counter.count(text))

const chunksOf = (text: string): ReadonlyArray<string> => {
  const chunks: Array<string> = []
  for (let from = 0; from < text.length;) {
    const end = endOfChunk(text, from)
    chunks.push(text.slice(from, end))
    from = end
  }
  return chunks
}

const sentence = "Ravi paid 4,500 rupees on 2026-05-04.\n\tरवि ने भुगतान किया। ரவி பணம் செலுத்தினார். "

describe("counts of a GPT vocabulary", () => {
  it.effect("match the vocabulary", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* count("नमस्ते, how are you?"), countO200k("नमस्ते, how are you?"))
      const long = sentence.repeat(300)
      assert.isAbove(chunksOf(long).length, 5)
      assert.strictEqual(yield* count(long), countO200k(long))
    }).pipe(Effect.provide(TokensGpt.layer())))

  it.effect("match the other vocabulary when it is chosen", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* count(sentence), countCl100k(sentence))
    }).pipe(Effect.provide(TokensGpt.layer({ encoding: "cl100k_base" }))))

  it.effect("are cached for long texts", () =>
    Effect.gen(function*() {
      const texts: Array<string> = []
      const { count } = makeCounter({
        countTokens: (text) => texts.push(text),
        setMergeCacheSize: () => {}
      })
      const text = "a word or two. ".repeat(100)
      assert.deepStrictEqual([yield* count(text), yield* count(text), yield* count("short")], [1, 1, 2])
      assert.deepStrictEqual(texts, [text, "short"])
    }))

  it.effect("fail without the package, with the command that installs it", () =>
    Effect.gen(function*() {
      const missing = () => Promise.reject(new Error("Cannot find package"))
      const error = yield* Effect.flip(load("o200k_base", { o200k_base: missing, cl100k_base: missing }))
      assert.strictEqual(error._tag, "TokenizerMissing")
      assert.include(error.message, "npm install gpt-tokenizer@4")
    }))
})

describe("the chunks of a text", () => {
  const texts = FastCheck.array(
    FastCheck.tuple(
      FastCheck.constantFrom("a", "7", " ", "\n", "क", "🙏", " word", ". ", "\ud83d", "\u3000"),
      FastCheck.nat(700)
    ),
    { maxLength: 30 }
  ).map((parts) => parts.map(([unit, times]) => unit.repeat(times)).join(""))

  it.prop("make up the text, are never too long, and cut no character", [texts], ([text]) => {
    const chunks = chunksOf(text)
    assert.strictEqual(chunks.join(""), text)
    for (const chunk of chunks) {
      assert.isAtMost(chunk.length, 2_561)
      assert.notMatch(chunk, /\S{129}|\s{129}/u)
    }
    const cut = chunks.slice(1).filter((chunk, index) =>
      /^[\udc00-\udfff]/.test(chunk) && /[\ud800-\udbff]$/.test(chunks[index] ?? "")
    )
    assert.deepStrictEqual(cut, [])
  })

  it("end before a space if there is one", () => {
    const chunks = chunksOf("some words that go on. ".repeat(1_000))
    assert.isAbove(chunks.length, 4)
    assert.isTrue(chunks.slice(1).every((chunk) => chunk.startsWith(" ")))
    assert.isTrue(chunks.slice(0, -1).every((chunk) => chunk.length >= 2_048))
  })
})

describe("the cache of counts", () => {
  const text = (name: string, length: number) => name.padEnd(length, ".")

  it("holds long texts, but not the longest", () => {
    const counts = makeCountCache()
    for (const length of [1_023, 1_024, 262_144, 262_145]) counts.set(text("", length), length)
    const cachedCounts = [1_023, 1_024, 262_144, 262_145].map((length) => counts.get(text("", length)))
    assert.deepStrictEqual(cachedCounts, [undefined, 1_024, 262_144, undefined])
  })

  it("evicts the least recently used counts", () => {
    const counts = makeCountCache()
    counts.set(text("first", 2_000), 1)
    counts.set(text("second", 2_000), 2)
    for (let index = 0; index < 20; index++) {
      counts.set(text(`${index}`, 250_000), index)
      assert.strictEqual(counts.get(text("first", 2_000)), 1)
    }
    assert.strictEqual(counts.get(text("second", 2_000)), undefined)
    assert.strictEqual(counts.get(text("2", 250_000)), undefined)
    assert.strictEqual(counts.get(text("19", 250_000)), 19)
  })
})
