import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { CreateOutbound, OutboundStarted } from "@trunkline/telephony"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { OutOfService, Unprocessable } from "../Reported.js"
import { LimitedBy, Matters } from "../RouteAnnotations.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

/** Single outbound calls (specification, Outbound call; shapes 5). */
export class OutboundsGroup extends HttpApiGroup.make("outbounds")
  .annotate(OpenApi.Description, "Single outbound calls.")
  .add(
    HttpApiEndpoint.post("start", "/outbounds")
      .annotate(OpenApi.Summary, "Start a call")
      .setPath(Schema.Struct(inWorkspace))
      .setPayload(checked("body", CreateOutbound))
      .addSuccess(OutboundStarted)
      .addError(OutOfService)
      .addError(Unprocessable)
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "outbounds")
  .annotate(Matters, "calls")
  .middleware(Admission)
{}
