import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { AttemptItem, CallQuery, InteractionItem, InteractionQuery, Transcript } from "@trunkline/analytics"
import { AppId, InteractionId, pageOf } from "@trunkline/kernel"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, Unprocessable } from "../Reported.js"
import { LimitedBy } from "../RouteAnnotations.js"
import { inWorkspace } from "./Workspace.js"

const ofAgent = { ...inWorkspace, app_id: AppId }
const agent = checked("path", Schema.Struct(ofAgent))

/** What came of an agent's calls (specification, Call analytics; shapes 6). */
export class AnalyticsGroup extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("attempts", "/attempts")
      .setPath(agent)
      .setUrlParams(checked("query", CallQuery))
      .addSuccess(pageOf(AttemptItem))
  )
  .add(
    HttpApiEndpoint.get("interactions", "/interactions")
      .setPath(agent)
      .setUrlParams(checked("query", InteractionQuery))
      .addSuccess(pageOf(InteractionItem))
  )
  .add(
    HttpApiEndpoint.get("transcript", "/transcripts/:interaction_id")
      .setPath(checked("path", Schema.Struct({ ...ofAgent, interaction_id: InteractionId })))
      .addSuccess(Transcript)
      .addError(Missing)
  )
  .addError(Unprocessable)
  .annotate(LimitedBy, "analytics")
  .prefix("/analytics/v1/:org_id/:workspace_id/:app_id")
  .middleware(Admission)
{}
