import { assert, describe } from "@effect/vitest"
import { Invalid } from "@trunkline/errors"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { DateTime, Effect, Schema } from "effect"
import { FilterId, WidgetRecord } from "../../src/index.js"
import { asha, boards, bodies, codeOf, key, namesOf, newBoard, scope, widgetBody } from "./Fixtures.js"

/** A board with one widget of this SQL and these declarations. */
const boardWith = (sql: string, filters: ReadonlyArray<object> = []) =>
  Effect.gen(function*() {
    const board = yield* newBoard
    const { id, service } = board
    const widget = yield* service.createWidget(scope, id, widgetBody({ sql, filters }), asha)
    return {
      ...board,
      widget,
      create: (sql: string, filters: ReadonlyArray<object> = []) =>
        service.createWidget(scope, id, widgetBody({ sql, filters }), asha),
      patchWidget: (body: object) => service.patchWidget(scope, id, widget.id, bodies.widgetPatch(body), asha),
      filters: service.filters(scope, id),
      patch: (name: string, body: object) =>
        Effect.flatMap(service.filters(scope, id), (filters) =>
          service.patchFilter(
            scope,
            id,
            filters.find(({ internal_name }) => internal_name === name)?.id ?? FilterId.make("none"),
            bodies.filterPatch(body),
            key
          ))
    }
  })

describe("the filters of a board", () => {
  virtualTest(
    "are those that its widgets use, with their declarations, in order of first use",
    () =>
      Effect.gen(function*() {
        const { create, filters, get, widget } = yield* boardWith("select {{b}}, {{a}}, {{b}}", [
          { internal_name: "a", filter_type: "number", display_label: "Amount", default_value: "3" }
        ])
        const before = yield* filters
        assert.deepStrictEqual(widget.filters, before)
        assert.deepStrictEqual(
          before.map((
            { default_value, display_label, filter_type, internal_name, is_required }
          ) => [internal_name, display_label, filter_type, default_value, is_required]),
          [["b", "b", "string", null, true], ["a", "Amount", "number", "3", false]]
        )
        const second = yield* create("select {{c}} [[where {{b}}]]")
        const after = yield* filters
        assert.deepStrictEqual(namesOf(after), ["b", "a", "c"])
        assert.deepStrictEqual(after.slice(0, 2), before)
        assert.deepStrictEqual<ReadonlyArray<unknown>>(second.filters, [after[2], after[0]])
        const board = yield* get
        assert.deepStrictEqual(board.filters, after)
        assert.deepStrictEqual(board.tabs[0]?.widgets, [widget, second])
      }).pipe(Effect.provide(boards()))
  )

  virtualTest(
    "follow changed SQL, and are required only when needed",
    () =>
      Effect.gen(function*() {
        const { filters, patchWidget } = yield* boardWith("select {{a}}, {{b}}")
        const [a] = yield* filters
        const optional = a === undefined ? [] : [{ ...a, is_required: false }]
        assert.deepStrictEqual((yield* patchWidget({ sql: "select 1 [[where {{a}}]]" })).filters, optional)
        assert.deepStrictEqual(yield* filters, optional)
        assert.deepStrictEqual((yield* patchWidget({ sql: "select 1" })).filters, [])
        assert.deepStrictEqual(yield* filters, [])
      }).pipe(Effect.provide(boards()))
  )

  virtualTest(
    "are changed for every widget by a widget that declares another default",
    () =>
      Effect.gen(function*() {
        const { create, get, patchWidget, widget } = yield* boardWith("select {{a}}, {{b}}")
        const other = yield* create("select {{a}}", [{ internal_name: "a", filter_type: "string", default_value: "x" }])
        assert.deepStrictEqual((yield* get).tabs[0]?.widgets, [
          { ...widget, filters: [...other.filters, ...widget.filters.slice(1)] },
          other
        ])
        const [before] = other.filters
        const [after] = (yield* patchWidget({ filters: [{ ...before, default_value: "y" }] })).filters
        assert.deepStrictEqual<unknown>({ ...after }, { ...before, default_value: "y" })
        assert.deepStrictEqual<unknown>((yield* get).tabs[0]?.widgets[1]?.filters, [after])
      }).pipe(Effect.provide(boards()))
  )

  virtualTest("have one type each: a widget that declares another one is rejected", () =>
    Effect.gen(function*() {
      const { create, filters, patchWidget } = yield* boardWith("select {{a}}", [
        { internal_name: "a", filter_type: "number" }
      ])
      const before = yield* filters
      const refused = yield* Effect.flip(create("select {{a}}", [{ internal_name: "a", filter_type: "date" }]))
      assert.strictEqual(codeOf(refused), "INVALID_FILTER_VALUE")
      yield* create("select {{a}}")
      const retyped = yield* Effect.flip(patchWidget({ filters: [{ internal_name: "a", filter_type: "date" }] }))
      assert.strictEqual(codeOf(retyped), "INVALID_FILTER_VALUE")
      assert.deepStrictEqual(yield* filters, before)
    }).pipe(Effect.provide(boards())))

  virtualTest("are redefined by a PATCH of the widget that declares them", () =>
    Effect.gen(function*() {
      const { filters, patchWidget } = yield* boardWith("select {{a}}", [{ internal_name: "a", filter_type: "number" }])
      const [before] = yield* filters
      yield* patchWidget({ filters: [{ internal_name: "a", filter_type: "date", default_value: "today-7d" }] })
      const [after] = yield* filters
      assert.isDefined(before)
      assert.isDefined(after)
      assert.deepInclude(after, { id: before.id, filter_type: "date", default_value: "today-7d", is_required: false })
    }).pipe(Effect.provide(boards())))
})

describe("a widget that was read before a filter changed", () => {
  const since = { internal_name: "a", filter_type: "date", default_value: "today-7d" }

  virtualTest("leaves the newer default when it is sent back, whatever else it changes", () =>
    Effect.gen(function*() {
      const { filters, patch, patchWidget, widget } = yield* boardWith("select {{a}}, {{b}}", [since])
      const stale = Schema.encodeSync(WidgetRecord)(widget)
      yield* patch("a", { default_value: "today-30d" })
      const renamed = yield* patchWidget({ ...stale, name: "Renamed" })
      assert.strictEqual(renamed.name, "Renamed")
      assert.deepStrictEqual(renamed.filters.map(({ default_value }) => default_value), ["today-30d", null])
      yield* patch("a", { default_value: "today-90d" })
      yield* patchWidget({ filters: renamed.filters })
      yield* patchWidget({ filters: stale.filters })
      assert.deepInclude((yield* filters)[0], { default_value: "today-90d" })
    }).pipe(Effect.provide(boards())))

  virtualTest("leaves what another widget has declared since", () =>
    Effect.gen(function*() {
      const { create, filters, patchWidget, widget } = yield* boardWith("select {{a}}", [since])
      yield* create("select {{a}}", [{ ...since, default_value: "today" }])
      yield* patchWidget({ filters: widget.filters })
      assert.deepInclude((yield* filters)[0], { default_value: "today" })
    }).pipe(Effect.provide(boards())))

  virtualTest(
    "changes a filter to a new default, and by a declaration in brief to any default",
    () =>
      Effect.gen(function*() {
        const { filters, get, patch, patchWidget, widget } = yield* boardWith("select {{a}}", [since])
        yield* patch("a", { default_value: "today-30d" })
        yield* patchWidget({ filters: widget.filters.map((read) => ({ ...read, default_value: "today-90d" })) })
        assert.deepInclude((yield* filters)[0], { default_value: "today-90d" })
        yield* patchWidget({ filters: [since] })
        assert.deepInclude((yield* filters)[0], { default_value: "today-7d" })
        assert.notProperty(yield* get, "replaced_filters")
      }).pipe(Effect.provide(boards()))
  )
})

describe("a dropdown", () => {
  const open = { internal_name: "a", filter_type: "dropdown" }
  const issueOf = (failure: { readonly _tag: string }): ReadonlyArray<unknown> =>
    failure instanceof Invalid ? failure.issues : assert.fail(`expected Invalid, got ${failure._tag}`)
  const issueAt = (...loc: ReadonlyArray<string | number>) => [
    { loc: ["body", ...loc, "options"], msg: "A dropdown needs at least one option", type: "too_short" } as const
  ]

  virtualTest("has options when a widget declares it, or when a filter becomes one", () =>
    Effect.gen(function*() {
      const { create, filters, patch, patchWidget } = yield* boardWith("select {{a}}, {{b}}")
      for (const options of [{}, { options: null }, { options: [] }]) {
        const declared = [{ internal_name: "b", filter_type: "string" }, { ...open, ...options }]
        const at = issueAt("filters", 1)
        assert.deepStrictEqual(issueOf(yield* Effect.flip(create("select {{a}}", declared))), at)
        assert.deepStrictEqual(issueOf(yield* Effect.flip(create("select 1", declared))), at)
        assert.deepStrictEqual(issueOf(yield* Effect.flip(patchWidget({ filters: declared }))), at)
        const patched = yield* Effect.flip(patch("a", { filter_type: "dropdown", ...options }))
        assert.deepStrictEqual(issueOf(patched), issueAt())
      }
      assert.deepInclude((yield* filters)[0], { filter_type: "string" })
    }).pipe(Effect.provide(boards())))

  virtualTest(
    "keeps its options when another widget declares it without them, but cannot lose them",
    () =>
      Effect.gen(function*() {
        const { create, patch } = yield* boardWith("select {{a}}", [{ ...open, options: ["x"] }])
        assert.deepInclude((yield* create("select {{a}}", [open])).filters[0], { options: ["x"] })
        assert.deepStrictEqual(issueOf(yield* Effect.flip(patch("a", { options: [] }))), issueAt())
      }).pipe(Effect.provide(boards()))
  )
})

describe("the filters of a widget", () => {
  const every: ReadonlyArray<readonly [type: string, sql: string, options?: object]> = [
    ["number", "select {{a}}", { default_value: "1.5" }],
    ["string", "select {{a}}", { display_label: "A text", default_value: "" }],
    ["date", "select {{a}}", { default_value: "today-7d" }],
    ["dropdown", "select {{a}}", { options: ["x", "y"], default_value: "y" }],
    ["date_range", "select 1 where 1 between {{a.start}} and {{a.end}}"],
    ["boolean", "select 1 [[where {{a}}]]", { default_value: "true" }],
    ["list", "select 1 where 1 in ({{a}})", { default_value: "[\"x\"]" }]
  ]

  for (const [filter_type, sql, options] of every) {
    virtualTest(`can be sent back as read: ${filter_type}`, () =>
      Effect.gen(function*() {
        const { get, patchWidget, widget } = yield* boardWith(sql, [{ internal_name: "a", filter_type, ...options }])
        const encoded = Schema.encodeSync(WidgetRecord)(widget)
        assert.deepStrictEqual(yield* patchWidget(encoded), widget)
        assert.deepStrictEqual((yield* get).filters, widget.filters)
      }).pipe(Effect.provide(boards())))
  }
})

describe("a filter", () => {
  virtualTest(
    "is changed field by field and stamps the board, but not the widgets that use it",
    () =>
      Effect.gen(function*() {
        const { get, patch, widget } = yield* boardWith("select {{a}}")
        const before = yield* get
        yield* BusinessTime.sleep("1 minute")
        const labelled = yield* patch("a", { display_label: "Agent" })
        assert.deepInclude(labelled, { display_label: "Agent", filter_type: "string", is_required: true })
        const filter = yield* patch("a", { default_value: "support" })
        assert.deepInclude(filter, { display_label: "Agent", default_value: "support", is_required: false })
        const cleared = yield* patch("a", { default_value: null })
        assert.deepInclude(cleared, { display_label: "Agent", default_value: null, is_required: true })
        const after = yield* get
        assert.deepStrictEqual(after.filters, [cleared])
        assert.deepStrictEqual(after.updated_by, key)
        assert.strictEqual(DateTime.distance(before.updated_at, after.updated_at), 60_000)
        assert.deepStrictEqual(after.tabs[0]?.widgets, [{ ...widget, filters: [cleared] }])
      }).pipe(Effect.provide(boards()))
  )

  virtualTest("is not changed by an empty PATCH", () =>
    Effect.gen(function*() {
      const { get, patch } = yield* boardWith("select {{a}}")
      const before = yield* get
      yield* BusinessTime.sleep("1 minute")
      for (const body of [{}, { display_label: null, filter_type: null, options: null }]) {
        assert.deepStrictEqual([yield* patch("a", body)], before.filters)
      }
      assert.deepStrictEqual(yield* get, before)
    }).pipe(Effect.provide(boards())))

  virtualTest("has a default that parses as its type, and options only as a dropdown", () =>
    Effect.gen(function*() {
      const { filters, patch } = yield* boardWith("select {{a}}")
      const refused = (body: object) => Effect.map(Effect.flip(patch("a", body)), codeOf)
      const invalid = "INVALID_FILTER_VALUE"
      assert.strictEqual(yield* refused({ filter_type: "number", default_value: "many" }), invalid)
      assert.strictEqual(yield* refused({ filter_type: "date", default_value: "someday" }), invalid)
      assert.strictEqual(yield* refused({ options: ["x"] }), invalid)
      assert.strictEqual(yield* refused({ filter_type: "dropdown", options: ["x"], default_value: "y" }), invalid)
      assert.deepInclude((yield* filters)[0], { filter_type: "string", default_value: null, options: [] })
      const dropdown = yield* patch("a", { filter_type: "dropdown", options: ["x", "y"], default_value: "y" })
      assert.deepInclude(dropdown, { filter_type: "dropdown", options: ["x", "y"], default_value: "y" })
      assert.strictEqual(yield* refused({ options: ["x"] }), invalid)
      assert.deepInclude(yield* patch("a", { filter_type: "date", default_value: "month_start" }), {
        filter_type: "date",
        options: [],
        default_value: "month_start"
      })
    }).pipe(Effect.provide(boards())))

  virtualTest("keeps the type that the SQL of its widgets requires", () =>
    Effect.gen(function*() {
      const { filters, patch } = yield* boardWith("select {{a.start}}")
      const before = yield* filters
      assert.deepInclude(before[0], { filter_type: "date_range" })
      assert.strictEqual(codeOf(yield* Effect.flip(patch("a", { filter_type: "date" }))), "INVALID_SQL")
      assert.deepStrictEqual(yield* filters, before)
    }).pipe(Effect.provide(boards())))

  const preparations: Array<string> = []
  const spy = { preparing: (sql: string) => Effect.sync(() => preparations.push(sql)) }
  virtualTest(
    "has the SQL of its widgets prepared again only when its type changes",
    () =>
      Effect.gen(function*() {
        const { create, patch } = yield* boardWith("select 1 where 1 between {{a}}")
        yield* create("select {{b}}")
        preparations.length = 0
        yield* patch("a", { display_label: "Range", default_value: "x" })
        assert.strictEqual((yield* Effect.flip(patch("a", { filter_type: "date_range" })))._tag, "BoardsFailure")
        assert.deepStrictEqual(preparations, [])
        yield* patch("a", { filter_type: "date_range", default_value: null })
        assert.deepStrictEqual(preparations.map((sql) => sql.replace(/\s+/g, " ").trim()), [
          "select 1 where 1 between ? AND ?"
        ])
      }).pipe(Effect.provide(boards(spy)))
  )
})
