import { VizConfig, VizType } from "@trunkline/charts"
import { Timestamp, unchecked } from "@trunkline/kernel"
import { Array, Schema, Struct } from "effect"
import { Filter } from "../filters/Filter.js"

/** UUID of a board. */
export const BoardId = Schema.String.pipe(Schema.brand("BoardId"))
export type BoardId = typeof BoardId.Type
/** UUID of a tab. */
export const TabId = Schema.String.pipe(Schema.brand("TabId"))
export type TabId = typeof TabId.Type
/** UUID of a widget. */
export const WidgetId = Schema.String.pipe(Schema.brand("WidgetId"))
export type WidgetId = typeof WidgetId.Type

/** Author of a change; for requests over HTTP, the public id of the API key. */
export const Actor = Schema.Struct({ type: Schema.Literal("user", "api_key"), id: Schema.String })
export type Actor = typeof Actor.Type

const auditFields = {
  created_by: Actor,
  created_at: Timestamp,
  updated_by: Actor,
  updated_at: Timestamp
}

/** A saved query and its visualization. Stores the names of its filters; the filters themselves belong to the board. */
export class Widget extends Schema.Class<Widget>("Widget")({
  id: WidgetId,
  board_id: BoardId,
  tab_id: TabId,
  /** Position in its tab, from 0. */
  position: Schema.NonNegativeInt,
  name: Schema.String,
  /** SQL as written, including filter tokens. */
  sql: Schema.String,
  viz_type: VizType,
  viz_config: VizConfig,
  /** Names of the filters that the SQL uses, in order of first use. */
  filters: Schema.Array(Schema.String),
  ...auditFields
}) {}

/** One page of a board. */
export class Tab extends Schema.Class<Tab>("Tab")({
  id: TabId,
  name: Schema.String,
  /** Position on the board, from 0. */
  position: Schema.NonNegativeInt,
  /** Sorted by position. */
  widgets: Schema.Array(Widget)
}) {}

/** A board without its content, for lists. */
export class BoardSummary extends Schema.Class<BoardSummary>("BoardSummary")({
  id: BoardId,
  name: Schema.String,
  tag: Schema.NullOr(Schema.String),
  ...auditFields
}) {}

/** A board with all of its content. Every change inside it updates `updated_at`. */
export class Board extends BoardSummary.extend<Board>("Board")({
  /** Sorted by position; never empty. */
  tabs: Schema.Array(Tab),
  /** Filters that the widgets use, in order of first use. */
  filters: Schema.Array(Filter),
  /** Digests of states of filters that were replaced, by which stale copies are told; never sent to clients. */
  replaced_filters: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
}) {}

/** Summary of a board. */
export const summaryOf = (
  { created_at, created_by, id, name, tag, updated_at, updated_by }: BoardSummary
): BoardSummary => new BoardSummary({ id, name, tag, created_by, created_at, updated_by, updated_at }, unchecked)

/** Widgets of a board, by tab and position. */
export const widgetsOf = (board: Board): ReadonlyArray<Widget> => board.tabs.flatMap(({ widgets }) => widgets)

/** A widget as clients see it, with the filters that its SQL uses in order of first use. */
export const WidgetRecord = Schema.Struct({ ...Widget.fields, filters: Schema.Array(Filter) }).annotations({
  identifier: "Widget"
})
export type WidgetRecord = typeof WidgetRecord.Type

/** A tab as clients see it. */
export const TabRecord = Schema.Struct({ ...Tab.fields, widgets: Schema.Array(WidgetRecord) }).annotations({
  identifier: "Tab"
})
export type TabRecord = typeof TabRecord.Type

/** A board as clients see it, with all of its content. */
export const BoardRecord = Schema.Struct({
  ...Struct.omit(Board.fields, "replaced_filters"),
  tabs: Schema.Array(TabRecord)
}).annotations({
  identifier: "Board"
})
export type BoardRecord = typeof BoardRecord.Type

/** Public form of a widget. */
export const widgetRecordOf = (board: Board, widget: Widget): WidgetRecord => ({
  ...widget,
  filters: Array.filterMap(
    widget.filters,
    (name) => Array.findFirst(board.filters, ({ internal_name }) => internal_name === name)
  )
})

/** Public form of a tab. */
export const tabRecordOf = (board: Board, tab: Tab): TabRecord => ({
  ...tab,
  widgets: tab.widgets.map((widget) => widgetRecordOf(board, widget))
})

/** Public form of a board. */
export const boardRecordOf = (board: Board): BoardRecord => ({
  ...Struct.omit(board, "replaced_filters"),
  tabs: board.tabs.map((tab) => tabRecordOf(board, tab))
})
