import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  BoardRecord,
  BoardSummary,
  CreateBoard,
  CreateTab,
  CreateWidget,
  Filter,
  ListBoards,
  PatchBoard,
  PatchFilter,
  PatchTab,
  PatchWidget,
  TabRecord,
  WidgetRecord
} from "@trunkline/boards"
import { Schema } from "effect"
import { BoardsAdmission } from "../Admission.js"
import { BoardsBad, BoardsMissing, BoardsTooLate, BoardsTooMany, BoardsUnprocessable } from "../BoardsReported.js"
import { checked } from "../Checked.js"
import { LimitedBy } from "../RouteAnnotations.js"
import { boardPaths, boardsPrefix, Deleted } from "./BoardPaths.js"

const BoardList = Schema.Struct({
  items: Schema.Array(BoardSummary),
  total: Schema.NonNegativeInt,
  limit: Schema.Int,
  offset: Schema.NonNegativeInt
})

/** Boards with their tabs, widgets and filters (specification, Analytics boards; shapes 7.1). */
export class BoardsGroup extends HttpApiGroup.make("boards")
  .annotate(OpenApi.Description, "Analytics boards with their tabs, widgets and filters.")
  .add(
    HttpApiEndpoint.get("list", "/boards")
      .annotate(OpenApi.Summary, "List boards")
      .setPath(boardPaths.workspace)
      .setUrlParams(checked("query", ListBoards))
      .addSuccess(BoardList)
  )
  .add(
    HttpApiEndpoint.post("create", "/boards")
      .annotate(OpenApi.Summary, "Create a board")
      .setPath(boardPaths.workspace)
      .setPayload(checked("body", CreateBoard))
      .addSuccess(BoardRecord)
  )
  .add(
    HttpApiEndpoint.get("get", "/boards/:board_id")
      .annotate(OpenApi.Summary, "Get a board")
      .setPath(boardPaths.board)
      .addSuccess(BoardRecord)
  )
  .add(
    HttpApiEndpoint.patch("patch", "/boards/:board_id")
      .annotate(OpenApi.Summary, "Update a board")
      .setPath(boardPaths.board)
      .setPayload(checked("body", PatchBoard))
      .addSuccess(BoardRecord)
  )
  .add(
    HttpApiEndpoint.del("remove", "/boards/:board_id")
      .annotate(OpenApi.Summary, "Delete a board")
      .setPath(boardPaths.board)
      .addSuccess(Deleted)
  )
  .add(
    HttpApiEndpoint.post("createTab", "/boards/:board_id/tabs")
      .annotate(OpenApi.Summary, "Add a tab to a board")
      .setPath(boardPaths.board)
      .setPayload(checked("body", CreateTab))
      .addSuccess(TabRecord)
  )
  .add(
    HttpApiEndpoint.patch("patchTab", "/boards/:board_id/tabs/:tab_id")
      .annotate(OpenApi.Summary, "Update a tab")
      .setPath(boardPaths.tab)
      .setPayload(checked("body", PatchTab))
      .addSuccess(TabRecord)
  )
  .add(
    HttpApiEndpoint.del("removeTab", "/boards/:board_id/tabs/:tab_id")
      .annotate(OpenApi.Summary, "Delete a tab")
      .setPath(boardPaths.tab)
      .addSuccess(Deleted)
  )
  .add(
    HttpApiEndpoint.post("createWidget", "/boards/:board_id/widgets")
      .annotate(OpenApi.Summary, "Add a widget to a board")
      .setPath(boardPaths.board)
      .setPayload(checked("body", CreateWidget))
      .addSuccess(WidgetRecord)
  )
  .add(
    HttpApiEndpoint.patch("patchWidget", "/boards/:board_id/widgets/:widget_id")
      .annotate(OpenApi.Summary, "Update a widget")
      .setPath(boardPaths.widget)
      .setPayload(checked("body", PatchWidget))
      .addSuccess(WidgetRecord)
  )
  .add(
    HttpApiEndpoint.del("removeWidget", "/boards/:board_id/widgets/:widget_id")
      .annotate(OpenApi.Summary, "Delete a widget")
      .setPath(boardPaths.widget)
      .addSuccess(Deleted)
  )
  .add(
    HttpApiEndpoint.get("listFilters", "/boards/:board_id/filters")
      .annotate(OpenApi.Summary, "List the filters of a board")
      .setPath(boardPaths.board)
      .addSuccess(Schema.Struct({ filters: Schema.Array(Filter) }))
  )
  .add(
    HttpApiEndpoint.patch("patchFilter", "/boards/:board_id/filters/:filter_id")
      .annotate(OpenApi.Summary, "Update a filter of a board")
      .setPath(boardPaths.filter)
      .setPayload(checked("body", PatchFilter))
      .addSuccess(Filter)
  )
  .addError(BoardsBad)
  .addError(BoardsMissing)
  .addError(BoardsTooLate)
  .addError(BoardsTooMany)
  .addError(BoardsUnprocessable)
  .prefix(boardsPrefix)
  .annotate(LimitedBy, "boards")
  .middleware(BoardsAdmission)
{}
