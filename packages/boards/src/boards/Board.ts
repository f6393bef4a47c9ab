import { VizConfig, VizType } from "@trunkline/charts"
import { Timestamp, trusted } from "@trunkline/kernel"
import { Schema } from "effect"
import { Filter } from "../filters/Filter.js"

/** A UUID of a board (shapes 0.1). */
export const BoardId = Schema.String.pipe(Schema.brand("BoardId"))
export type BoardId = typeof BoardId.Type
/** A UUID of a tab. */
export const TabId = Schema.String.pipe(Schema.brand("TabId"))
export type TabId = typeof TabId.Type
/** A UUID of a widget. */
export const WidgetId = Schema.String.pipe(Schema.brand("WidgetId"))
export type WidgetId = typeof WidgetId.Type

/** Who created or changed something: the public id of a key, for what comes over HTTP (shapes 7.2). */
export const Actor = Schema.Struct({ type: Schema.Literal("user", "api_key"), id: Schema.String })
export type Actor = typeof Actor.Type

const written = {
  created_by: Actor,
  created_at: Timestamp,
  updated_by: Actor,
  updated_at: Timestamp
}

/** A saved query and how it is shown, as it is kept: its filters are its board's. */
export class Widget extends Schema.Class<Widget>("Widget")({
  id: WidgetId,
  board_id: BoardId,
  tab_id: TabId,
  /** Its place in its tab, from 0. */
  position: Schema.NonNegativeInt,
  name: Schema.String,
  /** As it was written, tokens and all. */
  sql: Schema.String,
  viz_type: VizType,
  viz_config: VizConfig,
  /** The names of the filters that its SQL uses, in the order of their first use. */
  filters: Schema.Array(Schema.String),
  ...written
}) {}

/** One page of a board, as it is kept. */
export class Tab extends Schema.Class<Tab>("Tab")({
  id: TabId,
  name: Schema.String,
  /** Its place on the board, from 0. */
  position: Schema.NonNegativeInt,
  /** By position. */
  widgets: Schema.Array(Widget)
}) {}

/** A board without what is on it, as lists show it (shapes 7.2). */
export class BoardSummary extends Schema.Class<BoardSummary>("BoardSummary")({
  id: BoardId,
  name: Schema.String,
  tag: Schema.NullOr(Schema.String),
  ...written
}) {}

/** A board with all that is on it, as it is kept. `updated_at` moves with any change inside. */
export class Board extends BoardSummary.extend<Board>("Board")({
  /** By position; at least one. */
  tabs: Schema.Array(Tab),
  /** Every filter that a widget of the board uses, in the order of their first use. */
  filters: Schema.Array(Filter)
}) {}

/** The list form of a board. */
export const summaryOf = (
  { created_at, created_by, id, name, tag, updated_at, updated_by }: BoardSummary
): BoardSummary => new BoardSummary({ id, name, tag, created_by, created_at, updated_by, updated_at }, trusted)

/** Every widget of a board: tab by tab, each by position. */
export const widgetsOf = (board: Board): ReadonlyArray<Widget> => board.tabs.flatMap(({ widgets }) => widgets)
