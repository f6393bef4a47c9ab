import { assert, describe, it } from "@effect/vitest"
import { DateTime, FastCheck, Option } from "effect"
import { withoutTab, withoutWidget, withTab, withWidget } from "../../src/boards/Layout.js"
import { type Actor, BoardId, Tab, TabId, Widget, WidgetId } from "../../src/index.js"

const actor: Actor = { type: "api_key", id: "demo" }
const at = DateTime.unsafeMake("2026-01-31T12:00:00Z")

const tab = (id: string) => new Tab({ id: TabId.make(id), name: id, position: 0, widgets: [] })

const widget = (id: string, tab_id: string) =>
  new Widget({
    id: WidgetId.make(id),
    board_id: BoardId.make("board"),
    tab_id: TabId.make(tab_id),
    position: 0,
    name: id,
    sql: "select 1",
    viz_type: "table",
    viz_config: {},
    filters: [],
    created_by: actor,
    created_at: at,
    updated_by: actor,
    updated_at: at
  })

const places = FastCheck.oneof(FastCheck.constant(undefined), FastCheck.nat({ max: 6 }))
const names = FastCheck.constantFrom("a", "b", "c", "d", "e", "f")

/** Random edits: an action number and its target. */
const steps = FastCheck.array(
  FastCheck.record({
    what: FastCheck.constantFrom("put tab", "drop tab", "put widget", "drop widget"),
    tab: names,
    widget: names,
    place: places
  }),
  { maxLength: 40 }
)

type Step = typeof steps extends FastCheck.Arbitrary<ReadonlyArray<infer S>> ? S : never

/** Replacing a tab keeps its widgets. */
const applyStep = (tabs: ReadonlyArray<Tab>, step: Step): ReadonlyArray<Tab> => {
  switch (step.what) {
    case "put tab":
      return withTab(tabs, tabs.find(({ id }) => id === step.tab) ?? tab(step.tab), step.place)
    case "drop tab":
      return withoutTab(tabs, TabId.make(step.tab))
    case "put widget":
      return tabs.some(({ id }) => id === step.tab) ? withWidget(tabs, widget(step.widget, step.tab), step.place) : tabs
    default:
      return withoutWidget(tabs, WidgetId.make(step.widget))
  }
}

const ids = (items: ReadonlyArray<{ readonly id: string }>) => items.map(({ id }) => id).join("")
const three = ["a", "b", "c"].reduce<ReadonlyArray<Tab>>((tabs, id) => withTab(tabs, tab(id), undefined), [])

describe("the layout of a board", () => {
  it.prop("numbers positions from 0 to n - 1 after any sequence of edits", [steps], ([steps]) => {
    const tabs = steps.reduce(applyStep, [])
    assert.deepStrictEqual(tabs.map(({ position }) => position), tabs.map((_, index) => index))
    for (const { id, widgets } of tabs) {
      assert.deepStrictEqual(widgets.map(({ position }) => position), widgets.map((_, index) => index))
      assert.isTrue(widgets.every((widget) => widget.tab_id === id))
    }
    const widgets = tabs.flatMap(({ widgets }) => widgets.map(({ id }) => id))
    assert.strictEqual(new Set(widgets).size, widgets.length)
    assert.strictEqual(new Set(tabs.map(({ id }) => id)).size, tabs.length)
  })

  it.prop("puts an item at its target or at the end and keeps the order of the others", [steps, names, places], (
    [steps, name, place]
  ) => {
    const before = steps.reduce(applyStep, [])
    const moved = before.find(({ id }) => id === name) ?? tab(name)
    const after = withTab(before, moved, place)
    const others = (tabs: ReadonlyArray<Tab>) => ids(tabs.filter(({ id }) => id !== name))
    assert.strictEqual(others(after), others(before))
    const last = after.length - 1
    assert.strictEqual(after.findIndex(({ id }) => id === name), Math.min(place ?? last, last))
  })

  it("moves a tab forwards and backwards", () => {
    const move = (id: string, place: number) =>
      Option.getOrElse(
        Option.map(Option.fromNullable(three.find((tab) => tab.id === id)), (tab) => ids(withTab(three, tab, place))),
        () => "no tab"
      )
    assert.strictEqual(move("a", 1), "bac")
    assert.strictEqual(move("a", 2), "bca")
    assert.strictEqual(move("c", 0), "cab")
    assert.strictEqual(move("b", 99), "acb")
    assert.strictEqual(move("b", 1), "abc")
  })

  it("closes the gap and makes room when a widget moves to another tab", () => {
    const filled = ["1", "2", "3"].reduce((tabs, id) => withWidget(tabs, widget(id, "a"), undefined), three)
    const started = withWidget(filled, widget("4", "b"), 0)
    const moved = withWidget(started, widget("2", "b"), 0)
    assert.deepStrictEqual(moved.map(({ widgets }) => ids(widgets)), ["13", "24", ""])
    assert.deepStrictEqual(moved.map(({ widgets }) => widgets.map(({ position }) => position)), [[0, 1], [0, 1], []])
  })
})
