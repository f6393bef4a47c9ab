import { assert, describe, it } from "@effect/vitest"
import { type FilterInput, type FilterType, type FilterValues, Runs } from "@trunkline/boards"
import { BoardsFailure } from "@trunkline/errors"
import { AppId } from "@trunkline/kernel"
import { type Fact, Warehouse, warehouseMemory } from "@trunkline/warehouse"
import { factOf } from "@trunkline/warehouse/testing"
import { DateTime, Effect, FastCheck, Layer, TestClock } from "effect"
import { checkSql } from "../../src/boards/CheckSql.js"
import { filter } from "../filters/Fixtures.js"
import { boardId, boardOf, otherScope, runsOver, saveBoard, scope, tabId, widgetId } from "./Fixtures.js"

const view = "EngagementFactsBoardsView"
const at = (moment: string, app: string): Partial<Fact> => ({
  app_id: AppId.make(app),
  executed_at: DateTime.unsafeMake(moment),
  start_datetime: DateTime.unsafeMake(moment)
})

/** Calls around midnight in India, which is 18:30 UTC. */
const calls = [
  at("2026-03-01T18:29:59.999Z", "sales"),
  at("2026-03-01T18:30:00.000Z", "sales"),
  at("2026-03-02T18:29:59.999Z", "support"),
  at("2026-03-02T18:30:00.000Z", "support")
]

const warehouse = Layer.tap(
  warehouseMemory,
  (context) =>
    Effect.forEach(
      [scope, otherScope],
      (workspace) =>
        Effect.flatMap(Effect.provide(Warehouse, Layer.succeedContext(context)), (warehouse) =>
          warehouse.apply(workspace, {
            from: 0,
            to: calls.length,
            changes: calls.map((call, index) => {
              const fact = factOf(workspace, index, call)
              return {
                attempt_id: fact.attempt_id,
                fact: Object.assign(fact, { app_name: null, campaign_name: null, cohort_name: null })
              }
            })
          }))
    )
)

const layer = runsOver(warehouse)

const valuesOf = (values: Readonly<Record<string, readonly [FilterType, FilterInput]>>): FilterValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, [filter_type, value]]) => [name, { filter_type, value }])
  )

/** Rows of a preview, or the code of its failure. */
const rowsOf = (sql: string, values: Readonly<Record<string, readonly [FilterType, FilterInput]>> = {}) =>
  Runs.pipe(
    Effect.flatMap((runs) => runs.preview(scope, { sql, filter_values: valuesOf(values) })),
    Effect.map(({ rows }): unknown => rows),
    Effect.catchAll((failure) => Effect.succeed(failure instanceof BoardsFailure ? failure.code : failure._tag))
  )

const count = `SELECT count(*) FROM ${view}`

describe("runs over SQLite", () => {
  it.layer(layer)((it) => {
    it.effect("return values as they were bound", () =>
      Effect.gen(function*() {
        const sql = "SELECT {{s}}, {{n}}, {{b}}, {{d}}, typeof({{n}}), typeof({{z}})"
        const values = {
          s: ["string", "'; DROP TABLE facts; -- {{s}} ]] ?"],
          n: ["number", "1.5"],
          b: ["boolean", true],
          d: ["date", "2026-03-02"],
          z: ["string", null]
        } as const
        assert.deepStrictEqual(yield* rowsOf(sql, values), [
          ["'; DROP TABLE facts; -- {{s}} ]] ?", 1.5, 1, "2026-03-01T18:30:00.000Z", "real", "null"]
        ])
        assert.deepStrictEqual(yield* rowsOf(count), [[4]])
      }))

    const noNul = FastCheck.string({ unit: "grapheme", maxLength: 40 }).filter((text) => !text.includes("\0"))

    it.effect.prop("return any text unchanged, alone and in lists", [
      FastCheck.array(noNul, { minLength: 1, maxLength: 5 })
    ], (
      [texts]
    ) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* rowsOf("SELECT {{a}}", { a: ["string", texts[0] ?? ""] }), [[texts[0]]])
        assert.deepStrictEqual(yield* rowsOf("VALUES ({{a}})", { a: ["list", texts] }), [texts])
      }))

    it.effect("compare whole numbers of 64 bits exactly", () =>
      Effect.gen(function*() {
        const sql = `WITH numbers(n) AS (VALUES (9007199254740992), (9007199254740993), (9007199254740994))
          SELECT n FROM numbers`
        const big = { a: ["number", "9007199254740993"] } as const
        assert.deepStrictEqual(yield* rowsOf(`${sql} WHERE n = {{a}}`, big), [["9007199254740993"]])
        assert.deepStrictEqual(yield* rowsOf(`${sql} WHERE n > {{a}}`, big), [["9007199254740994"]])
        assert.deepStrictEqual(
          yield* rowsOf("SELECT {{a}}, typeof({{a}}), {{a}} - 1, '9007199254740993' = {{a}}", big),
          [
            ["9007199254740993", "integer", "9007199254740992", 0]
          ]
        )
        const list = ["list", "[9007199254740992, 9007199254740994]"] as const
        assert.deepStrictEqual(yield* rowsOf(`${sql} WHERE n IN ({{l}})`, { l: list }), [
          ["9007199254740992"],
          ["9007199254740994"]
        ])
      }))

    it.effect("find a row by a list of what a result has shown, whether it is a text or a number beyond 2^53", () =>
      Effect.gen(function*() {
        const sql = `WITH given(n) AS (VALUES (5), (9007199254740992), (9007199254740993), ('9007199254740993')),
            columns(n) AS (SELECT json_extract(json_object('n', n), '$.n') FROM given)
          SELECT n, typeof(n) FROM columns`
        for (const l of [[5, "9007199254740993"], `[5, "9007199254740993"]`]) {
          assert.deepStrictEqual(yield* rowsOf(`${sql} WHERE n IN ({{l}})`, { l: ["list", l] }), [
            [5, "integer"],
            ["9007199254740993", "integer"],
            ["9007199254740993", "text"]
          ])
          assert.deepStrictEqual(yield* rowsOf(`${sql} WHERE n NOT IN ({{l}})`, { l: ["list", l] }), [
            ["9007199254740992", "integer"]
          ])
        }
      }))

    it.effect("name a column without an alias after the SQL as written, whatever the values are", () =>
      Effect.gen(function*() {
        const values = {
          a: ["number", "1"],
          b: ["number", "9007199254740993"],
          l: ["list", ["sales", "support"]],
          d: ["date_range", { start: "2026-03-01", end: "2026-03-02" }]
        } as const
        const columnNamesOf = (
          sql: string,
          changed: Readonly<Record<string, readonly [FilterType, FilterInput]>> = {}
        ) => {
          const used = Object.entries({ ...values, ...changed }).filter(([name]) => sql.includes(`${name}}}`))
          return Effect.flatMap(
            Runs,
            (runs) => runs.preview(scope, { sql, filter_values: valuesOf(Object.fromEntries(used)) })
          ).pipe(
            Effect.map(({ columns }) => columns.map(({ name }) => name))
          )
        }
        const written = [
          "count(*)",
          "max(duration)",
          "{{a}}",
          "sum(duration > {{a}})",
          "sum(duration > {{b}})",
          "count(*) FILTER (WHERE app_id IN ({{l}}))",
          "count(*) FILTER (WHERE 1 [[AND effective_datetime BETWEEN {{d}}]])",
          "{{b}}",
          "1 +  {{a}}"
        ]
        const select = `SELECT ${written.join(", ")} FROM ${view}`
        assert.deepStrictEqual(yield* columnNamesOf(select), written)
        assert.deepStrictEqual(yield* columnNamesOf(select, { d: ["date_range", null], l: ["list", []] }), written)
        assert.deepStrictEqual(
          yield* columnNamesOf(
            `WITH w AS (SELECT sum(duration > {{a}}) FROM ${view}) SELECT sum(1 > {{b}}), w.* FROM w`
          ),
          ["sum(1 > {{b}})", "sum(duration > {{a}})"]
        )
        assert.deepStrictEqual(
          yield* columnNamesOf(`SELECT coalesce(1, {{a}}) AS one, {{b}}, {{a}} two [[, {{a}} + 1]] FROM ${view}`),
          ["one", "{{b}}", "two", "{{a}} + 1"]
        )
        assert.deepStrictEqual(yield* columnNamesOf(`SELECT * FROM (SELECT 1 + {{a}}, 1 + {{a}})`), [
          "1 + {{a}}",
          "1 + {{a}}:1"
        ])
        assert.deepStrictEqual(yield* columnNamesOf("SELECT count(*) [[, {{c}}]] FROM (SELECT 1)"), ["count(*)"])
        assert.deepStrictEqual(yield* columnNamesOf("SELECT 1 + {{  a}}"), ["1 + {{  a}}"])
      }))

    it.effect("include an Indian day from its first to its last millisecond, however it is written", () =>
      Effect.gen(function*() {
        const day = { d: ["date_range", { start: "2026-03-02", end: "2026-03-02" }] } as const
        assert.deepStrictEqual(yield* rowsOf(`${count} WHERE effective_datetime BETWEEN {{d}}`, day), [[2]])
        assert.deepStrictEqual(
          yield* rowsOf(
            `${count} WHERE effective_datetime >= {{d.start}} AND effective_datetime < {{d.end}}`,
            day
          ),
          [[2]]
        )
        assert.deepStrictEqual(
          yield* rowsOf(`${count} WHERE effective_datetime >= {{d}}`, { d: ["date", "2026-03-02"] }),
          [[3]]
        )
      }))

    it.effect("match nothing with an empty list, and everything outside of it", () =>
      Effect.gen(function*() {
        const within = `${count} WHERE app_id IN ({{l}})`
        const without = `${count} WHERE app_id NOT IN ({{l}})`
        for (const [items, inside] of [[[], 0], [["sales"], 2], [["sales", "support", "x"], 4]] as const) {
          assert.deepStrictEqual(yield* rowsOf(within, { l: ["list", items] }), [[inside]])
          assert.deepStrictEqual(yield* rowsOf(without, { l: ["list", items] }), [[4 - inside]])
        }
      }))

    it.effect("drop optional clauses, and treat NULL as written in the SQL", () =>
      Effect.gen(function*() {
        const optional = `${count} WHERE 1=1 [[AND app_id = {{a}}]] [[AND retry_attempt > {{n}}]]`
        assert.deepStrictEqual(yield* rowsOf(optional), [[4]])
        assert.deepStrictEqual(yield* rowsOf(optional, { a: ["string", "sales"] }), [[2]])
        assert.deepStrictEqual(yield* rowsOf(optional, { a: ["string", null], n: ["number", 0] }), [[0]])
        const either = `${count} WHERE ({{a}} IS NULL OR app_id = {{a}})`
        assert.deepStrictEqual(yield* rowsOf(either, { a: ["string", null] }), [[4]])
        assert.deepStrictEqual(yield* rowsOf(either, { a: ["string", "sales"] }), [[2]])
      }))

    it.effect("reject SQL that reaches outside the view", () =>
      Effect.gen(function*() {
        const a = { a: ["string", "x"] } as const
        assert.strictEqual(yield* rowsOf("SELECT * FROM facts WHERE 1 = {{a}}", a), "FORBIDDEN_TABLE")
        assert.strictEqual(yield* rowsOf("SELECT load_extension({{a}})", a), "FORBIDDEN_FUNCTION")
        assert.strictEqual(yield* rowsOf("SELECT {{a}}; DROP TABLE facts", a), "MULTIPLE_STATEMENTS")
        assert.strictEqual(yield* rowsOf("SELECT 1 FROM {{a}}", a), "INVALID_SQL")
        assert.strictEqual(yield* rowsOf("SELECT {{a}}1", a), "INVALID_SQL")
        assert.strictEqual(yield* rowsOf("SELECT no_such_column FROM EngagementFactsBoardsView"), "INVALID_SQL")
      }))

    it.effect("report a truncated result", () =>
      Effect.gen(function*() {
        const runs = yield* Runs
        const allRows = yield* runs.preview(scope, { sql: `SELECT attempt_id FROM ${view}`, row_limit: 4 })
        assert.deepStrictEqual([allRows.rows.length, allRows.truncated], [4, false])
        const cut = yield* runs.preview(scope, { sql: `SELECT attempt_id FROM ${view}`, row_limit: 3 })
        assert.deepStrictEqual([cut.rows.length, cut.truncated], [3, true])
      }))

    it.effect("resolve relative days of a tab when it runs", () =>
      Effect.gen(function*() {
        yield* saveBoard(
          boardOf([
            `SELECT app_id, count(*) AS calls FROM ${view} WHERE effective_datetime BETWEEN {{day}} GROUP BY 1 ORDER BY 1`,
            `SELECT nothing FROM ${view}`,
            `${count} WHERE app_id = {{app}}`
          ], [
            filter("date_range", { internal_name: "day", default_value: `{"start":"today-1d","end":"today"}` }),
            filter("dropdown", { internal_name: "app", options: ["sales", "support"], default_value: "sales" })
          ])
        )
        yield* TestClock.setTime(DateTime.unsafeMake("2026-03-02T06:00:00Z").epochMillis)
        const runs = yield* Runs
        const { filter_values_used, results } = yield* runs.tab(scope, boardId, tabId, {
          filter_values: valuesOf({ app: ["dropdown", "support"] })
        })
        assert.deepStrictEqual(
          results.map((result) => result.status === "ok" ? result.rows : result.error.code),
          [[["sales", 2], ["support", 1]], "INVALID_SQL", [[2]]]
        )
        assert.deepStrictEqual(filter_values_used, {
          day: `{"start":"2026-03-01","end":"2026-03-02"}`,
          app: "support"
        })
        assert.deepStrictEqual((yield* runs.widgetUncached(scope, boardId, widgetId(2))).rows, [[2]])
      }))

    it.effect("are checked without running, with optional clauses and without", () =>
      Effect.gen(function*() {
        const check = (sql: string, ...filters: ReadonlyArray<readonly [string, FilterType]>) =>
          checkSql(scope, sql, filters.map(([internal_name, filter_type]) => ({ internal_name, filter_type }))).pipe(
            Effect.map((columns): unknown => columns.map(({ name }) => name)),
            Effect.catchTag("BoardsFailure", ({ code }) => Effect.succeed(code))
          )
        assert.deepStrictEqual(
          yield* check(
            `SELECT app_id, count(*) AS calls FROM ${view} WHERE app_id IN ({{l}}) AND effective_datetime BETWEEN {{d}}
             AND effective_datetime < {{e.end}} [[AND duration > {{n}}]] GROUP BY 1`,
            ["l", "list"],
            ["d", "date_range"],
            ["n", "number"]
          ),
          ["app_id", "calls"]
        )
        assert.strictEqual(yield* check(`${count} [[WHERE no_such = {{a}}]]`), "INVALID_SQL")
        assert.strictEqual(yield* check("SELECT 1 [[, {{a}} FROM]] EngagementFactsBoardsView x, 1"), "INVALID_SQL")
        assert.strictEqual(yield* check(`SELECT [[ {{a}} ]] FROM ${view}`), "INVALID_SQL", "nothing is left")
        assert.strictEqual(
          yield* check(`${count} WHERE effective_datetime = {{d}}, 1`, ["d", "date_range"]),
          "INVALID_SQL"
        )
        assert.strictEqual(yield* check("SELECT {{d.start}}", ["d", "date"]), "INVALID_SQL")
        assert.strictEqual(yield* check("SELECT '{{d}}'", ["d", "date"]), "INVALID_SQL")
        assert.strictEqual(yield* check("SELECT 1 FROM sqlite_master"), "FORBIDDEN_TABLE")
        assert.strictEqual(yield* check("UPDATE x SET y = {{a}}"), "NOT_READ_ONLY")
      }))
  })
})
