import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { CampaignId, emptyIsAbsent } from "@trunkline/kernel"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Unprocessable } from "../Reported.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

/**
 * Calls as they go on: an extension of ours, for dashboards. A request that asks for a WebSocket gets every event as a
 * text frame, any other one as a server-sent event.
 */
export class CallsGroup extends HttpApiGroup.make("calls")
  .annotate(OpenApi.Description, "Calls while they go on.")
  .add(
    HttpApiEndpoint.get("live", "/calls/live")
      .annotate(OpenApi.Summary, "Follow calls as they happen")
      .setPath(Schema.Struct(inWorkspace))
      .setUrlParams(checked("query", Schema.Struct({ campaign_id: emptyIsAbsent(CampaignId) })))
      .addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" }))
      .addError(Unprocessable)
  )
  .prefix(workspacePrefix)
  .middleware(Admission)
{}
