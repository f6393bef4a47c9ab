import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  CampaignAction,
  CampaignDetail,
  CampaignMetadata,
  campaignSortable,
  CampaignStatus,
  CreateCampaign,
  PatchCampaign
} from "@trunkline/campaigns"
import { CampaignId, emptyIsAbsent, listParameters, pageOf } from "@trunkline/kernel"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, Unprocessable } from "../Reported.js"
import { LimitedBy, Matters } from "../RouteAnnotations.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

const workspace = Schema.Struct(inWorkspace)
const one = Schema.Struct({ ...inWorkspace, campaign_id: CampaignId })

const query = Schema.Struct({
  ...listParameters({ sortable: campaignSortable }).fields,
  campaign_status: emptyIsAbsent(CampaignStatus)
})

/** Outbound campaigns (specification, Campaigns; shapes 3). */
export class CampaignsGroup extends HttpApiGroup.make("campaigns")
  .annotate(OpenApi.Description, "Scheduled outbound calls to the people of cohorts.")
  .add(
    HttpApiEndpoint.post("create", "/campaigns")
      .annotate(OpenApi.Summary, "Create a campaign")
      .setPath(workspace)
      .setPayload(checked("body", CreateCampaign))
      .addSuccess(CampaignMetadata)
      .addError(Unprocessable)
  )
  .add(
    HttpApiEndpoint.get("list", "/campaigns")
      .annotate(OpenApi.Summary, "List campaigns")
      .setPath(workspace)
      .setUrlParams(checked("query", query))
      .addSuccess(pageOf(CampaignMetadata))
      .addError(Unprocessable)
  )
  .add(
    HttpApiEndpoint.get("get", "/campaigns/:campaign_id")
      .annotate(OpenApi.Summary, "Get a campaign")
      .setPath(one)
      .addSuccess(CampaignDetail)
      .addError(Missing)
  )
  .add(
    HttpApiEndpoint.patch("patch", "/campaigns/:campaign_id")
      .annotate(OpenApi.Summary, "Update a campaign")
      .setPath(one)
      .setPayload(checked("body", PatchCampaign))
      .addSuccess(CampaignMetadata)
      .addError(Missing)
      .addError(Unprocessable)
  )
  .add(
    HttpApiEndpoint.put("act", "/campaigns/:campaign_id/status")
      .annotate(OpenApi.Summary, "Pause, resume or cancel a campaign")
      .setPath(one)
      .setPayload(checked("body", CampaignAction))
      .addSuccess(CampaignMetadata)
      .addError(Missing)
      .addError(Unprocessable)
      .annotate(Matters, "calls")
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "campaigns")
  .middleware(Admission)
{}
