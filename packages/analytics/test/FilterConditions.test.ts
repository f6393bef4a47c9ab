import { assert, describe, it } from "@effect/vitest"
import { FilterConditions, matches, maxConditions } from "@trunkline/analytics"
import { type CallChange, callRecord, testPlace, unanswered } from "@trunkline/analytics/testing"
import { issuesOf } from "@trunkline/errors"
import { DateTime, Either, FastCheck, Schema } from "effect"

const Query = Schema.Struct({ filter_conditions: FilterConditions })

const decode = (filter_conditions: string) =>
  Either.map(
    Schema.decodeUnknownEither(Query, { errors: "all" })({ filter_conditions }),
    (query) => query.filter_conditions
  )

const place = testPlace("filters")

const holds = (change: CallChange, field: string, operator: string, value: unknown) =>
  matches(
    callRecord(place, 1, change),
    Either.getOrThrow(decode(JSON.stringify([{ id: "c1", field, operator, value }])))
  )

const refusals = (text: string) =>
  Either.match(decode(text), {
    onLeft: (error) => issuesOf(error, "query").map(({ loc, type }) => `${loc.slice(1).join(".")} ${type}`),
    onRight: () => []
  })

const refusalsOf = (...conditions: ReadonlyArray<unknown>) => refusals(JSON.stringify(conditions))

describe("FilterConditions", () => {
  it("compares text exactly", () => {
    assert.isTrue(holds({ user_identifier: "Asha" }, "user_identifier", "equals", "Asha"))
    assert.isFalse(holds({ user_identifier: "Asha" }, "user_identifier", "equals", "asha"))
    assert.isTrue(holds({ user_identifier: "Asha" }, "user_identifier", "not_equals", "asha"))
    assert.isFalse(holds({ user_identifier: "Asha" }, "user_identifier", "not_equals", "Asha"))
  })

  it("finds parts of text without regard to case and without wildcards", () => {
    const change = { user_identifier: "Asha_Rao" }
    assert.isTrue(holds(change, "user_identifier", "includes", "SHA_R"))
    assert.isTrue(holds(change, "user_identifier", "starts_with", "asha"))
    assert.isTrue(holds(change, "user_identifier", "ends_with", "RAO"))
    assert.isFalse(holds(change, "user_identifier", "starts_with", "rao"))
    assert.isFalse(holds(change, "user_identifier", "ends_with", "asha"))
    assert.isFalse(holds(change, "user_identifier", "includes", "A%o"))
    assert.isFalse(holds(change, "user_identifier", "includes", "A.ha"))
  })

  it("compares numbers as numbers, also from text", () => {
    const change = { app_version: 10 }
    assert.isTrue(holds(change, "app_version", "greater_than", "9"))
    assert.isFalse(holds(change, "app_version", "greater_than", 10))
    assert.isTrue(holds(change, "app_version", "less_than", 10.5))
    assert.isTrue(holds(change, "app_version", "equals", "10.0"))
    assert.isTrue(holds(change, "app_version", "not_equals", -10))
  })

  it("compares times across offsets", () => {
    const at = { conversation: { end_datetime: DateTime.unsafeMake("2026-01-01T10:00:00Z") } }
    assert.isTrue(holds(at, "end_datetime", "equals", "2026-01-01T15:30:00+05:30"))
    assert.isTrue(holds(at, "end_datetime", "greater_than", "2026-01-01T15:29:59.999+05:30"))
    assert.isFalse(holds(at, "end_datetime", "less_than", "2026-01-01T10:00:00"))
  })

  it("matches absent values with not_equals only", () => {
    for (const operator of ["equals", "includes", "starts_with", "ends_with"]) {
      assert.isFalse(holds(unanswered, "ended_by", operator, ""))
      assert.isFalse(holds({}, "agent_variables.absent", operator, ""))
    }
    for (const operator of ["equals", "greater_than", "less_than"]) {
      assert.isFalse(holds(unanswered, "num_messages", operator, 0))
    }
    assert.isTrue(holds(unanswered, "ended_by", "not_equals", "USER_ENDS"))
    assert.isTrue(holds(unanswered, "num_messages", "not_equals", 0))
    assert.isTrue(
      holds({ conversation: { agent_variables: { due: null } } }, "agent_variables.due", "not_equals", "null")
    )
  })

  it("treats variables as text, with any value and name", () => {
    const change = { conversation: { agent_variables: { "due": 42.5, "paid": false, "first.name": "Asha" } } }
    assert.isTrue(holds(change, "agent_variables.due", "equals", "42.5"))
    assert.isTrue(holds(change, "agent_variables.paid", "starts_with", "F"))
    assert.isTrue(holds(change, "agent_variables.first.name", "equals", "Asha"))
    assert.isFalse(holds(change, "agent_variables.toString", "includes", ""))
  })

  it("rejects anything but a JSON list of conditions", () => {
    for (const text of ["", "{", "[{]", "NaN"]) {
      assert.deepStrictEqual(refusals(text), ["filter_conditions json_invalid"])
    }
    for (const text of ["{}", "null", "1", "\"[]\""]) {
      assert.deepStrictEqual(refusals(text), ["filter_conditions list_type"])
    }
    assert.deepStrictEqual(refusals("[null]"), ["filter_conditions.0 object_type"])
  })

  it("reports every invalid part of every condition by index and key", () => {
    assert.deepStrictEqual(
      refusalsOf(
        { id: "c1", field: "shoe_size", operator: "equals", value: 1 },
        { id: "c1", field: "user_contact", operator: "equals", value: "+919876543210" },
        { id: "c1", field: "agent_variables.", operator: "equals", value: "" },
        { id: "c1", field: "num_messages", operator: "includes", value: "many" },
        { id: 7, field: "language_name", operator: "greater_than", value: 1 },
        { id: "c1", field: "start_datetime", operator: "starts_with", value: "2026-13-01" },
        { field: "ended_by" },
        {}
      ),
      [
        "filter_conditions.0.field enum",
        "filter_conditions.1.field enum",
        "filter_conditions.2.field enum",
        "filter_conditions.3.operator enum",
        "filter_conditions.3.value float_type",
        "filter_conditions.4.id string_type",
        "filter_conditions.4.operator enum",
        "filter_conditions.4.value string_type",
        "filter_conditions.5.operator enum",
        "filter_conditions.5.value datetime_parsing",
        "filter_conditions.6.id missing",
        "filter_conditions.6.operator missing",
        "filter_conditions.6.value missing",
        "filter_conditions.7.id missing",
        "filter_conditions.7.field missing",
        "filter_conditions.7.operator missing",
        "filter_conditions.7.value missing"
      ]
    )
  })

  it("rejects other values for numbers", () => {
    for (const value of ["", " ", "0x10", "1e999", "Infinity", "1,5", true, null, [1], {}]) {
      assert.deepStrictEqual(refusalsOf({ id: "c1", field: "num_messages", operator: "equals", value }), [
        "filter_conditions.0.value float_type"
      ])
    }
    assert.deepStrictEqual(refusals(`[{"id":"c1","field":"num_messages","operator":"equals","value":1e999}]`), [
      "filter_conditions.0.value float_type"
    ])
  })

  it("accepts fifty conditions and rejects one more", () => {
    const condition = { id: "c1", field: "num_messages", operator: "equals", value: 1 }
    assert.deepStrictEqual(refusalsOf(...Array.from({ length: maxConditions }, () => condition)), [])
    assert.deepStrictEqual(refusalsOf(...Array.from({ length: maxConditions + 1 }, () => condition)), [
      "filter_conditions too_long"
    ])
  })

  it("never repeats a rejected value", () => {
    const secret = "+919876543210"
    const messages = Either.match(
      decode(JSON.stringify([{ id: 1, field: secret }, { field: "job_id", operator: secret }])),
      {
        onLeft: (error) => JSON.stringify(issuesOf(error, "query")),
        onRight: () => secret
      }
    )
    assert.notInclude(messages, secret)
  })

  it.prop("never throws for any text", [
    FastCheck.oneof(
      FastCheck.string(),
      FastCheck.json(),
      FastCheck.array(
        FastCheck.record({
          id: FastCheck.jsonValue(),
          field: FastCheck.constantFrom("num_messages", "ended_by", "start_datetime", "agent_variables.x", "__proto__"),
          operator: FastCheck.constantFrom("equals", "less_than", "includes", "constructor", null),
          value: FastCheck.jsonValue()
        }, { requiredKeys: [] })
      ).map((conditions) => JSON.stringify(conditions))
    )
  ], ([text]) => {
    const decoded = decode(text)
    return Either.isLeft(decoded)
      ? issuesOf(decoded.left, "query").every(({ loc }) => loc[0] === "query")
      : typeof matches(callRecord(place, 1), decoded.right) === "boolean"
  })

  it("decodes encoded conditions to the same conditions", () => {
    const text = JSON.stringify([
      { id: "c1", field: "num_messages", operator: "less_than", value: "12" },
      { id: "c2", field: "agent_variables.name", operator: "includes", value: "a" },
      { id: "c3", field: "attempted_at", operator: "greater_than", value: "2026-01-01T05:30:00+05:30" }
    ])
    const conditions = Either.getOrThrow(decode(text))
    assert.deepStrictEqual(Either.getOrThrow(decode(Schema.encodeSync(FilterConditions)(conditions))), conditions)
  })
})
