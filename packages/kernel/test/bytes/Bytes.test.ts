import { assert, describe, it } from "@effect/vitest"
import { escapeFormula } from "@trunkline/kernel"

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
