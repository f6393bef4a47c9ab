import { assert, describe, it } from "@effect/vitest"
import { issuesOf } from "@trunkline/errors"
import { Either, Schema } from "effect"
import {
  CreateBoard,
  CreateTab,
  CreateWidget,
  ListBoards,
  maxSqlBytes,
  maxVizConfigLength,
  PatchBoard,
  PatchFilter,
  PatchTab,
  PatchWidget
} from "../../src/index.js"

const bodyOf = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all" })
  return {
    ok: (body: unknown) => Either.getOrThrow(decode(body)),
    /** Path and type of each validation error. */
    issues: (body: unknown) =>
      Either.match(decode(body), {
        onLeft: (error) => issuesOf(error, "body").map(({ loc, type }) => `${loc.slice(1).join(".")}: ${type}`),
        onRight: () => []
      })
  }
}

const board = bodyOf(CreateBoard)
const widget = bodyOf(CreateWidget)
const query = { name: "Calls", sql: "select 1" }

describe("a request body", () => {
  it("names have 1 to 60 characters of any script on one line, without surrounding space", () => {
    const sixty = "हि".repeat(30)
    assert.strictEqual(board.ok({ name: `  ${sixty}\n` }).name, sixty)
    assert.strictEqual(board.ok({ name: "😀".repeat(60) }).name, "😀".repeat(60))
    assert.deepStrictEqual(board.issues({ name: "x".repeat(61) }), ["name: string_too_long"])
    assert.deepStrictEqual(board.issues({ name: "  " }), ["name: string_too_short"])
    assert.deepStrictEqual(board.issues({ name: "a\nb" }), ["name: string_pattern_mismatch"])
    assert.deepStrictEqual(board.issues({ name: 7 }), ["name: string_type"])
    assert.deepStrictEqual(board.issues({}), ["name: missing"])
    assert.deepStrictEqual(board.issues({ name: null }), ["name: string_type"])
    for (const body of [bodyOf(CreateTab), bodyOf(PatchTab), bodyOf(PatchBoard), bodyOf(PatchWidget)]) {
      assert.deepStrictEqual(body.issues({ name: "x".repeat(61) }), ["name: string_too_long"])
    }
  })

  it("tags have at most 40 characters; null, empty and absent mean no tag", () => {
    assert.strictEqual(board.ok({ name: "a", tag: ` ${"x".repeat(40)} ` }).tag, "x".repeat(40))
    assert.deepStrictEqual(board.issues({ name: "a", tag: "x".repeat(41) }), ["tag: string_too_long"])
    assert.deepStrictEqual([{}, { tag: null }, { tag: " " }].map((tag) => board.ok({ name: "a", ...tag }).tag), [
      null,
      null,
      null
    ])
    assert.deepStrictEqual(bodyOf(PatchBoard).ok({}), {})
    assert.deepStrictEqual(bodyOf(PatchBoard).ok({ tag: "" }), { tag: null })
  })

  it("unknown keys are ignored, and all errors are reported at once", () => {
    assert.deepStrictEqual(board.ok({ name: "a", colour: "red" }), { name: "a", tag: null })
    assert.deepStrictEqual(widget.issues({ name: "", viz_type: "pie", filters: [{}], tab_id: 7 }), [
      "name: string_too_short",
      "sql: missing",
      "viz_type: enum",
      "filters.0.internal_name: missing",
      "filters.0.filter_type: missing",
      "tab_id: string_type"
    ])
  })

  it("a widget defaults to a table without settings, filters or a tab", () => {
    const decoded = widget.ok(query)
    assert.deepStrictEqual(decoded, { ...query, viz_type: "table", viz_config: {}, filters: [], tab_id: null })
  })

  it("SQL must not be empty and has at most 64 KiB", () => {
    assert.deepStrictEqual(widget.issues({ ...query, sql: "" }), ["sql: string_too_short"])
    assert.deepStrictEqual(widget.issues({ ...query, sql: "x".repeat(maxSqlBytes) }), [])
    assert.deepStrictEqual(widget.issues({ ...query, sql: "x".repeat(maxSqlBytes + 1) }), ["sql: string_too_long"])
    assert.deepStrictEqual(widget.issues({ ...query, sql: "ह".repeat(maxSqlBytes / 2) }), ["sql: string_too_long"])
    assert.deepStrictEqual(bodyOf(PatchWidget).issues({ sql: "" }), ["sql: string_too_short"])
  })

  it("settings must fit the visualization type; other keys are kept", () => {
    const settings = (viz_type: string, viz_config: unknown) => widget.issues({ ...query, viz_type, viz_config })
    for (const chart of ["bar", "line"]) {
      assert.deepStrictEqual(settings(chart, { x_axis: "day", y_axis: ["a", "b"] }), [])
      assert.deepStrictEqual(settings(chart, {}), ["viz_config.x_axis: missing", "viz_config.y_axis: missing"])
      assert.deepStrictEqual(settings(chart, { x_axis: "", y_axis: [] }), [
        "viz_config.x_axis: string_too_short",
        "viz_config.y_axis: too_short"
      ])
      assert.deepStrictEqual(settings(chart, { x_axis: 1, y_axis: "a" }), [
        "viz_config.x_axis: string_type",
        "viz_config.y_axis: list_type"
      ])
      assert.deepStrictEqual(settings(chart, { x_axis: "day", y_axis: ["a", 2] }), ["viz_config.y_axis.1: string_type"])
    }
    assert.deepStrictEqual(settings("number", {}), [])
    assert.deepStrictEqual(settings("number", { value_column: "n" }), [])
    assert.deepStrictEqual(settings("number", { value_column: 1 }), ["viz_config.value_column: string_type"])
    assert.deepStrictEqual(settings("table", { x_axis: 1 }), [])
    assert.deepStrictEqual(settings("table", "wide"), ["viz_config: object_type"])
    assert.deepStrictEqual(settings("bar", undefined), ["viz_config.x_axis: missing", "viz_config.y_axis: missing"])
    const viz_config = { x_axis: "day", y_axis: ["a"], colours: { a: [1, null] } }
    assert.deepStrictEqual(widget.ok({ ...query, viz_type: "bar", viz_config }).viz_config, viz_config)
  })

  it("settings have a maximum size", () => {
    const note = (length: number) => ({ ...query, viz_config: { note: "x".repeat(length) } })
    assert.deepStrictEqual(widget.issues(note(maxVizConfigLength - "{\"note\":\"\"}".length)), [])
    assert.lengthOf(widget.issues(note(maxVizConfigLength)), 1)
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)
    assert.deepStrictEqual(widget.issues({ ...query, viz_config: { deep } }), ["viz_config: value_error"])
  })

  it("positions are whole numbers from 0", () => {
    for (const placed of [bodyOf(PatchTab), bodyOf(PatchWidget)]) {
      assert.deepStrictEqual(placed.ok({ position: 0 }), { position: 0 })
      assert.deepStrictEqual(placed.issues({ position: -1 }), ["position: greater_than_equal"])
      assert.deepStrictEqual(placed.issues({ position: 1.5 }), ["position: int_type"])
      assert.deepStrictEqual(placed.issues({ position: "1" }), ["position: int_type"])
    }
  })

  it("a filter is declared once in a list", () => {
    const declare = (...names: ReadonlyArray<string>) => ({
      ...query,
      filters: names.map((internal_name) => ({ internal_name, filter_type: "string" }))
    })
    for (const declaring of [widget, bodyOf(PatchWidget)]) {
      assert.deepStrictEqual(declaring.issues(declare("a", "b", "A")), [])
      assert.deepStrictEqual(declaring.issues(declare("a", "b", "a", "b")), ["filters.2.internal_name: value_error"])
    }
    const refused = Schema.decodeUnknownEither(CreateWidget)(declare("a", "a"))
    assert.include(Either.isLeft(refused) ? refused.left.message : "", "The filter a is declared twice in one list")
  })

  it("a PATCH may omit any field or set it to null", () => {
    const { ok } = bodyOf(PatchFilter)
    const nothing = { display_label: null, filter_type: null, default_value: null, options: null }
    assert.deepStrictEqual(ok(nothing), nothing)
    assert.deepStrictEqual(ok({}), {})
    assert.deepStrictEqual(bodyOf(PatchFilter).issues({ filter_type: "colour", options: "a" }), [
      "filter_type: enum",
      "options: list_type"
    ])
  })

  it("lists default to the first 50 items and allow at most 100", () => {
    const list = bodyOf(ListBoards)
    assert.deepStrictEqual(list.ok({}), { limit: 50, offset: 0 })
    assert.deepStrictEqual(list.ok({ limit: "100", offset: "7" }), { limit: 100, offset: 7 })
    assert.deepStrictEqual(list.issues({ limit: "0", offset: "-1" }), [
      "limit: greater_than_equal",
      "offset: greater_than_equal"
    ])
    assert.deepStrictEqual(list.issues({ limit: "101" }), ["limit: less_than_equal"])
  })
})
