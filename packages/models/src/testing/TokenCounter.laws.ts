import { assert, layer } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { Effect, FastCheck, Fiber, type Layer, Ref } from "effect"
import { TokenCounter } from "../tokens/TokenCounter.js"

/** Arbitrary text, including invalid characters and lone surrogates. */
const anyText = FastCheck.oneof(
  FastCheck.string({ unit: "binary", maxLength: 400 }),
  FastCheck.string({ unit: "grapheme", maxLength: 400 }),
  FastCheck.string({
    unit: FastCheck.constantFrom("a", "Z", "7", " ", "\n", ".", "क", "ି", "漢", "🙏", "\ud83d", "<|"),
    maxLength: 400
  })
)

/** Units of a million characters without a space: letters of many scripts, punctuation, whitespace. */
const unbroken = [
  "a",
  "Zx",
  "7",
  "é",
  "क",
  "ক",
  "த",
  "ଓ",
  "ع",
  "漢",
  "한",
  "🙏",
  "\u200d",
  "{\"",
  " ",
  "\u3000 ",
  "\r\n"
]

const bytesIn = (text: string): number => new TextEncoder().encode(text).length

const sentence = "The meter was read on the 4th of May; कृपया बिल का भुगतान कीजिए, நன்றி. "

/** Runs the laws of `TokenCounter` against a layer. */
export const tokenCounterLaws = <E>(name: string, live: Layer.Layer<TokenCounter, E>) =>
  layer(live)(`TokenCounter laws: ${name}`, (it) => {
    const count = (text: string) => Effect.flatMap(TokenCounter, (counter) => counter.count(text))

    it.effect("an empty text is no token", () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* count(""), 0)
      }))

    it.effect.prop(
      "a text is a whole number of tokens, at least one and no more than its bytes",
      [anyText],
      ([text]) =>
        Effect.gen(function*() {
          const tokens = yield* count(text)
          assert.isTrue(Number.isInteger(tokens))
          assert.isAtMost(tokens, bytesIn(text))
          assert.isAtLeast(tokens, text === "" ? 0 : 1)
        })
    )

    it.effect.prop(
      "the same text is as many tokens each time, also at once",
      [anyText],
      ([text]) =>
        Effect.gen(function*() {
          const long = text.repeat(20)
          const counts = yield* Effect.all([count(long), count(long), count(long)], { concurrency: "unbounded" })
          assert.deepStrictEqual(counts, Array.from(counts, () => counts[0]))
          assert.strictEqual(yield* count(long), counts[0])
        })
    )

    it.effect.prop(
      "words after a text never make it fewer tokens",
      [FastCheck.lorem({ maxCount: 30 }), FastCheck.lorem({ maxCount: 5 })],
      ([text, more]) =>
        Effect.gen(function*() {
          assert.isAtLeast(yield* count(`${text} ${more}`), yield* count(text))
        })
    )

    it.effect("a long text is as many tokens as its sentences, wherever it is cut for counting", () =>
      Effect.gen(function*() {
        const ten = yield* count(sentence.repeat(10))
        const thousands = yield* count(sentence.repeat(4_000))
        assert.closeTo(thousands, ten * 400, ten * 8)
      }))

    it.effect("marks that a vocabulary keeps for itself are only text", () =>
      Effect.gen(function*() {
        assert.isAtLeast(yield* count("<|endoftext|>"), 3)
        assert.isAtLeast(yield* count("<|im_start|>system<|im_sep|>"), 5)
      }))

    for (const unit of unbroken) {
      it.effect(`a million units of ${JSON.stringify(unit)} are counted in linear time`, () =>
        Effect.gen(function*() {
          assert.isAbove(yield* count(unit.repeat(1_000_000 / unit.length)), 5_000)
        }))
    }

    it.effect("letters without a space that do not repeat themselves are counted in linear time", () =>
      Effect.gen(function*() {
        const letters = Array.from(
          { length: 100_000 },
          (_, index) => String.fromCharCode(0x905 + (Math.imul(index, 0x9e3779b1) >>> 16) % 53)
        )
        assert.isAbove(yield* count(letters.join("")), 20_000)
      }))

    it.effect("others get their turn while 2 MB are counted", () =>
      Effect.gen(function*() {
        const turns = yield* Ref.make(0)
        const other = yield* Effect.fork(Effect.forever(Effect.zipRight(macroTask, Ref.update(turns, (n) => n + 1))))
        yield* count(sentence.repeat(Math.ceil(2_000_000 / bytesIn(sentence))))
        yield* Fiber.interrupt(other)
        assert.isAtLeast(yield* Ref.get(turns), 10)
      }))
  })
