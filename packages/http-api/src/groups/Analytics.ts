import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { AttemptItem, CallQuery, InteractionItem, InteractionQuery, Transcript } from "@trunkline/analytics"
import { AppId, InteractionId, pageOf } from "@trunkline/kernel"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, OutOfService, TookTooLong, Unprocessable } from "../Reported.js"
import { LimitedBy } from "../RouteAnnotations.js"
import { inWorkspace } from "./Workspace.js"

/** The sound of a conversation. */
const WavFile = HttpApiSchema.Uint8Array({ contentType: "audio/wav" })

const ofAgent = { ...inWorkspace, app_id: AppId }
const agent = checked("path", Schema.Struct(ofAgent))

/** What came of an agent's calls (specification, Call analytics; shapes 6). */
export class AnalyticsGroup extends HttpApiGroup.make("analytics")
  .annotate(OpenApi.Description, "Records of calls.")
  .add(
    HttpApiEndpoint.get("attempts", "/attempts")
      .annotate(OpenApi.Summary, "List call attempts")
      .setPath(agent)
      .setUrlParams(checked("query", CallQuery))
      .addSuccess(pageOf(AttemptItem))
      .addError(TookTooLong)
      .addError(OutOfService)
  )
  .add(
    HttpApiEndpoint.get("interactions", "/interactions")
      .annotate(OpenApi.Summary, "List interactions")
      .setPath(agent)
      .setUrlParams(checked("query", InteractionQuery))
      .addSuccess(pageOf(InteractionItem))
      .addError(TookTooLong)
      .addError(OutOfService)
  )
  .add(
    HttpApiEndpoint.get("transcript", "/transcripts/:interaction_id")
      .annotate(OpenApi.Summary, "Get the transcript of an interaction")
      .setPath(checked("path", Schema.Struct({ ...ofAgent, interaction_id: InteractionId })))
      .addSuccess(Transcript)
      .addError(Missing)
  )
  .add(
    HttpApiEndpoint.get("recording", "/recordings/:interaction_id")
      .annotate(OpenApi.Summary, "Download the recording of an interaction")
      .setPath(checked("path", Schema.Struct({ ...ofAgent, interaction_id: InteractionId })))
      .addSuccess(WavFile)
      .addError(Missing)
  )
  .addError(Unprocessable)
  .annotate(LimitedBy, "analytics")
  .prefix("/analytics/v1/:org_id/:workspace_id/:app_id")
  .middleware(Admission)
{}
