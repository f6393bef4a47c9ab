import {
  Board,
  BoardId,
  BoardStore,
  type Filter,
  type FilterValues,
  type RunResult,
  Runs,
  Tab,
  TabId,
  Widget,
  WidgetId
} from "@trunkline/boards"
import { BoardsFailure, Overloaded } from "@trunkline/errors"
import { OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { type Query, QueryRefused, Warehouse, type WarehouseBusy } from "@trunkline/warehouse"
import { DateTime, Effect, Layer, Stream } from "effect"
import { filter } from "../filters/Fixtures.js"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const otherScope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

export const boardId = BoardId.make("board")
export const tabId = TabId.make("tab")
export const widgetId = (index: number) => WidgetId.make(`widget-${index}`)

const by = { type: "user", id: "ann" } as const
const auditFields = (at: number) => ({
  created_by: by,
  created_at: DateTime.unsafeMake(0),
  updated_by: by,
  updated_at: DateTime.unsafeMake(at)
})

/** A board with one tab of widgets and a time of its last change. */
export const boardOf = (sqls: ReadonlyArray<string>, filters: ReadonlyArray<Filter> = [], at = 0): Board =>
  new Board({
    id: boardId,
    name: "Calls",
    tag: null,
    ...auditFields(at),
    filters,
    tabs: [
      new Tab({
        id: tabId,
        name: "Main",
        position: 0,
        widgets: sqls.map((sql, position) =>
          new Widget({
            id: widgetId(position),
            board_id: boardId,
            tab_id: tabId,
            position,
            name: `Widget ${position}`,
            sql,
            viz_type: "table",
            viz_config: {},
            filters: [],
            ...auditFields(at)
          })
        )
      })
    ]
  })

/** A result with one cell. */
export const cell = (value: string | number): RunResult => ({
  columns: [{ name: "value" }],
  rows: [[value]],
  truncated: false
})

/** A warehouse that responds with `answer` and records its queries. */
export const fakeWarehouse = (answer: (query: Query) => Effect.Effect<RunResult, QueryRefused | WarehouseBusy>) => {
  const queries: Array<Query> = []
  const state = { running: 0, most: 0, ended: 0 }
  const warehouse = Warehouse.of({
    dialect: "fake",
    query: (_, query) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          queries.push(query)
          state.running++
          state.most = Math.max(state.most, state.running)
        }),
        () => answer(query),
        () =>
          Effect.sync(() => {
            state.running--
            state.ended++
          })
      ),
    prepare: () => Effect.succeed([]),
    apply: () => Effect.succeed(0),
    lostWorkspaces: Stream.never,
    markFilled: () => Effect.void,
    watermark: () => Effect.succeed(0),
    clear: () => Effect.void
  })
  return { queries, state, layer: Layer.succeed(Warehouse, warehouse) }
}

/** `Runs` over a warehouse, with in-memory boards. */
export const runsOver = <E, R>(warehouse: Layer.Layer<Warehouse, E, R>) =>
  Runs.layer.pipe(
    Layer.provideMerge(BoardStore.layerMemory),
    Layer.provideMerge(warehouse),
    Layer.provideMerge(Transactions.layerMemory)
  )

/** Stores a board in the workspace. */
export const saveBoard = (board: Board) => Effect.flatMap(BoardStore, (store) => store.put(scope, board))

export const valueOfA = (value: string | null): FilterValues => ({ a: { filter_type: "string", value } })
export const codeOf = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.flip(run),
    (failure) => failure instanceof BoardsFailure ? failure.code : failure instanceof Overloaded ? "busy" : "not found"
  )
export const refusal = (code: QueryRefused["code"]) => new QueryRefused({ code, message: `It was ${code}` })

export const withA = "SELECT {{a}}"
export const aDefault = filter("string", { default_value: "default" })

/** A board with the widgets `SELECT {{a}}` and `SELECT 1`. */
export const twoWidgets = boardOf([withA, "SELECT 1"], [aDefault])
