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
export const otherScope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("other") })

export const asha: Actor = { type: "user", id: "asha" }
export const key: Actor = { type: "api_key", id: "demo" }

const decoder = <A, I>(schema: Schema.Schema<A, I>) => Schema.decodeUnknownSync(schema)

/** Decoders of request bodies. */
export const bodies = {
  board: decoder(CreateBoard),
  boardPatch: decoder(PatchBoard),
  tab: decoder(CreateTab),
  tabPatch: decoder(PatchTab),
  widget: decoder(CreateWidget),
  widgetPatch: decoder(PatchWidget),
  filterPatch: decoder(PatchFilter)
}

/** A valid widget body with changes. */
export const widgetBody = (changes: Readonly<Record<string, unknown>> = {}) =>
  bodies.widget({ name: "Calls", sql: "select 1", ...changes })

/** Runs `before`, then prepares any SQL except that with `no_such_column`. */
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
    lostWorkspaces: Stream.never,
    markFilled: () => Effect.void,
    watermark: () => Effect.succeed(0),
    clear: () => Effect.void
  })

/** A store that yields between reading and writing, like a database. */
export const yieldingStore = Layer.effect(
  BoardStore,
  Effect.map(
    BoardStore,
    (store) =>
      BoardStore.of({ ...store, find: (scope, id) => Effect.tap(store.find(scope, id), () => Effect.yieldNow()) })
  )
).pipe(Layer.provide(BoardStore.layerMemory))

/** In-memory boards over a warehouse without facts. */
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

/** Names of filters in order. */
export const namesOf = (filters: ReadonlyArray<{ readonly internal_name: string }>) =>
  filters.map(({ internal_name }) => internal_name)

/** Code of a boards failure, or the tag of another failure. */
export const codeOf = (
  failure: { readonly _tag: string } | { readonly _tag: "BoardsFailure"; readonly code: string }
) => "code" in failure ? failure.code : failure._tag

/** A new board with helpers. */
export const newBoard = Effect.gen(function*() {
  const service = yield* Boards
  const board = yield* service.create(scope, bodies.board({ name: "Daily" }), asha)
  const [main] = board.tabs
  assert.isDefined(main)
  return { board, main, id: board.id, service, get: service.get(scope, board.id) }
})
