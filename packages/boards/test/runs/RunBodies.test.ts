import { assert, describe, it } from "@effect/vitest"
import { PreviewRun, RunResult, TabRun, TabRunResult, WidgetRun } from "@trunkline/boards"
import { issuesOf } from "@trunkline/errors"
import { Either, Schema } from "effect"
import { cell, widgetId } from "./Fixtures.js"

const issues = <A, I>(schema: Schema.Schema<A, I>, body: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema, { errors: "all" })(body), {
    onLeft: (error) => issuesOf(error, "body").map(({ loc, type }) => [loc.join("."), type]),
    onRight: () => []
  })

describe("run bodies", () => {
  it("accept 1 to 10,000 rows, with a default of 1,000", () => {
    assert.deepStrictEqual(Schema.decodeUnknownSync(WidgetRun)({}), {
      filter_values: {},
      row_limit: 1_000,
      max_age: 60
    })
    assert.deepStrictEqual(issues(WidgetRun, { row_limit: 1 }), [])
    assert.deepStrictEqual(issues(WidgetRun, { row_limit: 10_000 }), [])
    assert.deepStrictEqual(issues(WidgetRun, { row_limit: 0 }), [["body.row_limit", "greater_than_equal"]])
    assert.deepStrictEqual(issues(WidgetRun, { row_limit: 10_001 }), [["body.row_limit", "less_than_equal"]])
    assert.deepStrictEqual(issues(PreviewRun, { sql: "SELECT 1", row_limit: 1.5 }), [["body.row_limit", "int_type"]])
    assert.deepStrictEqual(issues(PreviewRun, { sql: "SELECT 1", row_limit: "5" }), [["body.row_limit", "int_type"]])
  })

  it("accept results of an age of 0 to 60 seconds, with a default of 60", () => {
    assert.deepStrictEqual(Schema.decodeUnknownSync(TabRun)({}), { filter_values: {}, max_age: 60 })
    assert.deepStrictEqual(issues(TabRun, { max_age: 0 }), [])
    assert.deepStrictEqual(issues(TabRun, { max_age: 61 }), [["body.max_age", "less_than_equal"]])
    assert.deepStrictEqual(issues(WidgetRun, { max_age: -1 }), [["body.max_age", "greater_than_equal"]])
    assert.deepStrictEqual(issues(WidgetRun, { max_age: "5" }), [["body.max_age", "int_type"]])
  })

  it("require SQL for a preview", () => {
    assert.deepStrictEqual(issues(PreviewRun, {}), [["body.sql", "missing"]])
    assert.deepStrictEqual(issues(PreviewRun, { sql: "" }), [["body.sql", "string_too_short"]])
  })

  it("report the path of an invalid value", () => {
    assert.deepStrictEqual(issues(TabRun, { filter_values: { a: { filter_type: "date" } } }), [
      ["body.filter_values.a.value", "missing"]
    ])
    assert.deepStrictEqual(issues(TabRun, { filter_values: ["a"] }), [["body.filter_values", "object_type"]])
    assert.deepStrictEqual(issues(TabRun, {}), [])
  })
})

describe("run results", () => {
  it("encode unchanged", () => {
    const result: RunResult = {
      columns: [{ name: "a", type: "String" }, { name: "b" }],
      rows: [["x", null], [1.5, true]],
      truncated: true
    }
    assert.deepStrictEqual(Schema.encodeSync(RunResult)(result), result)
    const tab: TabRunResult = {
      results: [
        { widget_id: widgetId(0), status: "ok", ...cell(1) },
        { widget_id: widgetId(1), status: "error", error: { code: "TIMEOUT", message: "Too slow" } }
      ],
      filter_values_used: { a: "x", b: null }
    }
    assert.deepStrictEqual(Schema.decodeUnknownSync(TabRunResult)(Schema.encodeSync(TabRunResult)(tab)), tab)
  })
})
