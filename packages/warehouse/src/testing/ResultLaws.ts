import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { columnTypeOf, viewColumns, viewName } from "../facts/ViewColumns.js"
import { maxResultBytes } from "../sql/SqliteResults.js"
import { type Cell, type Parameter, Warehouse } from "../Warehouse.js"
import { callFacts, changeBatchOf, lawScope, type LawsTest, rowsOf } from "./LawFixtures.js"

const numbers = (count: number, end = "") =>
  `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${count}) SELECT x FROM n ${end}`

interface LimitCase {
  readonly sql: string
  readonly maxRows: number
  readonly rows: number
  readonly truncated: boolean
}

/** `maxRows` as `maxRowsFor` computes it from the client's limit. */
const limitCases: ReadonlyArray<LimitCase> = [
  { sql: numbers(10), maxRows: 11, rows: 10, truncated: false },
  { sql: numbers(10), maxRows: 10, rows: 10, truncated: false },
  { sql: numbers(10), maxRows: 9, rows: 9, truncated: true },
  { sql: numbers(10), maxRows: 1, rows: 1, truncated: true },
  { sql: numbers(0, "WHERE x < 0"), maxRows: 1, rows: 0, truncated: false },
  { sql: numbers(5000, "LIMIT 7"), maxRows: 1000, rows: 7, truncated: false },
  { sql: numbers(5000, "LIMIT 7"), maxRows: 5, rows: 5, truncated: true },
  { sql: numbers(9000, "LIMIT 5000"), maxRows: 1000, rows: 1000, truncated: true },
  { sql: numbers(9000, "LIMIT 1000"), maxRows: 1000, rows: 1000, truncated: false },
  { sql: numbers(9000, "LIMIT 10*1000"), maxRows: 1000, rows: 1000, truncated: true },
  { sql: numbers(9000, "LIMIT 5, 6000"), maxRows: 1000, rows: 1000, truncated: true },
  { sql: numbers(9000, "LIMIT 20 OFFSET 8990"), maxRows: 1000, rows: 10, truncated: false },
  { sql: numbers(9000, "LIMIT -1"), maxRows: 1000, rows: 1000, truncated: true },
  { sql: `SELECT * FROM (${numbers(9000, "LIMIT 3000")})`, maxRows: 10_000, rows: 3000, truncated: false },
  { sql: `SELECT * FROM (${numbers(9000, "LIMIT 3000")})`, maxRows: 3000, rows: 3000, truncated: false },
  { sql: `SELECT * FROM (${numbers(9000, "LIMIT 3000")})`, maxRows: 2999, rows: 2999, truncated: true },
  { sql: `${numbers(4)} UNION ALL SELECT 5 LIMIT 4`, maxRows: 1000, rows: 4, truncated: false },
  { sql: `${numbers(30)} -- LIMIT 5`, maxRows: 1000, rows: 30, truncated: false },
  { sql: `${numbers(30)} ORDER BY x DESC;`, maxRows: 30, rows: 30, truncated: false },
  { sql: "VALUES (1), (2), (3)", maxRows: 2, rows: 2, truncated: true }
]

const cells: ReadonlyArray<readonly [sql: string, cell: Cell]> = [
  ["NULL", null],
  ["1", 1],
  ["-7", -7],
  ["0.5", 0.5],
  ["1 = 1", 1],
  ["9007199254740991", 9007199254740991],
  ["-9007199254740991", -9007199254740991],
  ["9007199254740993", "9007199254740993"],
  ["-9223372036854775808", "-9223372036854775808"],
  ["1e308", 1e308],
  ["1e308 * 10", null],
  ["-1e308 * 10", null],
  ["1e308 * 10 - 1e308 * 10", null],
  ["''", ""],
  ["'it''s'", "it's"],
  ["'नमस्ते 📞'", "नमस्ते 📞"],
  ["char(10, 9, 34)", "\n\t\""],
  ["x''", ""],
  ["x'00ff10'", "AP8Q"],
  ["json_object('a', 1)", "{\"a\":1}"],
  ["'9' + 1", 10]
]

const boundValues: ReadonlyArray<Parameter> = [
  "'; DROP TABLE trunkline_facts; --",
  "?",
  "{{name}}",
  "",
  "मीना \u0001 📞",
  null,
  0,
  -1.5,
  42,
  9007199254740991,
  1e300,
  "x".repeat(100_000)
]

/** Results: rows and truncation, columns, cells, bound values. */
export const resultLaws = (it: LawsTest, options: { readonly types: boolean }) => {
  const scope = lawScope("results")
  const fill = Effect.tap(Warehouse, (warehouse) => warehouse.apply(scope, changeBatchOf(callFacts(scope))))

  for (const { maxRows, rows, sql, truncated } of limitCases) {
    const [shown] = sql.split(" ").slice(-4).join(" ").split("\n")
    it.effect(`of "… ${shown}" reads ${rows} of at most ${maxRows} rows, ${truncated ? "" : "not "}truncated`, () =>
      Effect.gen(function*() {
        const warehouse = yield* Warehouse
        const result = yield* warehouse.query(scope, { text: sql, parameters: [], maxRows })
        assert.deepStrictEqual([result.rows.length, result.truncated], [rows, truncated])
      }))
  }

  it.effect("returns rows in the order of the statement", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* rowsOf(scope, numbers(5, "ORDER BY x DESC"), { maxRows: 3 }), [[5], [4], [3]])
    }))

  it.effect("truncates a result that exceeds the byte limit", () =>
    Effect.gen(function*() {
      const warehouse = yield* Warehouse
      const text = numbers(1000).replace("SELECT x FROM n", "SELECT x, printf('%.*c', 100000, 'y') FROM n")
      const { rows, truncated } = yield* warehouse.query(scope, { text, parameters: [], maxRows: 1000 })
      assert.isTrue(truncated)
      assert.isNotEmpty(rows)
      assert.isAtMost(JSON.stringify(rows).length, maxResultBytes)
    }))

  it.effect("converts each value to JSON", () =>
    Effect.gen(function*() {
      const rows = yield* rowsOf(scope, `SELECT ${cells.map(([sql]) => sql).join(", ")}`)
      assert.deepStrictEqual(rows, [cells.map(([, cell]) => cell)])
    }))

  it.effect("names columns like the statement, including duplicates", () =>
    Effect.gen(function*() {
      const warehouse = yield* fill
      const text = `SELECT app_id, app_id, count(*) AS "how many?", 1 AS 'गिनती', 2 AS "" FROM ${viewName}`
      const { columns } = yield* warehouse.query(scope, { text, parameters: [], maxRows: 1 })
      assert.deepStrictEqual(columns.map(({ name }) => name), ["app_id", "app_id", "how many?", "गिनती", ""])
    }))

  if (options.types) {
    it.effect("reports the type of each view column, also when renamed, and of no other column", () =>
      Effect.gen(function*() {
        const warehouse = yield* fill
        const text = `SELECT *, duration AS d, max(duration), 1 FROM (SELECT * FROM ${viewName})`
        const { columns } = yield* warehouse.query(scope, { text, parameters: [], maxRows: 1 })
        const nameTypes = columns.map(({ name, type }) => [name, type])
        assert.deepStrictEqual(nameTypes, [
          ...viewColumns.map((column) => [column.name, columnTypeOf(column)]),
          ["d", "Nullable Float"],
          ["max(duration)", undefined],
          ["1", undefined]
        ])
      }))
  }

  it.effect("binds values in order and never as SQL", () =>
    Effect.gen(function*() {
      const parameters = boundValues
      const text = `SELECT ${boundValues.map(() => "?").join(", ")}, '?', "?" FROM (SELECT 1 AS "?") -- ?`
      assert.deepStrictEqual(yield* rowsOf(scope, text, { parameters }), [[...boundValues, "?", 1]])
      const rows = yield* rowsOf(scope, "SELECT typeof(?), typeof(?), typeof(?), 7 / ?", {
        parameters: [1, 0.5, "1", 2]
      })
      assert.deepStrictEqual(rows, [["integer", "real", "text", 3]])
    }))

  it.effect("binds values wherever an expression is allowed", () =>
    Effect.gen(function*() {
      yield* fill
      const text = `WITH some AS (SELECT * FROM ${viewName} WHERE direction IN (?, ?) AND duration > ?)
        SELECT direction, count(*) > ? FROM some GROUP BY 1 ORDER BY 1 LIMIT ? OFFSET ?`
      const rows = yield* rowsOf(scope, text, { parameters: ["inbound", "outbound", 20, 5, 1, 1] })
      assert.deepStrictEqual(rows, [["outbound", 1]])
    }))

  it.effect("prepares without running, with the same columns and refusals", () =>
    Effect.gen(function*() {
      const warehouse = yield* fill
      const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) AS most FROM n"
      const columns = yield* warehouse.prepare(scope, { text: endless, parameters: [] })
      assert.deepStrictEqual(columns.map(({ name }) => name), ["most"])
      const wrong = [
        `SELECT nothing FROM ${viewName}`,
        "SELECT 1 +",
        "SELECT abs()",
        `SELECT count(*) FROM ${viewName} WHERE sum(duration) > 1`,
        "SELECT * FROM elsewhere",
        "SELECT no_such(1)",
        "VALUES (1), (2, 3)",
        "SELECT 1 WHERE ?",
        `DELETE FROM ${viewName}`
      ]
      for (const text of wrong) {
        const preparation = yield* Effect.flip(warehouse.prepare(scope, { text, parameters: [] }))
        const run = yield* Effect.flip(warehouse.query(scope, { text, parameters: [], maxRows: 1 }))
        assert.deepStrictEqual([preparation._tag, preparation.message], [run._tag, run.message])
        assert.strictEqual(preparation._tag, "QueryRefused")
      }
    }))

  it.effect("repeats no text, number or value in a refusal", () =>
    Effect.gen(function*() {
      const warehouse = yield* fill
      const secret = "987654"
      const wrong = [
        `SELECT 'a' 'b' '${secret}'`,
        `SELECT 1 ${secret}`,
        `SELECT json('{${secret}')`,
        `SELECT 'x' ->> '$.[${secret}'`,
        `SELECT strftime(1, 2) FROM nowhere WHERE a = '${secret}'`,
        `SELECT * FROM '${secret}'`,
        `SELECT ${secret}a`,
        `SELECT x'${secret}1'`,
        `SELECT :a${secret}`,
        `SELECT 'never closed ${secret}`,
        `SELECT abs(-9223372036854775808), '${secret}'`,
        `SELECT 1 FROM ${viewName} ORDER BY ${secret}`
      ]
      for (const text of wrong) {
        const { message } = yield* Effect.flip(warehouse.query(scope, { text, parameters: [], maxRows: 5 }))
        assert.notInclude(message, secret, text)
        assert.match(message, /^[A-Z].*[.]$/s)
      }
    }))
}
