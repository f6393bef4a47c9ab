import type { Scope } from "@trunkline/kernel"
import { Context, Effect } from "effect"
import type { BoardId, WidgetId } from "./Board.js"

/** What hangs on widgets and goes with them, such as notification rules. Nothing does, unless provided. */
export class WidgetDependents extends Context.Reference<WidgetDependents>()("@trunkline/boards/WidgetDependents", {
  defaultValue: (): {
    /** Widgets of a board are being removed: runs in the same transaction, whose failure brings them back. */
    readonly removed: (scope: Scope, board_id: BoardId, widget_ids: ReadonlyArray<WidgetId>) => Effect.Effect<void>
  } => ({ removed: () => Effect.void })
}) {}
