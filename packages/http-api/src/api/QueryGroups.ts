import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  FilterValues,
  ListBoards,
  MaxAge,
  PreviewRun,
  QuerySchema,
  RunResult,
  TabRun,
  TabRunResult,
  WidgetRun
} from "@trunkline/boards"
import { emptyAsAbsent, QueryInt } from "@trunkline/kernel"
import { CreateRule, DeliveryItem, PatchRule, Rule, RuleId } from "@trunkline/notifications"
import { Schema } from "effect"
import {
  BoardsError400,
  BoardsError404,
  BoardsError408,
  BoardsError422,
  BoardsError429,
  BoardsError500,
  BoardsError503
} from "../errors/BoardsErrorSchemas.js"
import { BoardsAdmission } from "./Admission.js"
import { boardPaths, boardsPrefix, listOf } from "./BoardsGroups.js"
import { BodyIsOptional, LimitedBy, RouteImportance, RouteRole } from "./RouteDeclaration.js"

/** A side of a chart in pixels, in a query string. */
const side = (min: number, max: number) =>
  emptyAsAbsent(QueryInt.pipe(Schema.greaterThanOrEqualTo(min), Schema.lessThanOrEqualTo(max)))

/** Filter values of a chart as a JSON string, the greatest age of its result, and its size. */
const ChartQuery = Schema.Struct({
  filter_values: emptyAsAbsent(Schema.parseJson(FilterValues)),
  max_age: emptyAsAbsent(Schema.compose(QueryInt, MaxAge)),
  width: side(240, 1_600),
  height: side(160, 1_200)
})
export type ChartQuery = typeof ChartQuery.Type

/** SQL over the facts of calls: ad hoc, as widgets, and as charts of widgets. */
export class QueriesGroup extends HttpApiGroup.make("queries", { topLevel: true })
  .annotate(OpenApi.Description, "SQL over the facts of calls, ad hoc or saved as widgets.")
  .add(
    HttpApiEndpoint.get("boards.schema", "/query-schema")
      .annotate(OpenApi.Summary, "List the tables that can be queried")
      .setPath(boardPaths.workspace)
      .addSuccess(QuerySchema)
      .annotate(LimitedBy, "boards")
      .annotate(RouteRole, "api")
  )
  .add(
    HttpApiEndpoint.post("boards.preview", "/query-preview")
      .annotate(OpenApi.Summary, "Run a query without saving it")
      .setPath(boardPaths.workspace)
      .setPayload(PreviewRun)
      .addSuccess(RunResult)
      .annotate(LimitedBy, "boards_preview")
  )
  .add(
    HttpApiEndpoint.post("boards.widgets.run", "/boards/:board_id/widgets/:widget_id/run")
      .annotate(OpenApi.Summary, "Run a widget")
      .setPath(boardPaths.widget)
      .setPayload(WidgetRun)
      .addSuccess(RunResult)
      .annotate(BodyIsOptional, true)
      .annotate(LimitedBy, "boards_widget_run")
  )
  .add(
    HttpApiEndpoint.post("boards.tabs.run", "/boards/:board_id/tabs/:tab_id/run")
      .annotate(OpenApi.Summary, "Run the widgets of a tab")
      .setPath(boardPaths.tab)
      .setPayload(TabRun)
      .addSuccess(TabRunResult)
      .annotate(BodyIsOptional, true)
      .annotate(LimitedBy, "boards_tab_run")
  )
  .add(
    HttpApiEndpoint.get("boards.widgets.chartSvg", "/boards/:board_id/widgets/:widget_id/chart.svg")
      .annotate(OpenApi.Summary, "Render a widget as SVG")
      .setPath(boardPaths.widget)
      .setUrlParams(ChartQuery)
      .addSuccess(HttpApiSchema.Text({ contentType: "image/svg+xml" }))
      .annotate(LimitedBy, "boards_widget_run")
  )
  .add(
    HttpApiEndpoint.get("boards.widgets.chartPng", "/boards/:board_id/widgets/:widget_id/chart.png")
      .annotate(OpenApi.Summary, "Render a widget as PNG")
      .setPath(boardPaths.widget)
      .setUrlParams(ChartQuery)
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
  .annotate(RouteRole, "boards")
  .middleware(BoardsAdmission)
{}

/** Rules for scheduled reports of widgets, and the history of their deliveries. */
export class NotificationsGroup extends HttpApiGroup.make("notifications", { topLevel: true })
  .annotate(OpenApi.Description, "Reports of widgets on a schedule.")
  .add(
    HttpApiEndpoint.post("notifications.create", "/boards/:board_id/notifications")
      .annotate(OpenApi.Summary, "Create a notification rule")
      .setPath(boardPaths.board)
      .setPayload(CreateRule)
      .addSuccess(Rule.annotations(HttpApiSchema.annotations({ status: 201 })))
  )
  .add(
    HttpApiEndpoint.get("notifications.list", "/boards/:board_id/notifications")
      .annotate(OpenApi.Summary, "List notification rules")
      .setPath(boardPaths.board)
      .setUrlParams(ListBoards)
      .addSuccess(listOf(Rule))
  )
  .add(
    HttpApiEndpoint.get("notifications.get", "/boards/:board_id/notifications/:rule_id")
      .annotate(OpenApi.Summary, "Get a notification rule")
      .setPath(boardPaths.rule)
      .addSuccess(Rule)
  )
  .add(
    HttpApiEndpoint.patch("notifications.update", "/boards/:board_id/notifications/:rule_id")
      .annotate(OpenApi.Summary, "Update a notification rule")
      .setPath(boardPaths.rule)
      .setPayload(PatchRule)
      .addSuccess(Rule)
  )
  .add(
    HttpApiEndpoint.del("notifications.remove", "/boards/:board_id/notifications/:rule_id")
      .annotate(OpenApi.Summary, "Delete a notification rule")
      .setPath(boardPaths.rule)
      .addSuccess(Schema.Struct({ rule_id: RuleId, deleted: Schema.Literal(true) }))
  )
  .add(
    HttpApiEndpoint.get("notifications.deliveries", "/boards/:board_id/notifications/:rule_id/deliveries")
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
