import { type Attack, expectBounded, expectContained, expectRefused } from "../Attack.js"

const wrong = expectRefused("INVALID_SQL")
const stopsOr = expectRefused("INVALID_SQL", "RESOURCE_LIMIT")
const nest = (open: string, close: string, times: number) => `SELECT ${open.repeat(times)}1${close.repeat(times)}`

/** Statements that confuse SQL parsers. */
export const parser: ReadonlyArray<Attack> = [
  ...wrong(
    "",
    " \n\t-- nothing\n/* at all */ ",
    ";;",
    `SELECT '${"x".repeat(64 * 1024)}'`,
    `SELECT '${"ह".repeat(22 * 1024)}'`,
    "SELECT 1 \u0000",
    "SELECT 'a\u0000b'",
    "SELECT 'never closed",
    "SELECT \"never closed",
    "SELECT [never closed",
    "SELECT 1 /* never closed",
    "SELECT 1 /*/",
    "SELECT x'0'",
    "SELECT x'zz'",
    "SELECT 12abc",
    "SELECT 1 ^ 2",
    "SELECT \\1",
    "SELECT 1 # comment?",
    "1) UNION SELECT * FROM (SELECT 2",
    "SELECT 1) UNION SELECT * FROM (SELECT 2",
    "SELECT 1))",
    "SELECT ((1)",
    "(SELECT 1)",
    "SELECT 1 FROM EngagementFactsBoardsView WHERE",
    "SELECT 1 AS a ORDER BY",
    "SELECT * FROM EngagementFactsBoardsView LIMIT 1 LIMIT 2",
    "VALUES (1), (1, 2)"
  ),
  ...expectRefused("NOT_READ_ONLY", "INVALID_SQL")("\u00a0SELECT 1", "ＳＥＬＥＣＴ 1", "SELECT\u00a01", "SELEKT 1"),
  ...stopsOr(
    nest("(", ")", 20_000),
    nest("-(", ")", 5000),
    nest("NOT ", "", 10_000),
    nest("(SELECT ", ")", 3000),
    nest("abs(", ")", 5000),
    nest("CASE WHEN 1 THEN ", " END", 2500),
    `SELECT 1${" + 1".repeat(12_000)}`,
    `SELECT ${Array.from({ length: 4000 }, () => "1").join(", ")}`,
    `SELECT * FROM EngagementFactsBoardsView a0${
      Array.from({ length: 80 }, (_, index) => ` JOIN EngagementFactsBoardsView a${index + 1}`).join("")
    }`
  ),
  ...expectBounded(
    `SELECT 1${" UNION ALL SELECT 1".repeat(3000)}`,
    `SELECT 1 IN (${Array.from({ length: 20_000 }, (_, index) => index).join(",")})`
  ),
  ...expectContained(
    "\ufeffSELECT 1",
    "SELECT 1 -- LIMIT 5\r, 2",
    "SELECT 'LIMIT 5', \"LIMIT\" FROM (SELECT 1 AS \"LIMIT\")",
    "SELECT 1 WHERE 'sqlite_master' <> 'trunkline_facts' -- pragma_x",
    "SELECT '\ud800'",
    "SELECT 1 -- \u2028 SELECT 2",
    "select/**/1/**/as/**/a--"
  )
]

const bind = (sql: string, ...parameters: ReadonlyArray<string | number>): Attack => ({
  sql,
  parameters,
  expected: { kind: "refused", codes: ["INVALID_SQL"] }
})

/** Placeholders and template tokens in wrong places. */
export const tokens: ReadonlyArray<Attack> = [
  ...wrong(
    "SELECT ?",
    "SELECT ?1",
    "SELECT :name",
    "SELECT @name",
    "SELECT $name",
    "SELECT $name::part(x)",
    "SELECT $name(",
    "SELECT 1::text",
    "SELECT {{name}}",
    "SELECT '{{name}}' || {{name}}",
    "SELECT * FROM EngagementFactsBoardsView WHERE app_id = {{app}} [[AND 1 = 1]]",
    "SELECT #{name}",
    "SELECT ${name}"
  ),
  bind("SELECT 1", 1),
  bind("SELECT ?", 1, 2),
  bind("SELECT ?, ?", 1),
  bind("SELECT ?1", 1),
  bind("SELECT :a", 1),
  bind("SELECT ?, ?2", 1, 2),
  bind("SELECT '?'", "x"),
  bind("SELECT 1 -- ?", "x"),
  bind("SELECT 1 AS ?", "x"),
  bind("SELECT * FROM ?", "sqlite_master"),
  bind("SELECT * FROM EngagementFactsBoardsView ? BY 1", "ORDER"),
  bind("SELECT ?('x')", "load_extension"),
  { sql: "SELECT ?", parameters: ["') UNION SELECT * FROM trunkline_facts --"], expected: { kind: "bounded" } },
  {
    sql: "SELECT app_id FROM EngagementFactsBoardsView ORDER BY ?",
    parameters: ["1; DROP"],
    expected: { kind: "contained" }
  },
  {
    sql: "SELECT app_id FROM EngagementFactsBoardsView WHERE app_id = ? OR ?",
    parameters: ["' OR 1=1 --", "sqlite_master"],
    expected: { kind: "contained" }
  },
  { sql: "SELECT 1 LIMIT ?", parameters: ["10; DROP TABLE trunkline_facts"], expected: { kind: "contained" } }
]
