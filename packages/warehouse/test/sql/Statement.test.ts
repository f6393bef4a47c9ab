import { assert, describe, it } from "@effect/vitest"
import { checkStatement, maxRowsFor } from "@trunkline/warehouse"
import { Either } from "effect"
import { maxStatementBytes } from "../../src/sql/Statement.js"

const codeOf = (text: string, parameters = 0) =>
  Either.match(checkStatement(text, parameters), { onLeft: ({ code }) => code, onRight: () => "passes" })

const messageOf = (text: string) =>
  Either.match(checkStatement(text, 0), { onLeft: ({ message }) => message, onRight: () => "passes" })

const limits = (text: string) => Either.map(checkStatement(text, 0), ({ outerLimit }) => outerLimit)

const view = "EngagementFactsBoardsView"

describe("checkStatement accepts", () => {
  const fair: ReadonlyArray<string> = [
    "SELECT 1",
    "\ufeff\n select 1;;  ; -- done",
    "VALUES (1), (2)",
    `WITH a AS (SELECT 1), b(x, y) AS NOT MATERIALIZED (SELECT 1, 2), "c d" AS (VALUES (1)) SELECT * FROM a, b, "c d"`,
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT max(x) FROM n",
    `WITH replace AS (SELECT 1) SELECT replace('a', 'b', 'c') FROM replace`,
    `SELECT count(*) FILTER (WHERE duration > 1) AS "count", sum(duration) OVER (PARTITION BY app_id ORDER BY 1
      ROWS BETWEEN (1) PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM ${view}`,
    `SELECT lag(duration) OVER w FROM ${view} WINDOW w AS (PARTITION BY app_id), v AS (w ORDER BY app_id)`,
    `SELECT CASE WHEN (1) THEN (2) ELSE (3) END, NOT (1), 1 IN (1, 2), 1 BETWEEN (0) AND (2), 1 IS (1), 1 OR (2)`,
    `SELECT * FROM ${view} AS a LEFT JOIN (${view} AS b) ON (a.app_id = b.app_id), (SELECT 1) USING (x)`,
    `SELECT * FROM (SELECT a, 'trunkline_x' FROM (SELECT 1 AS a)), json_each('[1, "sqlite_master"]') AS j`,
    `SELECT * FROM ${view} WHERE app_id IN (SELECT app_id FROM ${view}) AND 'x' NOT IN ('sqlite_master', 'dbstat')`,
    `SELECT * FROM ${view} WHERE EXISTS (SELECT 1) GROUP BY (app_id) HAVING (1) ORDER BY (1) LIMIT (1) OFFSET (2)`,
    `SELECT a.x IS NOT DISTINCT FROM 'sqlite_master', a.x FROM (SELECT 1 AS x) AS a`,
    "SELECT CAST('1' AS DECIMAL(10, 2)), CAST(x AS CHARACTER VARYING (20)) FROM (SELECT 1 AS x)",
    "SELECT x'00' || 'a' COLLATE NOCASE, '{}' ->> 'a', '{}' -> '$.b', 1e3, 0x1f FROM (SELECT 1)",
    "SELECT 'INSERT INTO sqlite_master; DROP', \"a;b\" FROM (SELECT 1 AS \"a;b\") -- DELETE FROM trunkline_facts",
    "SELECT गिनती.\"कुल कॉल\" FROM (SELECT 1 AS \"कुल कॉल\") AS गिनती",
    `SELECT main.app_id FROM ${view.toUpperCase()} AS main`,
    `SELECT * FROM \`${view}\` EXCEPT SELECT * FROM [${view}]`,
    `SELECT like('a', 'b'), glob('a', 'b'), if(1, 2), a LIKE ('b') FROM (SELECT 1 AS a)`,
    `SELECT json_tree.key FROM ${view} JOIN json_tree(metadata) ON true`,
    `SELECT group_concat(DISTINCT app_id), count(DISTINCT (app_id)) FROM ${view} WHERE user_turns ISNULL`,
    `SELECT percentile_cont(duration, 0.5) FROM ${view} UNION ALL VALUES (1) INTERSECT SELECT 2`
  ]
  for (const text of fair) {
    it(`such as ${text.replaceAll(/\s+/g, " ")}`, () => assert.strictEqual(codeOf(text), "passes"))
  }

  it("as many question marks as values, ignoring those in quotes and comments", () => {
    assert.strictEqual(codeOf("SELECT ?, '?', \"?\", [?] -- ?\n, ? /* ? */", 2), "passes")
    assert.strictEqual(codeOf("SELECT ?, ?", 1), "INVALID_SQL")
    assert.strictEqual(codeOf("SELECT '?'", 1), "INVALID_SQL")
    assert.strictEqual(codeOf("SELECT ?2, ?1", 2), "INVALID_SQL")
  })

  it("exactly 64 KiB of SQL, counted in bytes", () => {
    const filled = (unit: string) =>
      `SELECT '${unit.repeat((maxStatementBytes - 9) / new TextEncoder().encode(unit).length)}'`
    assert.strictEqual(codeOf(filled("x")), "passes")
    assert.strictEqual(codeOf(`${filled("x")} `), "INVALID_SQL")
    assert.strictEqual(codeOf(`${filled("é")}  `), "INVALID_SQL")
  })
})

describe("checkStatement rejects with", () => {
  const rejections: ReadonlyArray<readonly [text: string, message: string]> = [
    ["", "The SQL is empty. Write a SELECT."],
    ["DROP TABLE x", "Only a SELECT can be run. Begin the SQL with SELECT, WITH or VALUES."],
    ["SELECT 1; SELECT 2", "Only one SELECT can be run. Remove what follows the semicolon."],
    ["WITH x AS (SELECT 1) DELETE FROM y", "Only a SELECT can be run. End the WITH with a SELECT."],
    ["SELECT 1,\n 'a", "Close the quote that begins at line 2, column 2."],
    ["SELECT 1 /* a", "Close the comment that begins at line 1, column 10."],
    ["SELECT 1 ^ 2", "The text at line 1, column 10 is not SQL. Remove it, or put it in quotes."],
    ["SELECT 1)", "Remove the parenthesis at line 1, column 9, or open it before."],
    ["SELECT (1", "Close every parenthesis that is opened."],
    ["SELECT :name", "Use a filter instead of the placeholder at line 1, column 8."],
    ["SELECT ?", "The SQL has 1 placeholders, but there are 0 values for them."],
    ["SELECT * FROM \"my table\"", "There is no table my table here. Query EngagementFactsBoardsView."],
    ["SELECT * FROM 'secret'", "A text cannot be queried. Query EngagementFactsBoardsView."],
    ["SELECT * FROM temp.x", "Name tables without a database before them. Remove temp."],
    ["SELECT Sqlite_Version()", "The function Sqlite_Version cannot be used here. Remove it."],
    ["SELECT * FROM fsdir('/')", "The function fsdir cannot be queried. Query EngagementFactsBoardsView."],
    [`SELECT ${"f".repeat(99)}()`, `The function ${"f".repeat(60)}… cannot be used here. Remove it.`]
  ]
  for (const [text, message] of rejections) {
    it(`"${message}"`, () => assert.strictEqual(messageOf(text), message))
  }
})

describe("outerLimit", () => {
  it("is true for a LIMIT outside parentheses, quotes and comments", () => {
    assert.deepStrictEqual(limits("SELECT 1 LIMIT 5"), Either.right(true))
    assert.deepStrictEqual(limits("SELECT 1 UNION SELECT 2 limit -1"), Either.right(true))
    assert.deepStrictEqual(limits("SELECT 1 FETCH FIRST 5 ROWS ONLY"), Either.right(true))
    assert.deepStrictEqual(limits("SELECT * FROM (SELECT 1 LIMIT 5)"), Either.right(false))
    assert.deepStrictEqual(
      limits("SELECT 'LIMIT 5', \"limit\", [limit] -- LIMIT 5\n/* LIMIT 5 */"),
      Either.right(false)
    )
    assert.deepStrictEqual(limits("WITH x AS (SELECT 1 LIMIT 5) SELECT fetch FROM x"), Either.right(false))
  })

  it("caps the rows to read at 1,000; otherwise the client's limit applies", () => {
    assert.strictEqual(maxRowsFor({ outerLimit: true }, 10_000), 1000)
    assert.strictEqual(maxRowsFor({ outerLimit: true }, 7), 7)
    assert.strictEqual(maxRowsFor({ outerLimit: false }, 10_000), 10_000)
  })
})
