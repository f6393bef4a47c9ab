import { assert, describe, it } from "@effect/vitest"
import {
  changedFilter,
  derivedFilters,
  type Filter,
  type FilterChange,
  FilterDecl,
  type FilterUser
} from "@trunkline/boards"
import { Effect, Either, Schema } from "effect"
import { filter, outcome } from "./fixtures.js"

const derived = (widgets: ReadonlyArray<FilterUser>, existing: ReadonlyArray<Filter> = []) => {
  let ids = 0
  const newId = Effect.sync(() => `new-${++ids}`)
  return Effect.runSync(Effect.either(derivedFilters({ widgets, existing, newId }))).pipe(outcome)
}

/** All that is said of one of several filters. */
const at = (filters: ReadonlyArray<Filter> | string, index = 0): Record<string, unknown> =>
  typeof filters === "string" ? { refused: filters } : { ...filters[index] }

const changedTo = (before: Filter, change: FilterChange): Record<string, unknown> => ({
  ...Either.getOrThrow(changedFilter(before, change))
})

const brief = (filters: ReadonlyArray<Filter> | string) =>
  typeof filters === "string"
    ? filters
    : filters.map(({ filter_type, id, internal_name, is_required }) => [internal_name, filter_type, id, is_required])

const declared = (internal_name: string, filter_type: FilterDecl["filter_type"], parts: Partial<FilterDecl> = {}) => ({
  internal_name,
  filter_type,
  ...parts
})

describe("derivedFilters", () => {
  it("gives a filter for each name that is used, in the order of first use; undeclared ones are texts", () => {
    assert.deepStrictEqual(
      brief(derived([{ sql: "{{b}} [[ {{a}} ]]" }, { sql: "{{a}} {{c}}", filters: [declared("c", "number")] }])),
      [["b", "string", "new-1", true], ["a", "string", "new-2", true], ["c", "number", "new-3", true]]
    )
  })

  it("fills in what a declaration leaves out, and keeps what it says", () => {
    const filters = derived([{
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

  it("needs a value where some widget does and there is no default", () => {
    assert.deepStrictEqual(brief(derived([{ sql: "[[ {{a}} ]]" }])), [["a", "string", "new-1", false]])
    assert.deepStrictEqual(brief(derived([{ sql: "[[ {{a}} ]]" }, { sql: "{{a}}" }])), [["a", "string", "new-1", true]])
    const existing = [filter("string", { default_value: "", is_required: true })]
    assert.deepStrictEqual(brief(derived([{ sql: "{{a}}" }], existing)), [["a", "string", "id-of-a", false]])
  })

  it("takes a name for a range where its start or end is used, and needs it to be one", () => {
    assert.deepStrictEqual(brief(derived([{ sql: "{{d.start}} {{d.end}}" }])), [["d", "date_range", "new-1", true]])
    assert.strictEqual(derived([{ sql: "{{d.start}}", filters: [declared("d", "date")] }]), "INVALID_SQL")
    assert.strictEqual(derived([{ sql: "{{a.start}}" }, { sql: "{{a}}" }], [filter("string")]), "INVALID_SQL")
  })

  it("keeps what is known of a filter, and forgets filters that nobody uses any more", () => {
    const kept = filter("number", { display_label: "Kept", default_value: "5" })
    assert.deepStrictEqual(derived([{ sql: "{{a}}" }], [kept, filter("date", { internal_name: "gone" })]), [kept])
    assert.deepStrictEqual(derived([{ sql: "{{a}}", filters: [declared("a", "number")] }], [kept]), [kept])
    assert.deepStrictEqual(derived([{ sql: "SELECT 1", filters: [declared("a", "number")] }], [kept]), [])
  })

  it("lets a declaration change what it speaks of", () => {
    const kept = filter("number", { display_label: "Kept", default_value: "5" })
    const filters = derived([{ sql: "{{a}}", filters: [declared("a", "number", { default_value: null })] }], [kept])
    assert.deepInclude(at(filters), { display_label: "Kept", default_value: null, is_required: true })
  })

  it("refuses two types for one name", () => {
    const asNumber = { sql: "{{a}}", filters: [declared("a", "number")] }
    assert.strictEqual(derived([asNumber, { sql: "{{a}}" }], [filter("string")]), "INVALID_FILTER_VALUE")
    assert.strictEqual(
      derived([{ sql: "{{a}}", filters: [declared("a", "number"), declared("a", "date")] }]),
      "INVALID_FILTER_VALUE"
    )
    assert.strictEqual(
      derived([asNumber, { sql: "{{a}}", filters: [declared("a", "date")] }]),
      "INVALID_FILTER_VALUE"
    )
  })

  it("lets the only widget that uses a name change its type, and drops a default of the old one", () => {
    const existing = [filter("number", { default_value: "5" })]
    const filters = derived([{ sql: "{{a}}", filters: [declared("a", "date")] }], existing)
    assert.deepInclude(at(filters), { id: "id-of-a", filter_type: "date", default_value: null })
  })

  it("refuses defaults that do not read as their type, and options of what is no dropdown", () => {
    const wrong: ReadonlyArray<FilterDecl> = [
      declared("a", "number", { default_value: "many" }),
      declared("a", "date", { default_value: "" }),
      declared("a", "dropdown", { default_value: "z", options: ["x"] }),
      declared("a", "string", { options: ["x"] })
    ]
    for (const decl of wrong) {
      assert.strictEqual(derived([{ sql: "{{a}}", filters: [decl] }]), "INVALID_FILTER_VALUE")
    }
    for (const default_value of ["today", "today-7d", "month_start", "2026-01-01"]) {
      assert.isArray(derived([{ sql: "{{a}}", filters: [declared("a", "date", { default_value })] }]))
    }
  })

  it("refuses SQL that is not well formed, and a declared name inside quotes", () => {
    assert.strictEqual(derived([{ sql: "{{a" }]), "INVALID_SQL")
    assert.strictEqual(derived([{ sql: "SELECT '{{a}}'", filters: [declared("a", "string")] }]), "INVALID_SQL")
    assert.deepStrictEqual(derived([{ sql: "SELECT '{{a}}'" }]), [])
  })
})

describe("changedFilter", () => {
  const before = filter("dropdown", { options: ["x", "y"], default_value: "x" })

  it("changes what is given; null clears the default value alone", () => {
    assert.deepStrictEqual(outcome(changedFilter(before, {})), before)
    assert.deepInclude(changedTo(before, { default_value: null, options: null, display_label: null }), {
      default_value: null,
      options: ["x", "y"],
      display_label: "A"
    })
    assert.deepInclude(changedTo(before, { display_label: "B" }), {
      display_label: "B",
      default_value: "x"
    })
  })

  it("refuses what would make no sense any more", () => {
    assert.strictEqual(outcome(changedFilter(before, { options: ["y"] })), "INVALID_FILTER_VALUE")
    assert.strictEqual(outcome(changedFilter(before, { default_value: "z" })), "INVALID_FILTER_VALUE")
    assert.strictEqual(
      outcome(changedFilter(before, { filter_type: "string", options: ["x"] })),
      "INVALID_FILTER_VALUE"
    )
  })

  it("drops options with the type that they were for, and keeps a default that reads as the new one", () => {
    assert.deepInclude(changedTo(before, { filter_type: "string" }), { default_value: "x", options: [] })
    assert.strictEqual(outcome(changedFilter(before, { filter_type: "number" })), "INVALID_FILTER_VALUE")
    assert.deepInclude(changedTo(before, { filter_type: "number", default_value: null }), { default_value: null })
  })
})

describe("FilterDecl", () => {
  const decode = Schema.decodeUnknownEither(FilterDecl)

  it("needs a name that SQL can use, and a type that exists", () => {
    const takes = (declaration: unknown) => Either.isRight(decode(declaration))
    assert.isTrue(takes({ internal_name: "from_day", filter_type: "date_range", default_value: null }))
    assert.isFalse(takes({ internal_name: "from day", filter_type: "date" }))
    assert.isFalse(takes({ internal_name: "a".repeat(65), filter_type: "date" }))
    assert.isFalse(takes({ internal_name: "a", filter_type: "regex" }))
    assert.isFalse(takes({ internal_name: "a" }))
    assert.isFalse(takes({ internal_name: "a", filter_type: "string", default_value: 5 }))
  })
})
