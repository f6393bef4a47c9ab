import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  CampaignAction,
  CampaignDetail,
  CampaignMetadata,
  campaignSortable,
  CampaignStatus,
  Canary,
  CanaryAction,
  CanarySettings,
  ContactPage,
  ContactQuery,
  CreateCampaign,
  PatchCampaign,
  ProgressRecord
} from "@trunkline/campaigns"
import { CampaignId, emptyAsAbsent, listParameters, pageOf } from "@trunkline/kernel"
import { RehearsalReport, RehearseCampaign } from "@trunkline/rehearsal"
import { DeliveriesPage, DeliveriesQuery, ResendWebhooks, RotatedSecret, RotateSecret } from "@trunkline/webhooks"
import { Schema } from "effect"
import { Error404, Error422, Error503 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import { BodyIsOptional, LimitedBy, RouteImportance, workspaceParams, workspacePrefix } from "./RouteDeclaration.js"

const workspace = Schema.Struct(workspaceParams)
const campaign = Schema.Struct({ ...workspaceParams, campaign_id: CampaignId })

const query = Schema.Struct({
  ...listParameters({ sortable: campaignSortable }).fields,
  campaign_status: emptyAsAbsent(CampaignStatus)
})

/** Outbound campaigns. */
export class CampaignsGroup extends HttpApiGroup.make("campaigns", { topLevel: true })
  .annotate(OpenApi.Description, "Scheduled outbound calls to the contacts of cohorts.")
  .add(
    HttpApiEndpoint.post("campaigns.create", "/campaigns")
      .annotate(OpenApi.Summary, "Create a campaign")
      .setPath(workspace)
      .setPayload(CreateCampaign)
      .addSuccess(CampaignMetadata)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("campaigns.list", "/campaigns")
      .annotate(OpenApi.Summary, "List campaigns")
      .setPath(workspace)
      .setUrlParams(query)
      .addSuccess(pageOf(CampaignMetadata))
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("campaigns.get", "/campaigns/:campaign_id")
      .annotate(OpenApi.Summary, "Get a campaign")
      .setPath(campaign)
      .addSuccess(CampaignDetail)
      .addError(Error404)
  )
  .add(
    HttpApiEndpoint.patch("campaigns.update", "/campaigns/:campaign_id")
      .annotate(OpenApi.Summary, "Update a campaign")
      .setPath(campaign)
      .setPayload(PatchCampaign)
      .addSuccess(CampaignMetadata)
      .addError(Error404)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.put("campaigns.updateStatus", "/campaigns/:campaign_id/status")
      .annotate(OpenApi.Summary, "Pause, resume or cancel a campaign")
      .setPath(campaign)
      .setPayload(CampaignAction)
      .addSuccess(CampaignMetadata)
      .addError(Error404)
      .addError(Error422)
      .annotate(RouteImportance, "calls")
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "campaigns")
  .middleware(WorkspaceAdmission)
{}

/** Contacts, progress, canaries and rehearsals of campaigns. */
export class CampaignWorkGroup extends HttpApiGroup.make("campaignWork", { topLevel: true })
  .annotate(OpenApi.Description, "Contacts, progress, canaries and rehearsals of campaigns.")
  .add(
    HttpApiEndpoint.get("campaigns.contacts", "/campaigns/:campaign_id/contacts")
      .annotate(OpenApi.Summary, "List the contacts of a campaign")
      .setPath(campaign)
      .setUrlParams(ContactQuery)
      .addSuccess(ContactPage)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("campaigns.progress", "/campaigns/:campaign_id/progress")
      .annotate(OpenApi.Summary, "Get the progress of a campaign")
      .setPath(campaign)
      .addSuccess(ProgressRecord)
  )
  .add(
    HttpApiEndpoint.post("canaries.start", "/campaigns/:campaign_id/canary")
      .annotate(OpenApi.Summary, "Try a version of the agent on some contacts")
      .setPath(campaign)
      .setPayload(CanarySettings)
      .addSuccess(Canary)
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.put("canaries.updateStatus", "/campaigns/:campaign_id/canary/status")
      .annotate(OpenApi.Summary, "Stop or promote the canary of a campaign")
      .setPath(campaign)
      .setPayload(CanaryAction)
      .addSuccess(Canary)
      .addError(Error422)
      .annotate(RouteImportance, "calls")
  )
  .add(
    HttpApiEndpoint.post("campaigns.rehearse", "/campaigns/:campaign_id/rehearse")
      .annotate(OpenApi.Summary, "Rehearse a campaign in simulated time")
      .setPath(campaign)
      .setPayload(RehearseCampaign)
      .addSuccess(RehearsalReport)
      .addError(Error503)
      .addError(Error422)
      .annotate(BodyIsOptional, true)
  )
  .addError(Error404)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "campaigns")
  .middleware(WorkspaceAdmission)
{}

/** Webhook deliveries of campaigns, and the secrets that sign them. */
export class CampaignWebhooksGroup extends HttpApiGroup.make("campaignWebhooks", { topLevel: true })
  .annotate(OpenApi.Description, "Deliveries of campaign webhooks, and the secret that signs them.")
  .add(
    HttpApiEndpoint.get("webhooks.list", "/campaigns/:campaign_id/webhooks")
      .annotate(OpenApi.Summary, "List the webhook deliveries of a campaign")
      .setPath(campaign)
      .setUrlParams(DeliveriesQuery)
      .addSuccess(DeliveriesPage)
  )
  .add(
    HttpApiEndpoint.post("webhooks.resend", "/campaigns/:campaign_id/webhooks/retry")
      .annotate(OpenApi.Summary, "Send webhooks of a campaign again")
      .setPath(campaign)
      .setPayload(ResendWebhooks)
      .addSuccess(Schema.Struct({}), { status: 202 })
  )
  .add(
    HttpApiEndpoint.post("webhooks.rotateSecret", "/campaigns/:campaign_id/webhooks/rotate-secret")
      .annotate(OpenApi.Summary, "Rotate the webhook secret of a campaign")
      .setPath(campaign)
      .setPayload(RotateSecret)
      .addSuccess(RotatedSecret)
      .annotate(BodyIsOptional, true)
  )
  .addError(Error404)
  .addError(Error422)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "campaigns")
  .middleware(WorkspaceAdmission)
{}
