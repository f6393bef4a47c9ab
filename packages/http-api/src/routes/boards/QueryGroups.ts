import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  FilterValues,
  ListBoards,
  PreviewRun,
  QuerySchema,
  RunResult,
  TabRun,
  TabRunResult,
  WidgetRun
} from "@trunkline/boards"
import { emptyAsAbsent } from "@trunkline/kernel"
import { CreateRule, DeliveryItem, PatchRule, Rule, RuleId } from "@trunkline/notifications"
import { Schema } from "effect"
import { BoardsAdmission } from "../../admission/Admission.js"
import {
  BoardsError400,
  BoardsError404,
  BoardsError408,
  BoardsError422,
  BoardsError429,
  BoardsError500,
  BoardsError503
} from "../../errors/BoardsErrorSchemas.js"
import { AnsweredBy, BodyIsOptional, LimitedBy, RouteImportance } from "../../RouteDeclaration.js"
import { boardPaths, boardsPrefix, listOf } from "./Groups.js"

/** Filter values of a chart, as a JSON string. */
const chartQuery = Schema.Struct({ filter_values: emptyAsAbsent(Schema.parseJson(FilterValues)) })

/** SQL over the facts of calls: ad hoc, as widgets, and as charts of widgets. */
export class QueriesGroup extends HttpApiGroup.make("queries")
  .annotate(OpenApi.Description, "SQL over the facts of calls, ad hoc or saved as widgets.")
  .add(
    HttpApiEndpoint.get("schema", "/query-schema")
      .annotate(OpenApi.Summary, "List the tables that can be queried")
      .setPath(boardPaths.workspace)
      .addSuccess(QuerySchema)
      .annotate(LimitedBy, "boards")
      .annotate(AnsweredBy, "api")
  )
  .add(
    HttpApiEndpoint.post("preview", "/query-preview")
      .annotate(OpenApi.Summary, "Run a query without saving it")
      .setPath(boardPaths.workspace)
      .setPayload(PreviewRun)
      .addSuccess(RunResult)
      .annotate(LimitedBy, "boards_preview")
  )
  .add(
    HttpApiEndpoint.post("runWidget", "/boards/:board_id/widgets/:widget_id/run")
      .annotate(OpenApi.Summary, "Run a widget")
      .setPath(boardPaths.widget)
      .setPayload(WidgetRun)
      .addSuccess(RunResult)
      .annotate(BodyIsOptional, true)
      .annotate(LimitedBy, "boards_widget_run")
  )
  .add(
    HttpApiEndpoint.post("runTab", "/boards/:board_id/tabs/:tab_id/run")
      .annotate(OpenApi.Summary, "Run the widgets of a tab")
      .setPath(boardPaths.tab)
      .setPayload(TabRun)
      .addSuccess(TabRunResult)
      .annotate(BodyIsOptional, true)
      .annotate(LimitedBy, "boards_tab_run")
  )
  .add(
    HttpApiEndpoint.get("chartSvg", "/boards/:board_id/widgets/:widget_id/chart.svg")
      .annotate(OpenApi.Summary, "Render a widget as SVG")
      .setPath(boardPaths.widget)
      .setUrlParams(chartQuery)
      .addSuccess(HttpApiSchema.Text({ contentType: "image/svg+xml" }))
      .annotate(LimitedBy, "boards_widget_run")
  )
  .add(
    HttpApiEndpoint.get("chartPng", "/boards/:board_id/widgets/:widget_id/chart.png")
      .annotate(OpenApi.Summary, "Render a widget as PNG")
      .setPath(boardPaths.widget)
      .setUrlParams(chartQuery)
      .addSuccess(HttpApiSchema.Uint8Array({ contentType: "image/png" }))
      .annotate(LimitedBy, "boards_widget_run")
  )
  .addError(BoardsError400)
  .addError(BoardsError500)
  .addError(BoardsError503)
  .addError(BoardsError404)
  .addError(BoardsError408)
  .addError(BoardsError429)
  .addError(BoardsError422)
  .prefix(boardsPrefix)
  .annotate(RouteImportance, "batch")
  .annotate(AnsweredBy, "boards")
  .middleware(BoardsAdmission)
{}

/** Rules for scheduled reports of widgets, and the history of their deliveries. */
export class NotificationsGroup extends HttpApiGroup.make("notifications")
  .annotate(OpenApi.Description, "Reports of widgets on a schedule.")
  .add(
    HttpApiEndpoint.post("create", "/boards/:board_id/notifications")
      .annotate(OpenApi.Summary, "Create a notification rule")
      .setPath(boardPaths.board)
      .setPayload(CreateRule)
      .addSuccess(Rule.annotations(HttpApiSchema.annotations({ status: 201 })))
  )
  .add(
    HttpApiEndpoint.get("list", "/boards/:board_id/notifications")
      .annotate(OpenApi.Summary, "List notification rules")
      .setPath(boardPaths.board)
      .setUrlParams(ListBoards)
      .addSuccess(listOf(Rule))
  )
  .add(
    HttpApiEndpoint.get("get", "/boards/:board_id/notifications/:rule_id")
      .annotate(OpenApi.Summary, "Get a notification rule")
      .setPath(boardPaths.rule)
      .addSuccess(Rule)
  )
  .add(
    HttpApiEndpoint.patch("patch", "/boards/:board_id/notifications/:rule_id")
      .annotate(OpenApi.Summary, "Update a notification rule")
      .setPath(boardPaths.rule)
      .setPayload(PatchRule)
      .addSuccess(Rule)
  )
  .add(
    HttpApiEndpoint.del("remove", "/boards/:board_id/notifications/:rule_id")
      .annotate(OpenApi.Summary, "Delete a notification rule")
      .setPath(boardPaths.rule)
      .addSuccess(Schema.Struct({ rule_id: RuleId, deleted: Schema.Literal(true) }))
  )
  .add(
    HttpApiEndpoint.get("deliveries", "/boards/:board_id/notifications/:rule_id/deliveries")
      .annotate(OpenApi.Summary, "List the deliveries of a notification rule")
      .setPath(boardPaths.rule)
      .setUrlParams(ListBoards)
      .addSuccess(listOf(DeliveryItem))
  )
  .addError(BoardsError400)
  .addError(BoardsError404)
  .addError(BoardsError422)
  .prefix(boardsPrefix)
  .annotate(LimitedBy, "boards")
  .middleware(BoardsAdmission)
{}
