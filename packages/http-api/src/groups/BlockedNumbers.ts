import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { listParameters, pageOf, PhoneNumber } from "@trunkline/kernel"
import { BlockedNumber, BlockNumbers } from "@trunkline/telephony"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, Unprocessable } from "../Reported.js"
import { LimitedBy, Matters } from "../RouteAnnotations.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

const { limit, offset } = listParameters({ sortable: ["created_at"] }).fields

/** The numbers that a workspace never calls (shapes 13). */
export class BlockedNumbersGroup extends HttpApiGroup.make("blockedNumbers")
  .annotate(OpenApi.Description, "Numbers that a workspace never calls.")
  .add(
    HttpApiEndpoint.get("list", "/blocked-numbers")
      .annotate(OpenApi.Summary, "List blocked numbers")
      .setPath(Schema.Struct(inWorkspace))
      .setUrlParams(checked("query", Schema.Struct({ limit, offset })))
      .addSuccess(pageOf(BlockedNumber))
  )
  .add(
    HttpApiEndpoint.post("add", "/blocked-numbers")
      .annotate(OpenApi.Summary, "Block numbers")
      .setPath(Schema.Struct(inWorkspace))
      .setPayload(checked("body", BlockNumbers))
      .addSuccess(Schema.Struct({
        /** Each number once, as it is kept: one that was blocked before keeps its reason and its date. */
        items: Schema.Array(BlockedNumber)
      }))
      .annotate(Matters, "calls")
  )
  .add(
    HttpApiEndpoint.del("remove", "/blocked-numbers/:number")
      .annotate(OpenApi.Summary, "Unblock a number")
      .setPath(Schema.Struct({ ...inWorkspace, number: Schema.String }))
      .addSuccess(Schema.Struct({ phone_number: PhoneNumber, deleted: Schema.Literal(true) }))
      .addError(Missing)
  )
  .addError(Unprocessable)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "campaigns")
  .middleware(Admission)
{}
