import { assert, describe, it } from "@effect/vitest"
import { appendBytes, collectBytes, concatBytes, escapeFormula } from "@trunkline/kernel"
import { propertyRuns } from "@trunkline/kernel/testing"
import { Effect, FastCheck, Stream } from "effect"

describe("appendBytes", () => {
  it.prop(
    "keeps all bytes in order, whatever the sizes of the chunks",
    [FastCheck.array(FastCheck.uint8Array({ maxLength: 40 }), { maxLength: 200 })],
    ([parts]) => {
      const chunks: Array<Uint8Array> = []
      parts.forEach((part) => appendBytes(chunks, part))
      assert.deepStrictEqual(concatBytes(chunks), concatBytes(parts))
    },
    { fastCheck: { numRuns: propertyRuns(100) } }
  )

  it("keeps few chunks of bytes that arrive one by one, and large ones as they are", () => {
    const chunks: Array<Uint8Array> = []
    for (let count = 0; count < 100_000; count++) appendBytes(chunks, Uint8Array.of(count))
    assert.isBelow(chunks.length, 40)
    const large = new Uint8Array(65_536)
    appendBytes(chunks, large)
    appendBytes(chunks, large)
    assert.deepStrictEqual(chunks.slice(-2).map((chunk) => chunk === large), [true, true])
  })
})

describe("collectBytes", () => {
  it.effect("reads a stream to its end, twice", () =>
    Effect.gen(function*() {
      const bytes = collectBytes(Stream.make(Uint8Array.of(1), Uint8Array.of(2, 3)))
      assert.deepStrictEqual([yield* bytes, yield* bytes], [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 3)])
    }))
})

describe("escapeFormula", () => {
  const formulas: ReadonlyArray<readonly [cell: string, safe: string]> = [
    ["=1+1", "'=1+1"],
    ["  =1", "'  =1"],
    ["\u00a0@SUM(A1)", "'\u00a0@SUM(A1)"],
    ["\ufeff\u3000=1", "'\ufeff\u3000=1"],
    ["-1", "'-1"],
    ["+1", "'+1"],
    ["＝cmd", "'＝cmd"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    [" ＠a", "' ＠a"],
    ["\t=1", "'\t=1"],
    ["\n=1", "'\n'=1"],
    [" \r\n1", "' \r\n1"],
    ["a\r\n=1\n+2\rb\r -3", "a\r\n'=1\n'+2\rb\r' -3"],
    ["a\n\nb", "a\n\nb"],
    ["1-1", "1-1"],
    [" a = b", " a = b"],
    ["", ""]
  ]
  it("escapes every cell that a spreadsheet would evaluate", () => {
    for (const [text, safe] of formulas) assert.strictEqual(escapeFormula(text), safe, JSON.stringify(text))
  })
})
