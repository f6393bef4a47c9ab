import { assert, describe, it } from "@effect/vitest"
import { usageTable } from "../src/commands/CreditCommands.js"
import { table, terminalLines, type TextColumn } from "../src/Text.js"

const columns: ReadonlyArray<TextColumn<{ readonly name: string; readonly count: number }>> = [
  { title: "NAME", of: ({ name }) => name },
  { title: "COUNT", of: ({ count }) => count }
]

describe("a table", () => {
  it("sizes its columns and right-aligns numbers", () => {
    const rows = [{ name: "a", count: 1 }, { name: "longer", count: 1_000_000 }]
    assert.strictEqual(
      table(rows, columns, "none"),
      "NAME      COUNT\n"
        + "a             1\n"
        + "longer  1000000"
    )
  })

  it("shows the empty text when it has no rows", () => {
    assert.strictEqual(table([], columns, "none"), "none")
  })

  it("replaces control characters and line breaks in cells", () => {
    const rows = [{ name: "red \u001b[31m\nnext\u202e", count: 1 }]
    assert.strictEqual(table(rows, columns, "none").split("\n")[1], "red ?[31m?next?      1")
    assert.strictEqual(terminalLines("one\ntwo\u0007"), "one\ntwo?\n")
  })
})

describe("the table of usage", () => {
  const line = { day: "2026-11-01", api: "chat", requests: 1, units: { input_token: 10 }, cost: 20, charged: 15 }

  it("sums the keys of a day and family and ends with a total", () => {
    const lines = [
      line,
      { ...line, units: { input_token: 5, page: 1 } },
      { ...line, day: "2026-11-02", requests: 3 }
    ]
    assert.deepStrictEqual(
      usageTable(lines).split("\n").map((text) => text.split(/ {2,}/).map((cell) => cell.trim())),
      [
        ["DAY", "FAMILY", "REQUESTS", "COST", "CHARGED", "UNITS"],
        ["2026-11-01", "chat", "2", "40", "30", "input_token 15,page 1"],
        ["2026-11-02", "chat", "3", "20", "15", "input_token 10"],
        ["total", "5", "60", "45", "input_token 25,page 1"]
      ]
    )
  })

  it("reports when there is no usage", () => {
    assert.strictEqual(usageTable([]), "No usage.")
  })
})
