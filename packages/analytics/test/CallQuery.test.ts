import { assert, describe, it } from "@effect/vitest"
import { CallQuery, fieldNames } from "@trunkline/analytics"
import { issuesOf } from "@trunkline/errors"
import { DateTime, Either, Schema } from "effect"

const decode = Schema.decodeUnknownEither(CallQuery)

const range = { start_datetime: "2026-01-01T00:00:00Z", end_datetime: "2026-01-02T00:00:00Z" }

const refusals = (query: unknown) =>
  Either.match(decode(query), {
    onLeft: (error) => issuesOf(error, "query").map(({ loc, type }) => `${loc.join(".")} ${type}`),
    onRight: () => []
  })

describe("CallQuery", () => {
  it("defaults to the twenty newest calls of the range", () => {
    assert.deepStrictEqual(Either.getOrThrow(decode(range)), {
      start_datetime: DateTime.unsafeMake("2026-01-01T00:00:00Z"),
      end_datetime: DateTime.unsafeMake("2026-01-02T00:00:00Z"),
      limit: 20,
      offset: 0,
      sort_order: "desc",
      filter_conditions: []
    })
  })

  it("treats empty text as absent, and rejects empty times and numbers", () => {
    const empty = { sort_by: "", sort_order: "", filter_conditions: "" }
    assert.deepStrictEqual(Either.getOrThrow(decode({ ...range, ...empty })), Either.getOrThrow(decode(range)))
    assert.deepStrictEqual(refusals({ ...empty, start_datetime: "", end_datetime: "", limit: "", offset: "" }), [
      "query.start_datetime datetime_parsing",
      "query.end_datetime datetime_parsing",
      "query.limit int_parsing",
      "query.offset int_parsing"
    ])
  })

  it("treats a range without offsets as UTC", () => {
    const { start_datetime } = Either.getOrThrow(decode({ ...range, start_datetime: "2026-01-01T00:00:00" }))
    assert.strictEqual(DateTime.formatIso(start_datetime), "2026-01-01T00:00:00.000Z")
  })

  it("limits pages to 1 to 100 calls", () => {
    assert.deepStrictEqual(["1", "100"].flatMap((limit) => refusals({ ...range, limit })), [])
    assert.deepStrictEqual(["0", "101", "ten"].flatMap((limit) => refusals({ ...range, limit })), [
      "query.limit greater_than_equal",
      "query.limit less_than_equal",
      "query.limit int_parsing"
    ])
  })

  it("sorts by every catalogued field, but not by the full number", () => {
    assert.deepStrictEqual(fieldNames.flatMap((sort_by) => refusals({ ...range, sort_by })), [])
    for (const sort_by of ["user_contact", "agent_variables.name", "toString", " "]) {
      assert.deepStrictEqual(refusals({ ...range, sort_by }), ["query.sort_by enum"])
    }
  })

  it("requires the end to be after the start", () => {
    assert.deepStrictEqual(refusals({ ...range, end_datetime: range.start_datetime }), [
      "query.end_datetime value_error"
    ])
    assert.deepStrictEqual(refusals({ start_datetime: range.end_datetime, end_datetime: range.start_datetime }), [
      "query.end_datetime value_error"
    ])
  })

  it("reports all issues at once", () => {
    assert.deepStrictEqual(
      refusals({
        start_datetime: "yesterday",
        limit: "0",
        offset: "-1",
        sort_by: "shoe_size",
        sort_order: "up",
        filter_conditions: JSON.stringify([{ id: "c1", field: "num_messages", operator: "includes", value: 1 }])
      }),
      [
        "query.start_datetime datetime_parsing",
        "query.end_datetime missing",
        "query.limit greater_than_equal",
        "query.offset greater_than_equal",
        "query.sort_by enum",
        "query.sort_order enum",
        "query.filter_conditions.0.operator enum"
      ]
    )
    assert.deepStrictEqual(refusals({ ...range, filter_conditions: "{}" }), ["query.filter_conditions list_type"])
  })
})
