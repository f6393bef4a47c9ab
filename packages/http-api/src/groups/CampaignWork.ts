import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ContactPage, ContactQuery, ProgressRecord } from "@trunkline/campaigns"
import { CampaignId } from "@trunkline/kernel"
import { RehearsalReport, RehearseCampaign } from "@trunkline/rehearsal"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, OutOfService, Unprocessable } from "../Reported.js"
import { BodyIsOptional, LimitedBy } from "../RouteAnnotations.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

const one = Schema.Struct({ ...inWorkspace, campaign_id: CampaignId })

/** What a campaign is doing, for whom, and how it would go: extensions of ours. */
export class CampaignWorkGroup extends HttpApiGroup.make("campaignWork")
  .annotate(OpenApi.Description, "What a campaign is doing and for whom, and how it would go.")
  .add(
    HttpApiEndpoint.get("contacts", "/campaigns/:campaign_id/contacts")
      .annotate(OpenApi.Summary, "List the contacts of a campaign")
      .setPath(one)
      .setUrlParams(checked("query", ContactQuery))
      .addSuccess(ContactPage)
      .addError(Unprocessable)
  )
  .add(
    HttpApiEndpoint.get("progress", "/campaigns/:campaign_id/progress")
      .annotate(OpenApi.Summary, "Get the progress of a campaign")
      .setPath(one)
      .addSuccess(ProgressRecord)
  )
  .add(
    HttpApiEndpoint.post("rehearse", "/campaigns/:campaign_id/rehearse")
      .annotate(OpenApi.Summary, "Rehearse a campaign in simulated time")
      .setPath(one)
      .setPayload(checked("body", RehearseCampaign))
      .addSuccess(RehearsalReport)
      .addError(OutOfService)
      .addError(Unprocessable)
      .annotate(BodyIsOptional, true)
  )
  .addError(Missing)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "campaigns")
  .middleware(Admission)
{}
