import { BoardsFailure, NotFound, type Overloaded } from "@trunkline/errors"
import { BusinessTime, describeCause, makeSingleFlight, type Scope, scopeKey, sha256Hex } from "@trunkline/kernel"
import { type QueryRefused, type QueryResult, Warehouse, type WarehouseBusy } from "@trunkline/warehouse"
import { Array, Cause, Clock, Context, Effect, Either, Layer } from "effect"
import type { BoardId, TabId, Widget, WidgetId } from "../boards/Board.js"
import { BoardStore } from "../boards/BoardStore.js"
import {
  buildQuery,
  type BuiltQuery,
  filtersFromValues,
  filtersUsedBy,
  mapWarehouseErrors,
  nameColumns
} from "../boards/CheckSql.js"
import { findTab, findWidget } from "../boards/Layout.js"
import { mergeValues, usedValues } from "../filters/FilterValues.js"
import { parseTemplate } from "../filters/SqlTemplate.js"
import { measuredQuery } from "./MeasuredQuery.js"
import { estimateSize, makeResultCache } from "./ResultCache.js"
import {
  type PreviewRun,
  resultTtlSeconds,
  type RunResult,
  type TabRun,
  type TabRunResult,
  type WidgetResult,
  type WidgetRun
} from "./RunBodies.js"

/**
 * Converts a widget's run into its result on the tab, so that one failure does not affect the other widgets. Defects
 * are logged by kind and reported as `INTERNAL`.
 */
const toWidgetResult =
  (widget_id: WidgetId) =>
  <R>(run: Effect.Effect<RunResult, BoardsFailure | Overloaded, R>): Effect.Effect<WidgetResult, never, R> => {
    const errorResult = (code: BoardsFailure["code"], message: string): WidgetResult => ({
      widget_id,
      status: "error",
      error: { code, message }
    })
    return run.pipe(
      Effect.map((result): WidgetResult => ({ widget_id, status: "ok", ...result })),
      Effect.catchTags({
        BoardsFailure: ({ code, message }) => Effect.succeed(errorResult(code, message)),
        Overloaded: ({ message }) => Effect.succeed(errorResult("RATE_LIMITED", message))
      }),
      Effect.catchAllDefect((defect) =>
        Effect.as(
          Effect.logError("A widget could not be run", describeCause(Cause.die(defect))),
          errorResult("INTERNAL", "Something went wrong on our side. Try again.")
        )
      )
    )
  }

/** Estimated memory for cached results, in bytes. */
const resultBytes = 64 * 1024 * 1024
/** Widgets of a tab that run concurrently. */
const tabConcurrency = 2

/** Estimated size in bytes of all results of a tab, which are sent in one response. */
const tabBytes = 24 * 1024 * 1024

/** Failures of a run. `Overloaded` means that too many queries are already queued. */
export type RunFailure = NotFound | BoardsFailure | Overloaded

/**
 * Runs SQL over the facts of a workspace. Filter values are bound, never written into the SQL. A run that takes longer
 * than the warehouse's 15 seconds fails with `TIMEOUT`.
 *
 * Results of widgets are cached for a minute from their completion, unless a request accepts only younger ones with
 * `max_age`, and concurrent requests for the same result (same unchanged widget, values, row limit and age) share one query. The query is interrupted when the last request waiting for it is
 * interrupted.
 *
 * @example
 * ```ts
 * import { Runs } from "@trunkline/boards"
 * import type { Scope } from "@trunkline/kernel"
 * import { Effect } from "effect"
 *
 * const callsSince = (scope: Scope, since: string) =>
 *   Effect.flatMap(Runs, (runs) =>
 *     runs.preview(scope, {
 *       sql: "SELECT count(*) AS calls FROM EngagementFactsBoardsView WHERE effective_datetime >= {{since}}",
 *       filter_values: { since: { filter_type: "date", value: since } }
 *     }))
 * ```
 */
export class Runs extends Context.Tag("@trunkline/boards/Runs")<Runs, {
  /** Runs SQL with typed filter values. The result is not cached. */
  readonly preview: (
    scope: Scope,
    run: Pick<PreviewRun, "sql"> & Partial<PreviewRun>
  ) => Effect.Effect<RunResult, BoardsFailure | Overloaded>
  /** Runs a widget, or returns its cached result. */
  readonly widget: (
    scope: Scope,
    board_id: BoardId,
    widget_id: WidgetId,
    run?: Partial<WidgetRun>
  ) => Effect.Effect<RunResult, RunFailure>
  /**
   * Runs the widgets of a tab, two at a time. A failing widget reports its error in its own result. Fails as a whole
   * for values that no widget of the tab uses or that do not parse as their type.
   */
  readonly tab: (
    scope: Scope,
    board_id: BoardId,
    tab_id: TabId,
    run?: Partial<TabRun>
  ) => Effect.Effect<TabRunResult, RunFailure>
  /** Runs a widget with its default values, bypassing the cache; for scheduled reports. */
  readonly widgetUncached: (
    scope: Scope,
    board_id: BoardId,
    widget_id: WidgetId
  ) => Effect.Effect<RunResult, RunFailure>
  /** Invalidates every result of a workspace, including those of queries in progress, after its data was erased. */
  readonly invalidate: (scope: Scope) => Effect.Effect<void>
}>() {
  /** Runs over a `Warehouse` with a result cache. */
  static readonly layer = Layer.scoped(
    Runs,
    Effect.gen(function*() {
      const query = measuredQuery(yield* Warehouse)
      const store = yield* BoardStore
      const flights = yield* makeSingleFlight<QueryResult, QueryRefused | WarehouseBusy>()
      const cache = makeResultCache({ ttl: resultTtlSeconds * 1_000, bytes: resultBytes })
      /** Number of invalidations per workspace; part of the cache key. */
      const generations = new Map<string, number>()

      const boardOf = (scope: Scope, id: BoardId) =>
        Effect.flatMap(
          store.find(scope, id),
          Effect.mapError(() => new NotFound({ resource: "board", id }))
        )

      const queryWithNames = (scope: Scope, builtQuery: BuiltQuery) =>
        Effect.map(query(scope, builtQuery.query), (result) => nameColumns(result, builtQuery))

      /** Cached result of this age in seconds. Looked up inside the single flight, so that no query starts right after an equal one ended. */
      const lookUp = (key: string, maxAge: number) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fromNullable(cache.get(key, now, maxAge * 1_000)))

      const cacheResult = (key: string, result: QueryResult) =>
        Effect.map(Clock.currentTimeMillis, (now) => cache.put(key, result, now))

      const runShared = (scope: Scope, widget: Widget, builtQuery: BuiltQuery, maxAge = resultTtlSeconds) =>
        Effect.flatMap(
          cacheKey(scope, { widget, query: builtQuery.query, time: generations.get(scopeKey(scope)) ?? 0 }),
          (key) => {
            const work = Effect.tap(queryWithNames(scope, builtQuery), (result) => cacheResult(key, result))
            return mapWarehouseErrors(flights.join(`${key} ${maxAge}`, Effect.orElse(lookUp(key, maxAge), () => work)))
          }
        )

      const readWidget = Effect.fn("Runs.readWidget")(
        function*(scope: Scope, board_id: BoardId, widget_id: WidgetId, overrides: Partial<WidgetRun>) {
          const board = yield* boardOf(scope, board_id)
          const widget = yield* Effect.mapError(
            findWidget(board, widget_id),
            () => new NotFound({ resource: "widget", id: widget_id })
          )
          const template = yield* parseTemplate(widget.sql)
          const values = yield* mergeValues(
            filtersUsedBy(board.filters, [template]),
            overrides.filter_values ?? {},
            yield* BusinessTime.now
          )
          return { widget, built: yield* buildQuery(template, values, overrides.row_limit) }
        }
      )

      const preview = Effect.fn("Runs.preview")(
        function*(scope: Scope, { filter_values = {}, row_limit, sql }: Parameters<Runs["Type"]["preview"]>[1]) {
          const template = yield* parseTemplate(sql, Object.keys(filter_values))
          const filters = filtersFromValues(filter_values, template)
          const values = yield* mergeValues(filters, filter_values, yield* BusinessTime.now)
          return yield* mapWarehouseErrors(queryWithNames(scope, yield* buildQuery(template, values, row_limit)))
        }
      )

      const widget = Effect.fn("Runs.widget")(
        function*(scope: Scope, board_id: BoardId, widget_id: WidgetId, overrides: Partial<WidgetRun> = {}) {
          const { built, widget } = yield* readWidget(scope, board_id, widget_id, overrides)
          return yield* runShared(scope, widget, built, overrides.max_age)
        }
      )

      const fresh = Effect.fn("Runs.fresh")(function*(scope: Scope, board_id: BoardId, widget_id: WidgetId) {
        const { built } = yield* readWidget(scope, board_id, widget_id, {})
        return yield* mapWarehouseErrors(queryWithNames(scope, built))
      })

      const tab = Effect.fn("Runs.tab")(
        function*(
          scope: Scope,
          board_id: BoardId,
          tab_id: TabId,
          { filter_values = {}, max_age }: Partial<TabRun> = {}
        ) {
          const board = yield* boardOf(scope, board_id)
          const { widgets } = yield* Effect.mapError(
            findTab(board, tab_id),
            () => new NotFound({ resource: "tab", id: tab_id })
          )
          const read = widgets.map((widget) => ({ widget, template: parseTemplate(widget.sql) }))
          const filters = filtersUsedBy(board.filters, Array.getRights(read.map(({ template }) => template)))
          const values = yield* mergeValues(filters, filter_values, yield* BusinessTime.now)
          let remaining = tabBytes
          const withinBudget = (result: RunResult) => {
            remaining -= estimateSize(result)
            return remaining < 0 ? Either.left(tabTooLarge) : Either.right(result)
          }
          const results = yield* Effect.forEach(read, ({ template, widget }) =>
            Effect.gen(function*() {
              const query = yield* buildQuery(yield* template, values)
              return yield* withinBudget(yield* runShared(scope, widget, query, max_age))
            }).pipe(toWidgetResult(widget.id)), { concurrency: tabConcurrency })
          return { results, filter_values_used: usedValues(filters, values) }
        }
      )

      const forget = (scope: Scope) =>
        Effect.sync(() => {
          const key = scopeKey(scope)
          generations.set(key, (generations.get(key) ?? 0) + 1)
          cache.clear()
        })

      return Runs.of({ preview, widget, tab, widgetUncached: fresh, invalidate: forget })
    })
  )
}

const tabTooLarge = new BoardsFailure({
  code: "RESOURCE_LIMIT",
  message: "The results of this tab are too large in total. Request fewer rows, or run this widget on its own."
})

/** Key of a result: the widget and its last change, the SQL with its values, and the row limit. */
const cacheKey = (
  scope: Scope,
  { query: { maxRows, parameters, text }, time, widget: { id, updated_at } }: {
    readonly widget: Widget
    readonly query: BuiltQuery["query"]
    readonly time: number
  }
) => sha256Hex(JSON.stringify([scopeKey(scope), time, id, updated_at.epochMillis, text, parameters, maxRows]))
