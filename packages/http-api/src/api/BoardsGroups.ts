import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  BoardId,
  BoardRecord,
  BoardSummary,
  CreateBoard,
  CreateTab,
  CreateWidget,
  Filter,
  FilterId,
  ListBoards,
  PatchBoard,
  PatchFilter,
  PatchTab,
  PatchWidget,
  TabId,
  TabRecord,
  WidgetId,
  WidgetRecord
} from "@trunkline/boards"
import { RuleId } from "@trunkline/notifications"
import { Schema } from "effect"
import {
  BoardsError400,
  BoardsError404,
  BoardsError408,
  BoardsError422,
  BoardsError429
} from "../errors/BoardsErrorSchemas.js"
import { BoardsAdmission } from "./Admission.js"
import { LimitedBy, workspaceParams } from "./RouteDeclaration.js"

/** Prefix of the routes of boards. */
export const boardsPrefix = "/api/analytics/v1/:org_id/:workspace_id"

const boardParams = { ...workspaceParams, board_id: BoardId }

/** Path parameters of the routes of boards, by resource. */
export const boardPaths = {
  workspace: Schema.Struct(workspaceParams),
  board: Schema.Struct(boardParams),
  tab: Schema.Struct({ ...boardParams, tab_id: TabId }),
  widget: Schema.Struct({ ...boardParams, widget_id: WidgetId }),
  filter: Schema.Struct({ ...boardParams, filter_id: FilterId }),
  rule: Schema.Struct({ ...boardParams, rule_id: RuleId })
}

/** Response to a deletion. */
const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) })

/** Page of a list on boards, which has no links to other pages. */
export const listOf = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    items: Schema.Array(item),
    total: Schema.NonNegativeInt,
    limit: Schema.Int,
    offset: Schema.NonNegativeInt
  })

/** Analytics boards with their tabs, widgets and filters. */
export class BoardsGroup extends HttpApiGroup.make("boards", { topLevel: true })
  .annotate(OpenApi.Description, "Analytics boards with their tabs, widgets and filters.")
  .add(
    HttpApiEndpoint.get("boards.list", "/boards")
      .annotate(OpenApi.Summary, "List boards")
      .setPath(boardPaths.workspace)
      .setUrlParams(ListBoards)
      .addSuccess(listOf(BoardSummary))
  )
  .add(
    HttpApiEndpoint.post("boards.create", "/boards")
      .annotate(OpenApi.Summary, "Create a board")
      .setPath(boardPaths.workspace)
      .setPayload(CreateBoard)
      .addSuccess(BoardRecord)
  )
  .add(
    HttpApiEndpoint.get("boards.get", "/boards/:board_id")
      .annotate(OpenApi.Summary, "Get a board")
      .setPath(boardPaths.board)
      .addSuccess(BoardRecord)
  )
  .add(
    HttpApiEndpoint.patch("boards.update", "/boards/:board_id")
      .annotate(OpenApi.Summary, "Update a board")
      .setPath(boardPaths.board)
      .setPayload(PatchBoard)
      .addSuccess(BoardRecord)
  )
  .add(
    HttpApiEndpoint.del("boards.remove", "/boards/:board_id")
      .annotate(OpenApi.Summary, "Delete a board")
      .setPath(boardPaths.board)
      .addSuccess(Deleted)
  )
  .add(
    HttpApiEndpoint.post("boards.tabs.create", "/boards/:board_id/tabs")
      .annotate(OpenApi.Summary, "Add a tab to a board")
      .setPath(boardPaths.board)
      .setPayload(CreateTab)
      .addSuccess(TabRecord)
  )
  .add(
    HttpApiEndpoint.patch("boards.tabs.update", "/boards/:board_id/tabs/:tab_id")
      .annotate(OpenApi.Summary, "Update a tab")
      .setPath(boardPaths.tab)
      .setPayload(PatchTab)
      .addSuccess(TabRecord)
  )
  .add(
    HttpApiEndpoint.del("boards.tabs.remove", "/boards/:board_id/tabs/:tab_id")
      .annotate(OpenApi.Summary, "Delete a tab")
      .setPath(boardPaths.tab)
      .addSuccess(Deleted)
  )
  .add(
    HttpApiEndpoint.post("boards.widgets.create", "/boards/:board_id/widgets")
      .annotate(OpenApi.Summary, "Add a widget to a board")
      .setPath(boardPaths.board)
      .setPayload(CreateWidget)
      .addSuccess(WidgetRecord)
  )
  .add(
    HttpApiEndpoint.patch("boards.widgets.update", "/boards/:board_id/widgets/:widget_id")
      .annotate(OpenApi.Summary, "Update a widget")
      .setPath(boardPaths.widget)
      .setPayload(PatchWidget)
      .addSuccess(WidgetRecord)
  )
  .add(
    HttpApiEndpoint.del("boards.widgets.remove", "/boards/:board_id/widgets/:widget_id")
      .annotate(OpenApi.Summary, "Delete a widget")
      .setPath(boardPaths.widget)
      .addSuccess(Deleted)
  )
  .add(
    HttpApiEndpoint.get("boards.filters.list", "/boards/:board_id/filters")
      .annotate(OpenApi.Summary, "List the filters of a board")
      .setPath(boardPaths.board)
      .addSuccess(Schema.Struct({ filters: Schema.Array(Filter) }))
  )
  .add(
    HttpApiEndpoint.patch("boards.filters.update", "/boards/:board_id/filters/:filter_id")
      .annotate(OpenApi.Summary, "Update a filter of a board")
      .setPath(boardPaths.filter)
      .setPayload(PatchFilter)
      .addSuccess(Filter)
  )
  .addError(BoardsError400)
  .addError(BoardsError404)
  .addError(BoardsError408)
  .addError(BoardsError429)
  .addError(BoardsError422)
  .prefix(boardsPrefix)
  .annotate(LimitedBy, "boards")
  .middleware(BoardsAdmission)
{}
