import { type Attack, expectBounded, expectHeavyBounded, expectRefused, expectStopped } from "../Attack.js"

const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
const upTo = (count: number) => `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${count})`
const crossJoin = `EngagementFactsBoardsView a, EngagementFactsBoardsView b, EngagementFactsBoardsView c,
  EngagementFactsBoardsView d, EngagementFactsBoardsView e, EngagementFactsBoardsView f`

/** Statements that never end, or not in time. */
export const time: ReadonlyArray<Attack> = expectStopped(
  `${endless} SELECT count(*) FROM n`,
  `${endless} SELECT x FROM n WHERE x < 0`,
  `${endless} SELECT 1 WHERE EXISTS (SELECT 1 FROM n WHERE x = -1)`,
  `${endless} SELECT 1 WHERE 0 NOT IN (SELECT -x FROM n WHERE x < 0)`,
  `${endless} SELECT x FROM n LIMIT 1 OFFSET 9000000000000000000`,
  "WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT (x + 1) % 1000000007 FROM n) SELECT max(x) FROM n",
  `SELECT count(*) FROM ${crossJoin} WHERE a.duration + b.duration + c.duration + d.duration = -1`,
  `SELECT max(a.duration * b.duration - c.duration * d.duration + e.duration - f.duration) FROM ${crossJoin}`,
  `SELECT a.app_id FROM ${crossJoin} ORDER BY a.duration * b.duration - c.duration * d.duration LIMIT 1`,
  `SELECT a.app_id, b.app_id, count(DISTINCT e.user_identifier || f.user_identifier) FROM ${crossJoin} GROUP BY 1, 2`,
  `SELECT sum(a.duration) OVER (ORDER BY b.duration, c.duration) FROM ${crossJoin} LIMIT 1`,
  `SELECT 1 WHERE (SELECT count(*) FROM ${crossJoin}) = 0`,
  `${upTo(200000)} SELECT count(*) FROM n AS a, n AS b, n AS c WHERE a.x * b.x = -c.x`,
  `${upTo(1000)} SELECT count(*) FROM n, (SELECT printf('%.*c', 60000, 'a') AS t) AS s, n AS m
    WHERE t || n.x || m.x LIKE '%a%a%a%a%a%a%a%a%b'`,
  `${upTo(100000)} SELECT sum(length(replace(replace(printf('%.*c', 60000, 'a'), 'aa', 'a'), 'a', 'b' || x))) FROM n`,
  `${endless} SELECT sum(json_array_length(json('[' || x || ',[' || x || ']]'))) FROM n`
)

/** Endless results. */
export const rows: ReadonlyArray<Attack> = [
  ...expectBounded(
    `${endless} SELECT x FROM n`,
    `${endless} SELECT x FROM n LIMIT 9000000000000000000`,
    `${endless} SELECT x FROM n LIMIT -1`,
    `${endless} SELECT x FROM n LIMIT 100 * 1000 * 1000`,
    `${endless} SELECT x, x, x FROM n UNION ALL SELECT 1, 2, 3`,
    `SELECT * FROM ${crossJoin}`,
    `SELECT a.attempt_id FROM ${crossJoin}`,
    `${endless} SELECT printf('%.*c', 100000, 'x') FROM n`,
    `${endless} SELECT hex(printf('%.*c', 500000, 'x')) FROM n LIMIT 100000`,
    `${endless} SELECT ${Array.from({ length: 1900 }, () => "x").join(", ")} FROM n`,
    `VALUES ${Array.from({ length: 8000 }, (_, index) => `(${index})`).join(", ")}`,
    `SELECT value FROM json_each('[${Array.from({ length: 20_000 }, () => "1").join(",")}]')`
  ),
  ...expectHeavyBounded(`${upTo(3_000_000)} SELECT x FROM n ORDER BY x % 1000, x`)
]

/** Values and sorts that would exhaust memory. */
export const memory: ReadonlyArray<Attack> = [
  ...expectHeavyBounded(
    "SELECT length(printf('%.*c', 900000000, 'x'))",
    "SELECT printf('%.*c', 400000000, 'x') || printf('%.*c', 400000000, 'y')",
    "SELECT length(printf('%900000000d', 1))",
    "SELECT replace(printf('%.*c', 1000000, 'x'), 'x', printf('%.*c', 900, 'y'))",
    "SELECT length(hex(printf('%.*c', 450000000, 'x')))",
    "WITH RECURSIVE n(i, t) AS (SELECT 1, 'xy' UNION ALL SELECT i + 1, t || t FROM n WHERE i < 40) SELECT max(length(t)) FROM n",
    `${upTo(100_000_000)} SELECT length(group_concat(x)) FROM n`,
    `${upTo(100_000_000)} SELECT length(json_group_array(x)) FROM n`,
    `${upTo(100_000_000)} SELECT length(string_agg(printf('%.*c', 1000, 'x'), ',')) FROM n`,
    `${upTo(100_000_000)} SELECT DISTINCT printf('%.*c', 5000, 'x') || x FROM n ORDER BY 1 LIMIT 1`,
    `${upTo(100_000_000)} SELECT median(x) FROM n`,
    `${upTo(100_000_000)} SELECT lag(x, 90000000) OVER (ORDER BY -x) FROM n LIMIT 1`,
    `${upTo(100_000)} SELECT count(*) FROM (SELECT printf('%.*c', 10000, 'x') || x AS t FROM n GROUP BY 1)`,
    `SELECT json_extract('[' || replace(printf('%.*c', 100000000, '1'), '1', '1,') || '1]', '$[5]')`
  ),
  ...expectRefused("FORBIDDEN_FUNCTION")(
    "SELECT hex(zeroblob(1000000000))",
    "SELECT length(randomblob(1000000000))",
    "SELECT * FROM generate_series(1, 1000000000000)"
  )
]
