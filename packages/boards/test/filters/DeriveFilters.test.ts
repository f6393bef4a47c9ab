import { assert, describe, it } from "@effect/vitest"
import { type Filter, FilterDecl } from "@trunkline/boards"
import { Effect, Either, Schema } from "effect"
import {
  applyFilterChange,
  deriveFilters,
  type FilterChange,
  type FilterSource
} from "../../src/filters/DeriveFilters.js"
import { filter, valueOrCode } from "./Fixtures.js"

const derive = (widgets: ReadonlyArray<FilterSource>, existingFilters: ReadonlyArray<Filter> = []) => {
  let ids = 0
  const newId = Effect.sync(() => `new-${++ids}`)
  return Effect.runSync(Effect.either(deriveFilters({ widgets, existingFilters, newId }))).pipe(valueOrCode)
}

/** Fields of one of several filters. */
const at = (filters: ReadonlyArray<Filter> | string, index = 0): Record<string, unknown> =>
  typeof filters === "string" ? { refused: filters } : { ...filters[index] }

const changeOf = (before: Filter, change: FilterChange): Record<string, unknown> => ({
  ...Either.getOrThrow(applyFilterChange(before, change))
})

const summarize = (filters: ReadonlyArray<Filter> | string) =>
  typeof filters === "string"
    ? filters
    : filters.map(({ filter_type, id, internal_name, is_required }) => [internal_name, filter_type, id, is_required])

const declared = (internal_name: string, filter_type: FilterDecl["filter_type"], parts: Partial<FilterDecl> = {}) => ({
  internal_name,
  filter_type,
  ...parts
})

describe("deriveFilters", () => {
  it("creates a filter per used name in order of first use; undeclared ones are strings", () => {
    assert.deepStrictEqual(
      summarize(derive([{ sql: "{{b}} [[ {{a}} ]]" }, { sql: "{{a}} {{c}}", filters: [declared("c", "number")] }])),
      [["b", "string", "new-1", true], ["a", "string", "new-2", true], ["c", "number", "new-3", true]]
    )
  })

  it("fills in defaults for a declaration and keeps what it sets", () => {
    const filters = derive([{
      sql: "{{a}} {{b}}",
      filters: [
        declared("a", "dropdown", { options: ["x", "y"], default_value: "x", display_label: "Which" }),
        declared("b", "date")
      ]
    }])
    assert.deepStrictEqual(at(filters), {
      id: "new-1",
      internal_name: "a",
      display_label: "Which",
      filter_type: "dropdown",
      default_value: "x",
      options: ["x", "y"],
      is_required: false
    })
    assert.deepInclude(at(filters, 1), { display_label: "b", default_value: null, options: [], is_required: true })
  })

  it("requires a value where some widget does and there is no default", () => {
    assert.deepStrictEqual(summarize(derive([{ sql: "[[ {{a}} ]]" }])), [["a", "string", "new-1", false]])
    assert.deepStrictEqual(summarize(derive([{ sql: "[[ {{a}} ]]" }, { sql: "{{a}}" }])), [[
      "a",
      "string",
      "new-1",
      true
    ]])
    const existing = [filter("string", { default_value: "", is_required: true })]
    assert.deepStrictEqual(summarize(derive([{ sql: "{{a}}" }], existing)), [["a", "string", "id-of-a", false]])
  })

  it("infers a date range from the use of start or end, and rejects other types there", () => {
    assert.deepStrictEqual(summarize(derive([{ sql: "{{d.start}} {{d.end}}" }])), [["d", "date_range", "new-1", true]])
    assert.strictEqual(derive([{ sql: "{{d.start}}", filters: [declared("d", "date")] }]), "INVALID_SQL")
    assert.strictEqual(derive([{ sql: "{{a.start}}" }, { sql: "{{a}}" }], [filter("string")]), "INVALID_SQL")
  })

  it("keeps the attributes of existing filters and drops unused ones", () => {
    const existing = filter("number", { display_label: "Kept", default_value: "5" })
    assert.deepStrictEqual(derive([{ sql: "{{a}}" }], [existing, filter("date", { internal_name: "gone" })]), [
      existing
    ])
    assert.deepStrictEqual(derive([{ sql: "{{a}}", filters: [declared("a", "number")] }], [existing]), [existing])
    assert.deepStrictEqual(derive([{ sql: "SELECT 1", filters: [declared("a", "number")] }], [existing]), [])
  })

  it("lets a declaration change the fields that it sets", () => {
    const existing = filter("number", { display_label: "Kept", default_value: "5" })
    const filters = derive([{ sql: "{{a}}", filters: [declared("a", "number", { default_value: null })] }], [existing])
    assert.deepInclude(at(filters), { display_label: "Kept", default_value: null, is_required: true })
  })

  it("rejects two types for one name", () => {
    const asNumber = { sql: "{{a}}", filters: [declared("a", "number")] }
    assert.strictEqual(derive([asNumber, { sql: "{{a}}" }], [filter("string")]), "INVALID_FILTER_VALUE")
    assert.strictEqual(
      derive([{ sql: "{{a}}", filters: [declared("a", "number"), declared("a", "date")] }]),
      "INVALID_FILTER_VALUE"
    )
    assert.strictEqual(
      derive([asNumber, { sql: "{{a}}", filters: [declared("a", "date")] }]),
      "INVALID_FILTER_VALUE"
    )
  })

  it("lets the only widget that uses a name change its type, and drops the old default", () => {
    const existing = [filter("number", { default_value: "5" })]
    const filters = derive([{ sql: "{{a}}", filters: [declared("a", "date")] }], existing)
    assert.deepInclude(at(filters), { id: "id-of-a", filter_type: "date", default_value: null })
  })

  it("rejects defaults that do not parse as their type, and options of filters other than dropdowns", () => {
    const wrong: ReadonlyArray<FilterDecl> = [
      declared("a", "number", { default_value: "many" }),
      declared("a", "date", { default_value: "" }),
      declared("a", "dropdown", { default_value: "z", options: ["x"] }),
      declared("a", "string", { options: ["x"] })
    ]
    for (const decl of wrong) {
      assert.strictEqual(derive([{ sql: "{{a}}", filters: [decl] }]), "INVALID_FILTER_VALUE")
    }
    for (const default_value of ["today", "today-7d", "month_start", "2026-01-01"]) {
      assert.isArray(derive([{ sql: "{{a}}", filters: [declared("a", "date", { default_value })] }]))
    }
  })

  it("rejects malformed SQL and a declared name inside quotes", () => {
    assert.strictEqual(derive([{ sql: "{{a" }]), "INVALID_SQL")
    assert.strictEqual(derive([{ sql: "SELECT '{{a}}'", filters: [declared("a", "string")] }]), "INVALID_SQL")
    assert.deepStrictEqual(derive([{ sql: "SELECT '{{a}}'" }]), [])
  })
})

describe("applyFilterChange", () => {
  const before = filter("dropdown", { options: ["x", "y"], default_value: "x" })

  it("changes the given fields; null clears only the default value", () => {
    assert.deepStrictEqual(valueOrCode(applyFilterChange(before, {})), before)
    assert.deepInclude(changeOf(before, { default_value: null, options: null, display_label: null }), {
      default_value: null,
      options: ["x", "y"],
      display_label: "A"
    })
    assert.deepInclude(changeOf(before, { display_label: "B" }), {
      display_label: "B",
      default_value: "x"
    })
  })

  it("rejects inconsistent results", () => {
    assert.strictEqual(valueOrCode(applyFilterChange(before, { options: ["y"] })), "INVALID_FILTER_VALUE")
    assert.strictEqual(valueOrCode(applyFilterChange(before, { default_value: "z" })), "INVALID_FILTER_VALUE")
    assert.strictEqual(
      valueOrCode(applyFilterChange(before, { filter_type: "string", options: ["x"] })),
      "INVALID_FILTER_VALUE"
    )
  })

  it("drops options when the type changes, and keeps a default that parses as the new type", () => {
    assert.deepInclude(changeOf(before, { filter_type: "string" }), { default_value: "x", options: [] })
    assert.strictEqual(valueOrCode(applyFilterChange(before, { filter_type: "number" })), "INVALID_FILTER_VALUE")
    assert.deepInclude(changeOf(before, { filter_type: "number", default_value: null }), { default_value: null })
  })
})

describe("FilterDecl", () => {
  const decode = Schema.decodeUnknownEither(FilterDecl)

  it("requires a valid name and a known type", () => {
    const takes = (declaration: unknown) => Either.isRight(decode(declaration))
    assert.isTrue(takes({ internal_name: "from_day", filter_type: "date_range", default_value: null }))
    assert.isFalse(takes({ internal_name: "from day", filter_type: "date" }))
    assert.isFalse(takes({ internal_name: "a".repeat(65), filter_type: "date" }))
    assert.isFalse(takes({ internal_name: "a", filter_type: "regex" }))
    assert.isFalse(takes({ internal_name: "a" }))
    assert.isFalse(takes({ internal_name: "a", filter_type: "string", default_value: 5 }))
  })
})
