import { assert, describe, it } from "@effect/vitest"
import { FilterConditions, matches, maxConditions } from "@trunkline/analytics"
import { type CallChange, callPlace, callRecord, unanswered } from "@trunkline/analytics/testing"
import { issuesOf } from "@trunkline/errors"
import { DateTime, Either, FastCheck, Schema } from "effect"

const Query = Schema.Struct({ filter_conditions: FilterConditions })

const decode = (filter_conditions: string) =>
  Either.map(
    Schema.decodeUnknownEither(Query, { errors: "all" })({ filter_conditions }),
    (query) => query.filter_conditions
  )

const place = callPlace("filters")

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
  it("texts are equal only letter by letter", () => {
    assert.isTrue(holds({ user_identifier: "Asha" }, "user_identifier", "equals", "Asha"))
    assert.isFalse(holds({ user_identifier: "Asha" }, "user_identifier", "equals", "asha"))
    assert.isTrue(holds({ user_identifier: "Asha" }, "user_identifier", "not_equals", "asha"))
    assert.isFalse(holds({ user_identifier: "Asha" }, "user_identifier", "not_equals", "Asha"))
  })

  it("parts of texts are found in any case, and no character is a wildcard", () => {
    const change = { user_identifier: "Asha_Rao" }
    assert.isTrue(holds(change, "user_identifier", "includes", "SHA_R"))
    assert.isTrue(holds(change, "user_identifier", "starts_with", "asha"))
    assert.isTrue(holds(change, "user_identifier", "ends_with", "RAO"))
    assert.isFalse(holds(change, "user_identifier", "starts_with", "rao"))
    assert.isFalse(holds(change, "user_identifier", "ends_with", "asha"))
    assert.isFalse(holds(change, "user_identifier", "includes", "A%o"))
    assert.isFalse(holds(change, "user_identifier", "includes", "A.ha"))
  })

  it("figures compare as figures, also when written as text", () => {
    const change = { app_version: 10 }
    assert.isTrue(holds(change, "app_version", "greater_than", "9"))
    assert.isFalse(holds(change, "app_version", "greater_than", 10))
    assert.isTrue(holds(change, "app_version", "less_than", 10.5))
    assert.isTrue(holds(change, "app_version", "equals", "10.0"))
    assert.isTrue(holds(change, "app_version", "not_equals", -10))
  })

  it("moments compare across offsets", () => {
    const at = { conversation: { end_datetime: DateTime.unsafeMake("2026-01-01T10:00:00Z") } }
    assert.isTrue(holds(at, "end_datetime", "equals", "2026-01-01T15:30:00+05:30"))
    assert.isTrue(holds(at, "end_datetime", "greater_than", "2026-01-01T15:29:59.999+05:30"))
    assert.isFalse(holds(at, "end_datetime", "less_than", "2026-01-01T10:00:00"))
  })

  it("what is not there meets not_equals and nothing else", () => {
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

  it("variables are texts, whatever they hold and however they are named", () => {
    const change = { conversation: { agent_variables: { "due": 42.5, "paid": false, "first.name": "Asha" } } }
    assert.isTrue(holds(change, "agent_variables.due", "equals", "42.5"))
    assert.isTrue(holds(change, "agent_variables.paid", "starts_with", "F"))
    assert.isTrue(holds(change, "agent_variables.first.name", "equals", "Asha"))
    assert.isFalse(holds(change, "agent_variables.toString", "includes", ""))
  })

  it("what is no JSON list of conditions is refused as a whole", () => {
    for (const text of ["", "{", "[{]", "NaN"]) {
      assert.deepStrictEqual(refusals(text), ["filter_conditions json_invalid"])
    }
    for (const text of ["{}", "null", "1", "\"[]\""]) {
      assert.deepStrictEqual(refusals(text), ["filter_conditions list_type"])
    }
    assert.deepStrictEqual(refusals("[null]"), ["filter_conditions.0 object_type"])
  })

  it("every wrong part of every condition is named by index and key", () => {
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

  it("values that are no figures are refused for figures", () => {
    for (const value of ["", " ", "0x10", "1e999", "Infinity", "1,5", true, null, [1], {}]) {
      assert.deepStrictEqual(refusalsOf({ id: "c1", field: "num_messages", operator: "equals", value }), [
        "filter_conditions.0.value float_type"
      ])
    }
    assert.deepStrictEqual(refusals(`[{"id":"c1","field":"num_messages","operator":"equals","value":1e999}]`), [
      "filter_conditions.0.value float_type"
    ])
  })

  it("fifty conditions are taken, one more is refused", () => {
    const condition = { id: "c1", field: "num_messages", operator: "equals", value: 1 }
    assert.deepStrictEqual(refusalsOf(...Array.from({ length: maxConditions }, () => condition)), [])
    assert.deepStrictEqual(refusalsOf(...Array.from({ length: maxConditions + 1 }, () => condition)), [
      "filter_conditions too_long"
    ])
  })

  it("what is refused is never repeated", () => {
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

  it.prop("reading conditions never throws, whatever the text", [
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

  it("conditions survive being written and read again", () => {
    const text = JSON.stringify([
      { id: "c1", field: "num_messages", operator: "less_than", value: "12" },
      { id: "c2", field: "agent_variables.name", operator: "includes", value: "a" },
      { id: "c3", field: "attempted_at", operator: "greater_than", value: "2026-01-01T05:30:00+05:30" }
    ])
    const conditions = Either.getOrThrow(decode(text))
    assert.deepStrictEqual(Either.getOrThrow(decode(Schema.encodeSync(FilterConditions)(conditions))), conditions)
  })
})
