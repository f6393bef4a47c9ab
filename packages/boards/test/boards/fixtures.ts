import { assert } from "@effect/vitest"
import { Ids, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { QueryRefused, Warehouse } from "@trunkline/warehouse"
import { Effect, Layer, Schema, Stream } from "effect"
import {
  type Actor,
  Boards,
  BoardStore,
  CreateBoard,
  CreateTab,
  CreateWidget,
  PatchBoard,
  PatchFilter,
  PatchTab,
  PatchWidget,
  type WidgetDependents
} from "../../src/index.js"

export const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
export const elsewhere = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

export const asha: Actor = { type: "user", id: "asha" }
export const key: Actor = { type: "api_key", id: "demo" }

const reading = <A, I>(schema: Schema.Schema<A, I>) => Schema.decodeUnknownSync(schema)

/** Bodies as they come over HTTP. */
export const bodies = {
  board: reading(CreateBoard),
  boardPatch: reading(PatchBoard),
  tab: reading(CreateTab),
  tabPatch: reading(PatchTab),
  widget: reading(CreateWidget),
  widgetPatch: reading(PatchWidget),
  filterPatch: reading(PatchFilter)
}

/** What a widget is made of, unless a test says otherwise. */
export const widgetBody = (changes: Readonly<Record<string, unknown>> = {}) =>
  bodies.widget({ name: "Calls", sql: "select 1", ...changes })

/** Prepares anything but SQL that mentions `no_such_column`, after whatever `before` does. */
const warehouse = (before: (sql: string) => Effect.Effect<void>) =>
  Layer.succeed(Warehouse, {
    dialect: "sqlite",
    prepare: (_, { text }) =>
      Effect.zipRight(
        before(text),
        text.includes("no_such_column")
          ? new QueryRefused({ code: "INVALID_SQL", message: "no such column: no_such_column" })
          : Effect.succeed([{ name: "n" }])
      ),
    query: () => Effect.dieMessage("Saving never runs a query"),
    apply: () => Effect.succeed(0),
    lost: Stream.never,
    filled: () => Effect.void,
    watermark: () => Effect.succeed(0),
    clear: () => Effect.void
  })

/** A store in which others get their turn between reading and writing, as in a database. */
export const unhurried = Layer.effect(
  BoardStore,
  Effect.map(
    BoardStore,
    (store) =>
      BoardStore.of({ ...store, find: (scope, id) => Effect.tap(store.find(scope, id), () => Effect.yieldNow()) })
  )
).pipe(Layer.provide(BoardStore.layerMemory))

/** Boards in memory, over a warehouse that knows no facts. */
export const boards = (options: {
  /** Runs before any SQL is prepared. */
  readonly preparing?: (sql: string) => Effect.Effect<void>
  readonly dependents?: Layer.Layer<WidgetDependents>
  readonly store?: Layer.Layer<BoardStore>
} = {}) =>
  Boards.layer.pipe(
    Layer.provide(options.dependents ?? Layer.empty),
    Layer.provideMerge(Layer.mergeAll(
      options.store ?? BoardStore.layerMemory,
      Transactions.layerMemory,
      Ids.layerSeeded("boards"),
      warehouse(options.preparing ?? (() => Effect.void))
    ))
  )

/** The names of filters, in their order. */
export const namesOf = (filters: ReadonlyArray<{ readonly internal_name: string }>) =>
  filters.map(({ internal_name }) => internal_name)

/** The code of a failure of the boards, or which other failure it is. */
export const codeOf = (
  failure: { readonly _tag: string } | { readonly _tag: "BoardsFailure"; readonly code: string }
) => "code" in failure ? failure.code : failure._tag

/** A new board, and what the tests do with it. */
export const opened = Effect.gen(function*() {
  const service = yield* Boards
  const board = yield* service.create(scope, bodies.board({ name: "Daily" }), asha)
  const [main] = board.tabs
  assert.isDefined(main)
  return { board, main, id: board.id, service, get: service.get(scope, board.id) }
})
