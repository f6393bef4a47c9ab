import { BoardId, FilterId, TabId, WidgetId } from "@trunkline/boards"
import { RuleId } from "@trunkline/notifications"
import { Schema } from "effect"
import { inWorkspace } from "./Workspace.js"

/** Where the routes of the boards begin (specification, Analytics boards). */
export const boardsPrefix = "/api/analytics/v1/:org_id/:workspace_id"

const ofBoard = { ...inWorkspace, board_id: BoardId }

/** The path parameters of the boards' routes, by what they lead to. */
export const boardPaths = {
  workspace: Schema.Struct(inWorkspace),
  board: Schema.Struct(ofBoard),
  tab: Schema.Struct({ ...ofBoard, tab_id: TabId }),
  widget: Schema.Struct({ ...ofBoard, widget_id: WidgetId }),
  filter: Schema.Struct({ ...ofBoard, filter_id: FilterId }),
  rule: Schema.Struct({ ...ofBoard, rule_id: RuleId })
}

/** What a deletion is answered with (shapes 7.1). */
export const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) })
