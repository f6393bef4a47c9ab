import { BoardsFailure, NotFound, type Overloaded } from "@trunkline/errors"
import { BusinessTime, makeSingleFlight, type Scope, scopeKey, sha256Hex } from "@trunkline/kernel"
import { type Query, type QueryRefused, type QueryResult, Warehouse, type WarehouseBusy } from "@trunkline/warehouse"
import { Array, Clock, Context, Effect, Either, Layer } from "effect"
import type { BoardId, TabId, Widget, WidgetId } from "../boards/Board.js"
import { BoardStore } from "../boards/BoardStore.js"
import { findTab, findWidget } from "../boards/Layout.js"
import { mergeValues, usedValues } from "../filters/FilterValues.js"
import { parseTemplate } from "../filters/SqlTemplate.js"
import { definedBy, queryOf, reported, usedBy } from "./Plan.js"
import { makeResultCache, sizeOf } from "./ResultCache.js"
import type { PreviewRun, RunResult, TabRun, TabRunResult, WidgetRun } from "./RunBodies.js"
import { asWidgetResult } from "./WidgetResults.js"

/** How long a result is given again, in milliseconds from its completion (specification, Limits: board cache). */
export const RESULT_LIFETIME = 60_000
/** How much memory kept results may take, in bytes, as estimated (design: boards 3.6). */
export const RESULT_BYTES = 64 * 1024 * 1024
/** How many widgets of a tab run at a time (design: boards 3.6). */
export const TAB_CONCURRENCY = 2

/** How large the results of a tab may be together, in bytes, as estimated: they leave in one answer. */
export const TAB_BYTES = 24 * 1024 * 1024

/** Why a run gave nothing: `Overloaded` when too many queries wait already. */
export type RunFailure = NotFound | BoardsFailure | Overloaded

/**
 * Runs of SQL over a workspace's facts (specification, Analytics boards; shapes 7.5). Values are bound, never written
 * into SQL; each run has the warehouse's 15 seconds, beyond which it fails with `TIMEOUT`.
 *
 * Results of widgets are given again for a minute, and whoever asks for the same meanwhile waits for the same run: same
 * widget, unchanged, same values, same number of rows (specification, Limits). A run ends when nobody waits for it.
 */
export class Runs extends Context.Tag("@trunkline/boards/Runs")<Runs, {
  /** Tries out SQL, with values of the types that they say. Never kept. */
  readonly preview: (
    scope: Scope,
    run: Pick<PreviewRun, "sql"> & Partial<PreviewRun>
  ) => Effect.Effect<RunResult, BoardsFailure | Overloaded>
  /** Runs a widget. */
  readonly widget: (
    scope: Scope,
    board_id: BoardId,
    widget_id: WidgetId,
    run?: Partial<WidgetRun>
  ) => Effect.Effect<RunResult, RunFailure>
  /**
   * Runs the widgets of a tab, two at a time, each for itself: one that fails says so in its own result. Fails as a whole
   * for values that no widget of the tab uses, or that do not read as their type.
   */
  readonly tab: (
    scope: Scope,
    board_id: BoardId,
    tab_id: TabId,
    run?: Partial<TabRun>
  ) => Effect.Effect<TabRunResult, RunFailure>
  /** Runs a widget with its default values, whatever is kept: for scheduled reports. */
  readonly fresh: (scope: Scope, board_id: BoardId, widget_id: WidgetId) => Effect.Effect<RunResult, RunFailure>
  /** Gives no result of a workspace again, nor that of a run under way: what it was made of has been erased. */
  readonly forget: (scope: Scope) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.scoped(
    Runs,
    Effect.gen(function*() {
      const warehouse = yield* Warehouse
      const store = yield* BoardStore
      const flights = yield* makeSingleFlight<QueryResult, QueryRefused | WarehouseBusy>()
      const cache = makeResultCache({ lifetime: RESULT_LIFETIME, bytes: RESULT_BYTES })
      /** How often the results of a workspace were forgotten: those from before have another key. */
      const forgotten = new Map<string, number>()

      const boardOf = (scope: Scope, id: BoardId) =>
        Effect.flatMap(
          store.find(scope, id),
          Effect.mapError(() => new NotFound({ resource: "board", id }))
        )

      const run = (scope: Scope, query: Query) => reported(warehouse.query(scope, query))

      /** The result that is kept; looked for where runs are shared, so that none begins beside one that just ended. */
      const kept = (key: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fromNullable(cache.get(key, now)))

      const keep = (key: string, result: QueryResult) =>
        Effect.map(Clock.currentTimeMillis, (now) => cache.put(key, result, now))

      const shared = (scope: Scope, widget: Widget, query: Query) =>
        Effect.flatMap(keyOf(scope, { widget, query, time: forgotten.get(scopeKey(scope)) ?? 0 }), (key) => {
          const work = Effect.tap(warehouse.query(scope, query), (result) => keep(key, result))
          return reported(flights.join(key, Effect.orElse(kept(key), () => work)))
        })

      const readWidget = Effect.fn("Runs.readWidget")(
        function*(scope: Scope, board_id: BoardId, widget_id: WidgetId, given: Partial<WidgetRun>) {
          const board = yield* boardOf(scope, board_id)
          const widget = yield* Effect.mapError(
            findWidget(board, widget_id),
            () => new NotFound({ resource: "widget", id: widget_id })
          )
          const template = yield* parseTemplate(widget.sql)
          const values = yield* mergeValues(
            usedBy(board.filters, [template]),
            given.filter_values ?? {},
            yield* BusinessTime.now
          )
          return { widget, query: yield* queryOf(template, values, given.row_limit) }
        }
      )

      const preview = Effect.fn("Runs.preview")(
        function*(scope: Scope, { filter_values = {}, row_limit, sql }: Parameters<Runs["Type"]["preview"]>[1]) {
          const template = yield* parseTemplate(sql, Object.keys(filter_values))
          const filters = definedBy(filter_values, template)
          const values = yield* mergeValues(filters, filter_values, yield* BusinessTime.now)
          return yield* run(scope, yield* queryOf(template, values, row_limit))
        }
      )

      const widget = Effect.fn("Runs.widget")(
        function*(scope: Scope, board_id: BoardId, widget_id: WidgetId, given: Partial<WidgetRun> = {}) {
          const { query, widget } = yield* readWidget(scope, board_id, widget_id, given)
          return yield* shared(scope, widget, query)
        }
      )

      const fresh = Effect.fn("Runs.fresh")(function*(scope: Scope, board_id: BoardId, widget_id: WidgetId) {
        const { query } = yield* readWidget(scope, board_id, widget_id, {})
        return yield* run(scope, query)
      })

      const tab = Effect.fn("Runs.tab")(
        function*(scope: Scope, board_id: BoardId, tab_id: TabId, { filter_values = {} }: Partial<TabRun> = {}) {
          const board = yield* boardOf(scope, board_id)
          const { widgets } = yield* Effect.mapError(
            findTab(board, tab_id),
            () => new NotFound({ resource: "tab", id: tab_id })
          )
          const read = widgets.map((widget) => ({ widget, template: parseTemplate(widget.sql) }))
          const filters = usedBy(board.filters, Array.getRights(read.map(({ template }) => template)))
          const values = yield* mergeValues(filters, filter_values, yield* BusinessTime.now)
          let left = TAB_BYTES
          const fitting = (result: RunResult) => {
            left -= sizeOf(result)
            return left < 0 ? Either.left(tabTooLarge) : Either.right(result)
          }
          const results = yield* Effect.forEach(read, ({ template, widget }) =>
            Effect.gen(function*() {
              return yield* fitting(yield* shared(scope, widget, yield* queryOf(yield* template, values)))
            }).pipe(asWidgetResult(widget.id)), { concurrency: TAB_CONCURRENCY })
          return { results, filter_values_used: usedValues(filters, values) }
        }
      )

      const forget = (scope: Scope) =>
        Effect.sync(() => {
          const key = scopeKey(scope)
          forgotten.set(key, (forgotten.get(key) ?? 0) + 1)
          cache.clear()
        })

      return Runs.of({ preview, widget, tab, fresh, forget })
    })
  )
}

const tabTooLarge = new BoardsFailure({
  code: "RESOURCE_LIMIT",
  message: "The results of this tab are too large together. Ask for fewer rows, or run this widget alone."
})

/** The same for the same result: the widget as it was last changed, the SQL with its values, and how much is read of it. */
const keyOf = (
  scope: Scope,
  { query: { maxRows, parameters, text }, time, widget: { id, updated_at } }: {
    readonly widget: Widget
    readonly query: Query
    readonly time: number
  }
) => sha256Hex(JSON.stringify([scopeKey(scope), time, id, updated_at.epochMillis, text, parameters, maxRows]))
