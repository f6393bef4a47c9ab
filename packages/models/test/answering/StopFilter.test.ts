import { assert, describe, it } from "@effect/vitest"
import type { TokenChoice } from "@trunkline/models"
import { FastCheck } from "effect"
import { makeStopFilter, type TextPiece } from "../../src/answering/StopFilter.js"

interface Seen {
  /** Text emitted after each chunk, and at the end. */
  readonly shown: ReadonlyArray<string>
  readonly logprobs: ReadonlyArray<TokenChoice>
  readonly stopped: boolean
}

const run = (stops: ReadonlyArray<string>, pieces: ReadonlyArray<TextPiece>): Seen => {
  const filter = makeStopFilter(stops)
  const shown = [...pieces.map((piece) => filter.push(piece)), filter.flush()]
  return {
    shown: shown.map((piece) => piece?.text ?? ""),
    logprobs: shown.flatMap((piece) => piece?.logprobs ?? []),
    stopped: filter.isStopped()
  }
}

const texts = (...pieces: ReadonlyArray<string>): ReadonlyArray<TextPiece> => pieces.map((text) => ({ text }))

const shownOf = (stops: ReadonlyArray<string>, ...pieces: ReadonlyArray<string>) => run(stops, texts(...pieces)).shown

const token = (token: string): TokenChoice => ({ token, logprob: -token.length, top: [] })

const tokens = (...tokens: ReadonlyArray<string>): ReadonlyArray<TextPiece> =>
  tokens.map((text) => ({ text, logprobs: [token(text)] }))

/** Where the first of the stop sequences begins; infinite when there is none. */
const firstStop = (text: string, stops: ReadonlyArray<string>): number =>
  Math.min(...stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0))

/** Few letters, so that sequences overlap, repeat and contain each other; a pair, and a half of one. */
const unit = FastCheck.constantFrom("a", "b", "\n", "🙏", "🙂")

/** A text in pieces, cut anywhere, also inside a character. */
const cut = FastCheck.tuple(
  FastCheck.string({ unit, maxLength: 40 }),
  FastCheck.array(FastCheck.integer({ min: 0, max: 4 }), { maxLength: 60 })
).map(([text, lengths]) => {
  const pieces: Array<string> = []
  let from = 0
  for (const length of lengths) {
    pieces.push(text.slice(from, from + length))
    from += length
  }
  return [...pieces, text.slice(from)]
})

const someStops = FastCheck.array(FastCheck.string({ unit, minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 4
})

describe("a stop filter", () => {
  it.prop(
    "passes the text before the first stop sequence, for any split into pieces",
    [cut, someStops],
    ([pieces, stops]) => {
      const text = pieces.join("")
      const { shown, stopped } = run(stops, texts(...pieces))
      const at = firstStop(text, stops)
      assert.strictEqual(shown.join(""), text.slice(0, at))
      assert.strictEqual(stopped, at < Infinity)
    }
  )

  it.prop("holds back only text that may begin a stop sequence", [cut, someStops], ([pieces, stops]) => {
    const { shown } = run(stops, texts(...pieces))
    for (let count = 1; count <= pieces.length; count++) {
      const text = pieces.slice(0, count).join("")
      if (firstStop(text, stops) < Infinity) return
      const expectedRest = text.slice(shown.slice(0, count).join("").length)
      const isHalf = expectedRest === "" || /^[\ud800-\udbff]$/.test(expectedRest)
      assert.isTrue(
        isHalf || stops.some((stop) => stop.startsWith(expectedRest)),
        JSON.stringify({ text, held: expectedRest, stops })
      )
    }
  })

  it.prop("never splits a character", [cut, someStops], ([pieces, stops]) => {
    for (const shown of run(stops, texts(...pieces)).shown) assert.notMatch(shown, /\p{Surrogate}/u)
  })

  it.prop(
    "keeps the log probability of each token that begins in the passed text",
    [cut, someStops],
    ([pieces, stops]) => {
      const whole = pieces.filter((piece) => piece !== "")
      const { logprobs } = run(stops, tokens(...whole))
      const at = Math.min(firstStop(whole.join(""), stops), whole.join("").length)
      let begins = 0
      const expected = whole.filter((piece) => {
        begins += piece.length
        return begins - piece.length < at
      })
      assert.deepStrictEqual(logprobs, expected.map(token))
    }
  )

  it("passes everything immediately without stop sequences", () => {
    assert.deepStrictEqual(shownOf([], "Hello", " there"), ["Hello", " there", ""])
    assert.deepStrictEqual(shownOf(["", "\ud83d"], "Hello 🙏"), ["Hello 🙏", ""])
  })

  it("passes held text that turns out not to be a stop sequence", () => {
    assert.deepStrictEqual(shownOf(["END"], "a E", "N", "d", " EN"), ["a ", "", "ENd", " ", "EN"])
  })

  it("stops at the sequence that begins first, not at the one that ends first", () => {
    assert.deepStrictEqual(shownOf(["bc", "abcd"], "xabc", "d"), ["x", "", ""])
    assert.deepStrictEqual(shownOf(["bc", "abcd"], "xabc", "e"), ["x", "a", ""])
    const { shown, stopped } = run(["bc", "abcd"], texts("xabc"))
    assert.deepStrictEqual([shown, stopped], [["x", "a"], true])
  })

  it("passes nothing after a stop sequence", () => {
    const filter = makeStopFilter(["."])
    assert.deepStrictEqual(filter.push({ text: "One. Two." }), { text: "One" })
    assert.isTrue(filter.isStopped())
    assert.isNull(filter.push({ text: "Three" }))
    assert.isNull(filter.flush())
  })

  it("passes the log probability of a token with its first character, and that of a token without text with the next one", () => {
    const filter = makeStopFilter(["STOP"])
    const [hi, partly] = [token("Hi"), token(" ST")]
    assert.deepStrictEqual(filter.push({ text: "Hi ST", logprobs: [hi, partly] }), {
      text: "Hi ",
      logprobs: [hi, partly]
    })
    assert.deepStrictEqual(filter.push({ text: "AY", logprobs: [token("AY")] }), {
      text: "STAY",
      logprobs: [token("AY")]
    })
    assert.isNull(filter.push({ text: "", logprobs: [token("")] }))
    assert.deepStrictEqual(filter.push({ text: "!" }), { text: "!", logprobs: [token("")] })
    assert.isNull(filter.push({ text: "", logprobs: [token("")] }))
    assert.deepStrictEqual(filter.flush(), { text: "", logprobs: [token("")] })
  })

  it("keeps log probabilities with their piece if their tokens differ from its text", () => {
    const filter = makeStopFilter(["STOP"])
    const bytes = [token("\\xe0\\xa4"), token("\\x95")]
    assert.deepStrictEqual(filter.push({ text: "क", logprobs: bytes }), { text: "क", logprobs: bytes })
  })

  it("takes linear time for repetitive sequences and texts", () => {
    const stops = [`${"a".repeat(200_000)}b`, `${"ab".repeat(100_000)}c`]
    const pieces = ["a".repeat(300_000), ...Array<string>(300_000).fill("a"), "b", "c"].map((text) => ({ text }))
    const { shown, stopped } = run(stops, pieces)
    assert.strictEqual(shown.join("").length, 400_000)
    assert.isTrue(stopped)
  })
})
