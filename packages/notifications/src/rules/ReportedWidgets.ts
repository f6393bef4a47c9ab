import type { BoardsFailure, NotFound } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { Context, type Effect } from "effect"
import type { Report } from "../reports/Report.js"

/** What a widget has to tell now, and what it is called; its failure is told like a result. */
export type WidgetReport = Pick<Report, "board_name" | "widget_name" | "viz_type" | "viz_config" | "outcome">

/** What notifications need to know of boards. */
export class ReportedWidgets extends Context.Tag("@trunkline/notifications/ReportedWidgets")<ReportedWidgets, {
  /** Fails unless the workspace has the board. Joins the running transaction. */
  readonly checkBoard: (scope: Scope, board_id: string) => Effect.Effect<void, NotFound>
  /** Fails unless the workspace has the board, and the board the widget (`WIDGET_NOT_ON_BOARD`). Joins the running transaction. */
  readonly check: (scope: Scope, board_id: string, widget_id: string) => Effect.Effect<void, NotFound | BoardsFailure>
  /**
   * Runs a widget afresh, never from a cache, with the defaults of its filters. Whatever the SQL does wrong is the
   * outcome; the code `RATE_LIMITED` says that it was not run and may be soon. Fails when the widget is gone.
   */
  readonly report: (scope: Scope, board_id: string, widget_id: string) => Effect.Effect<WidgetReport, NotFound>
}>() {}
