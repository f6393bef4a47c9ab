import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { FilterValues, PreviewRun, QuerySchema, RunResult, TabRun, TabRunResult, WidgetRun } from "@trunkline/boards"
import { emptyIsAbsent } from "@trunkline/kernel"
import { Schema } from "effect"
import { BoardsAdmission } from "../Admission.js"
import {
  BoardsBad,
  BoardsBroken,
  BoardsMissing,
  BoardsTooLate,
  BoardsTooMany,
  BoardsUnprocessable
} from "../BoardsReported.js"
import { checked } from "../Checked.js"
import { BodyIsOptional, LimitedBy, Matters } from "../RouteAnnotations.js"
import { boardPaths, boardsPrefix } from "./BoardPaths.js"

/** The values of filters, as JSON in one text. */
const chartQuery = checked(
  "query",
  Schema.Struct({ filter_values: emptyIsAbsent(Schema.parseJson(FilterValues)) })
)

/** SQL over the facts of calls, saved as widgets or not (specification, Analytics boards; shapes 7.4, 7.5). */
export class QueriesGroup extends HttpApiGroup.make("queries")
  .annotate(OpenApi.Description, "SQL over the facts of calls, saved as widgets or not.")
  .add(
    HttpApiEndpoint.get("schema", "/query-schema")
      .annotate(OpenApi.Summary, "List the tables that can be queried")
      .setPath(boardPaths.workspace)
      .addSuccess(QuerySchema)
      .annotate(LimitedBy, "boards")
  )
  .add(
    HttpApiEndpoint.post("preview", "/query-preview")
      .annotate(OpenApi.Summary, "Run a query without saving it")
      .setPath(boardPaths.workspace)
      .setPayload(checked("body", PreviewRun))
      .addSuccess(RunResult)
      .annotate(LimitedBy, "boards_preview")
  )
  .add(
    HttpApiEndpoint.post("runWidget", "/boards/:board_id/widgets/:widget_id/run")
      .annotate(OpenApi.Summary, "Run a widget")
      .setPath(boardPaths.widget)
      .setPayload(checked("body", WidgetRun))
      .addSuccess(RunResult)
      .annotate(BodyIsOptional, true)
      .annotate(LimitedBy, "boards_widget_run")
  )
  .add(
    HttpApiEndpoint.post("runTab", "/boards/:board_id/tabs/:tab_id/run")
      .annotate(OpenApi.Summary, "Run the widgets of a tab")
      .setPath(boardPaths.tab)
      .setPayload(checked("body", TabRun))
      .addSuccess(TabRunResult)
      .annotate(BodyIsOptional, true)
      .annotate(LimitedBy, "boards_tab_run")
  )
  .add(
    HttpApiEndpoint.get("chartSvg", "/boards/:board_id/widgets/:widget_id/chart.svg")
      .annotate(OpenApi.Summary, "Draw a widget as SVG")
      .setPath(boardPaths.widget)
      .setUrlParams(chartQuery)
      .addSuccess(HttpApiSchema.Text({ contentType: "image/svg+xml" }))
      .annotate(LimitedBy, "boards_widget_run")
  )
  .add(
    HttpApiEndpoint.get("chartPng", "/boards/:board_id/widgets/:widget_id/chart.png")
      .annotate(OpenApi.Summary, "Draw a widget as PNG")
      .setPath(boardPaths.widget)
      .setUrlParams(chartQuery)
      .addSuccess(HttpApiSchema.Uint8Array({ contentType: "image/png" }))
      .annotate(LimitedBy, "boards_widget_run")
  )
  .addError(BoardsBad)
  .addError(BoardsBroken)
  .addError(BoardsMissing)
  .addError(BoardsTooLate)
  .addError(BoardsTooMany)
  .addError(BoardsUnprocessable)
  .prefix(boardsPrefix)
  .annotate(Matters, "batch")
  .middleware(BoardsAdmission)
{}
