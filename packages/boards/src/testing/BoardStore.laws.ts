import { assert, layer } from "@effect/vitest"
import { OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect, type Layer, Option } from "effect"
import { type Actor, Board, BoardId, summaryOf, Tab, TabId, Widget, WidgetId } from "../boards/Board.js"
import { BoardStore } from "../boards/BoardStore.js"
import { Filter, FilterId } from "../filters/Filter.js"

const at = (second: number) => DateTime.unsafeMake({ year: 2026, month: 1, day: 31, hours: 12, seconds: second })

const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })

const actor: Actor = { type: "api_key", id: "demo" }

const auditFields = { created_by: actor, created_at: at(0), updated_by: actor, updated_at: at(0) }

const board = (id: string, change: Partial<Board> = {}) =>
  new Board({
    id: BoardId.make(id),
    name: id,
    tag: null,
    tabs: [new Tab({ id: TabId.make(`${id}-main`), name: "Main", position: 0, widgets: [] })],
    filters: [],
    ...auditFields,
    ...change
  })

/** A board with a value in every field. */
const full = (id: string) => {
  const tab_id = TabId.make(`${id}-second`)
  const widget = new Widget({
    id: WidgetId.make(`${id}-widget`),
    board_id: BoardId.make(id),
    tab_id,
    position: 0,
    name: "कॉल \"quoted\"",
    sql: "select 1 where {{from}} is null -- 'unsaid'\n",
    viz_type: "bar",
    viz_config: { x_axis: "day", y_axis: ["calls"], colours: { calls: [1, null, true] } },
    filters: ["from"],
    ...auditFields
  })
  const filter = new Filter({
    id: FilterId.make(`${id}-filter`),
    internal_name: "from",
    display_label: "From",
    filter_type: "dropdown",
    default_value: "a",
    options: ["a", "b"],
    is_required: false
  })
  return board(id, {
    tag: "weekly",
    tabs: [
      new Tab({ id: TabId.make(`${id}-main`), name: "Main", position: 0, widgets: [] }),
      new Tab({ id: tab_id, name: "Second", position: 1, widgets: [widget] })
    ],
    filters: [filter],
    updated_by: { type: "user", id: "asha" },
    updated_at: at(7)
  })
}

/** Laws of `BoardStore`. Every law uses its own workspace, so rows may live as long as the layer. */
export const boardStoreLaws = <E>(name: string, live: Layer.Layer<BoardStore | Transactions, E>) =>
  layer(live)(`BoardStore laws: ${name}`, (it) => {
    it.effect("finds a stored board in its own workspace only", () =>
      Effect.gen(function*() {
        const store = yield* BoardStore
        const put = full("find")
        yield* store.put(scopeOf("find"), put)
        assert.deepStrictEqual(yield* store.find(scopeOf("find"), put.id), Option.some(put))
        assert.deepStrictEqual(yield* store.find(scopeOf("find-other"), put.id), Option.none())
        assert.deepStrictEqual(yield* store.find(scopeOf("find"), BoardId.make("find-none")), Option.none())
      }))

    it.effect("finds a board by its exact name in its own workspace only", () =>
      Effect.gen(function*() {
        const store = yield* BoardStore
        const put = board("name", { name: "Calls of the day" })
        yield* store.put(scopeOf("name"), put)
        const boardByName = (workspace: string, name: string) => store.findByName(scopeOf(workspace), name)
        assert.deepStrictEqual(yield* boardByName("name", "Calls of the day"), Option.some(summaryOf(put)))
        assert.deepStrictEqual(yield* boardByName("name", "calls of the day"), Option.none())
        assert.deepStrictEqual(yield* boardByName("name", "Calls of the"), Option.none())
        assert.deepStrictEqual(yield* boardByName("name-other", "Calls of the day"), Option.none())
        yield* store.put(scopeOf("name-other"), board("name-twin", { name: "Calls of the day" }))
        assert.deepStrictEqual(yield* boardByName("name", "Calls of the day"), Option.some(summaryOf(put)))
      }))

    it.effect("replaces a board and frees its old name", () =>
      Effect.gen(function*() {
        const store = yield* BoardStore
        const scope = scopeOf("again")
        yield* store.put(scope, full("again"))
        const update = board("again", { name: "changed", updated_at: at(9) })
        yield* store.put(scope, update)
        assert.deepStrictEqual(yield* store.find(scope, update.id), Option.some(update))
        assert.deepStrictEqual(yield* store.findByName(scope, "again"), Option.none())
        const heir = board("again-heir", { name: "again" })
        yield* store.put(scope, heir)
        assert.deepStrictEqual(yield* store.findByName(scope, "again"), Option.some(summaryOf(heir)))
        assert.strictEqual((yield* store.list(scope, { limit: 10, offset: 0 })).total, 2)
      }))

    it.effect("lists summaries of a workspace by last change, then id, in pages", () =>
      Effect.gen(function*() {
        const store = yield* BoardStore
        const scope = scopeOf("list")
        for (const [id, second] of [["list-b", 3], ["list-c", 5], ["list-a", 3]] as const) {
          yield* store.put(scope, board(id, { updated_at: at(second) }))
        }
        yield* store.put(scopeOf("list-other"), board("list-d", { updated_at: at(9) }))
        const list = (limit: number, offset: number) =>
          Effect.map(store.list(scope, { limit, offset }), ({ items, total }) => [total, ...items.map(({ id }) => id)])
        assert.deepStrictEqual(yield* list(10, 0), [3, "list-c", "list-a", "list-b"])
        assert.deepStrictEqual(yield* list(1, 1), [3, "list-a"])
        assert.deepStrictEqual(yield* list(10, 3), [3])
        yield* store.put(scope, board("list-b", { updated_at: at(8) }))
        assert.deepStrictEqual(yield* list(2, 0), [3, "list-b", "list-c"])
        const put = full("list-full")
        yield* store.put(scope, put)
        const { items } = yield* store.list(scope, { limit: 2, offset: 1 })
        assert.deepStrictEqual(items[0], summaryOf(put))
      }))

    it.effect("removes a board of the workspace once", () =>
      Effect.gen(function*() {
        const store = yield* BoardStore
        const scope = scopeOf("remove")
        const { id } = board("remove")
        yield* store.put(scope, board("remove"))
        assert.isFalse(yield* store.remove(scopeOf("remove-other"), id))
        assert.isTrue(Option.isSome(yield* store.find(scope, id)))
        assert.isTrue(yield* store.remove(scope, id))
        assert.isFalse(yield* store.remove(scope, id))
        assert.deepStrictEqual(yield* store.find(scope, id), Option.none())
        assert.deepStrictEqual(yield* store.findByName(scope, "remove"), Option.none())
      }))

    it.effect("rolls back changes of a failed transaction", () =>
      Effect.gen(function*() {
        const store = yield* BoardStore
        const { run } = yield* Transactions
        const scope = scopeOf("undone")
        const before = board("undone")
        const undo = <A>(change: Effect.Effect<A>) => Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        yield* undo(store.put(scope, before))
        assert.deepStrictEqual(yield* store.find(scope, before.id), Option.none())
        yield* store.put(scope, before)
        yield* undo(store.put(scope, board("undone", { name: "changed" })))
        yield* undo(store.remove(scope, before.id))
        assert.deepStrictEqual(yield* store.find(scope, before.id), Option.some(before))
        assert.deepStrictEqual(yield* store.findByName(scope, "undone"), Option.some(summaryOf(before)))
      }))
  })
