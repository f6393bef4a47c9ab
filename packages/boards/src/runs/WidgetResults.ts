import type { BoardsFailure, Overloaded } from "@trunkline/errors"
import { describeCause } from "@trunkline/kernel"
import { Cause, Effect } from "effect"
import type { WidgetId } from "../boards/Board.js"
import type { RunResult, WidgetResult } from "./RunBodies.js"

/**
 * What a widget's run is among those of its tab: whatever becomes of it, the others go on. Its defects are logged by their
 * kind, and shown as `INTERNAL`.
 */
export const asWidgetResult =
  (widget_id: WidgetId) =>
  <R>(run: Effect.Effect<RunResult, BoardsFailure | Overloaded, R>): Effect.Effect<WidgetResult, never, R> => {
    const failed = (code: BoardsFailure["code"], message: string): WidgetResult => ({
      widget_id,
      status: "error",
      error: { code, message }
    })
    return run.pipe(
      Effect.map((result): WidgetResult => ({ widget_id, status: "ok", ...result })),
      Effect.catchTags({
        BoardsFailure: ({ code, message }) => Effect.succeed(failed(code, message)),
        Overloaded: ({ message }) => Effect.succeed(failed("RATE_LIMITED", message))
      }),
      Effect.catchAllDefect((defect) =>
        Effect.as(
          Effect.logError("A widget could not be run", describeCause(Cause.die(defect))),
          failed("INTERNAL", "Something went wrong on our side. Try again.")
        )
      )
    )
  }
