import { assert, describe, it } from "@effect/vitest"
import { FilterValues, type FilterValues as Given } from "@trunkline/boards"
import { issuesOf } from "@trunkline/errors"
import { DateTime, Either, FastCheck, Schema } from "effect"
import { mergeValues, usedValues } from "../../src/filters/FilterValues.js"
import { filter, valueOrCode } from "./Fixtures.js"

const now = DateTime.unsafeMake("2026-03-15T12:00:00Z").epochMillis
const filters = [
  filter("string", { internal_name: "app", default_value: "default-app" }),
  filter("number", { internal_name: "least" }),
  filter("date", { internal_name: "since", default_value: "today-7d" })
]

const merged = (inputs: Given) => valueOrCode(mergeValues(filters, inputs, now))
const used = (inputs: Given) => {
  const values = merged(inputs)
  return typeof values === "string" ? values : usedValues(filters, values)
}
const singleValue = (name: string, value: Given[string]): Given => Object.fromEntries([[name, value]])

describe("mergeValues", () => {
  it("uses defaults for missing values, and no value without a default", () => {
    assert.deepStrictEqual(used({}), { app: "default-app", least: null, since: "2026-03-08" })
    const values = merged({})
    assert.deepStrictEqual(typeof values === "string" ? values : [...values.keys()], ["app", "since"])
  })

  it("prefers the client's values over the defaults, including null", () => {
    assert.deepStrictEqual(
      used({
        app: { filter_type: "string", value: null },
        least: { filter_type: "number", value: "3.0" },
        since: { filter_type: "date", value: "month_start" }
      }),
      { app: null, least: "3", since: "2026-03-01" }
    )
    const values = merged({ app: { filter_type: "string", value: null } })
    assert.deepStrictEqual(typeof values === "string" ? values : values.get("app"), {
      type: "string",
      binding: null,
      text: null
    })
  })

  it("rejects filters that the run does not use, whatever their names", () => {
    for (const name of ["other", "constructor", "__proto__", "toString", "not a name"]) {
      assert.strictEqual(merged(singleValue(name, { filter_type: "string", value: "x" })), "UNKNOWN_FILTER", name)
    }
  })

  it("ignores inherited object properties", () => {
    const inherited = [
      filter("string", { internal_name: "constructor" }),
      filter("string", { internal_name: "__proto__" })
    ]
    assert.strictEqual(Either.getOrThrow(mergeValues(inherited, {}, now)).size, 0)
    const values = Either.getOrThrow(
      mergeValues(inherited, singleValue("__proto__", { filter_type: "string", value: "x" }), now)
    )
    assert.deepStrictEqual(Object.entries(usedValues(inherited, values)), [["constructor", null], ["__proto__", "x"]])
  })

  it("rejects a value of another type than its filter's, or one that does not parse", () => {
    assert.strictEqual(merged({ app: { filter_type: "number", value: "1" } }), "INVALID_FILTER_VALUE")
    assert.strictEqual(merged({ app: { filter_type: "number", value: null } }), "INVALID_FILTER_VALUE")
    assert.strictEqual(merged({ least: { filter_type: "number", value: "many" } }), "INVALID_FILTER_VALUE")
  })

  it.prop(
    "merging the effective values again gives the same result on any day",
    [
      FastCheck.double({ noNaN: true, noDefaultInfinity: true }),
      FastCheck.string({ unit: "grapheme" }),
      FastCheck.nat(4e12)
    ],
    ([least, app, later]) => {
      const first = Either.getOrThrow(
        mergeValues(filters, {
          least: { filter_type: "number", value: least },
          app: { filter_type: "string", value: app }
        }, now)
      )
      const texts = usedValues(filters, first)
      const again: Given = Object.fromEntries(
        filters.map(({ filter_type, internal_name }) => [internal_name, {
          filter_type,
          value: texts[internal_name] ?? null
        }])
      )
      assert.deepStrictEqual(Either.getOrThrow(mergeValues(filters, again, later)), first)
    }
  )
})

describe("FilterValues", () => {
  const decode = Schema.decodeUnknownEither(FilterValues, { errors: "all" })
  const issues = (inputs: unknown) =>
    Either.match(decode(inputs), {
      onLeft: (error) => issuesOf(error, "body").map(({ loc, type }) => [loc.join("."), type]),
      onRight: () => []
    })

  it("accepts text, numbers, booleans, lists, ranges and null", () => {
    for (const value of ["a", 1, true, null, ["a", 1], { start: "today", end: "today" }]) {
      assert.deepStrictEqual(issues({ a: { filter_type: "string", value } }), [])
    }
  })

  it("requires a known type and a value", () => {
    assert.deepStrictEqual(issues({ a: {} }), [["body.a.filter_type", "missing"], ["body.a.value", "missing"]])
    assert.deepStrictEqual(issues({ a: { filter_type: "regex", value: "x" } }), [["body.a.filter_type", "enum"]])
    assert.lengthOf(issues({ a: { filter_type: "list", value: [["nested"]] } }), 1)
    assert.deepStrictEqual(issues({ a: "x" }), [["body.a", "object_type"]])
  })
})
