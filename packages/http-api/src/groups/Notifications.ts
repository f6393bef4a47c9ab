import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { ListBoards } from "@trunkline/boards"
import { CreateRule, DeliveryItem, PatchRule, Rule, RuleId } from "@trunkline/notifications"
import { Schema } from "effect"
import { BoardsAdmission } from "../Admission.js"
import { BoardsBad, BoardsMissing, BoardsUnprocessable } from "../BoardsReported.js"
import { checked } from "../Checked.js"
import { LimitedBy } from "../RouteAnnotations.js"
import { boardPaths, boardsPrefix } from "./BoardPaths.js"

const listOf = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    items: Schema.Array(item),
    total: Schema.NonNegativeInt,
    limit: Schema.Int,
    offset: Schema.NonNegativeInt
  })

/** Scheduled reports (specification, Create notification rule; shapes 7.6). The delivery history is an extension. */
export class NotificationsGroup extends HttpApiGroup.make("notifications")
  .annotate(OpenApi.Description, "Reports of widgets on a schedule.")
  .add(
    HttpApiEndpoint.post("create", "/boards/:board_id/notifications")
      .annotate(OpenApi.Summary, "Create a notification rule")
      .setPath(boardPaths.board)
      .setPayload(checked("body", CreateRule))
      .addSuccess(Rule.annotations(HttpApiSchema.annotations({ status: 201 })))
  )
  .add(
    HttpApiEndpoint.get("list", "/boards/:board_id/notifications")
      .annotate(OpenApi.Summary, "List notification rules")
      .setPath(boardPaths.board)
      .setUrlParams(checked("query", ListBoards))
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
      .setPayload(checked("body", PatchRule))
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
      .setUrlParams(checked("query", ListBoards))
      .addSuccess(listOf(DeliveryItem))
  )
  .addError(BoardsBad)
  .addError(BoardsMissing)
  .addError(BoardsUnprocessable)
  .prefix(boardsPrefix)
  .annotate(LimitedBy, "boards")
  .middleware(BoardsAdmission)
{}
