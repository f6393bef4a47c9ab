import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { CampaignId } from "@trunkline/kernel"
import { DeliveriesPage, DeliveriesQuery, ResendWebhooks, RotatedSecret, RotateSecret } from "@trunkline/webhooks"
import { Schema } from "effect"
import { Admission } from "../Admission.js"
import { checked } from "../Checked.js"
import { Missing, Unprocessable } from "../Reported.js"
import { BodyIsOptional, LimitedBy } from "../RouteAnnotations.js"
import { inWorkspace, workspacePrefix } from "./Workspace.js"

const one = Schema.Struct({ ...inWorkspace, campaign_id: CampaignId })

/** The webhooks of a campaign (shapes 13); rotating their secret is an extension of ours. */
export class CampaignWebhooksGroup extends HttpApiGroup.make("campaignWebhooks")
  .annotate(OpenApi.Description, "Deliveries of campaign webhooks, and the secret that signs them.")
  .add(
    HttpApiEndpoint.get("list", "/campaigns/:campaign_id/webhooks")
      .annotate(OpenApi.Summary, "List the webhook deliveries of a campaign")
      .setPath(one)
      .setUrlParams(checked("query", DeliveriesQuery))
      .addSuccess(DeliveriesPage)
  )
  .add(
    HttpApiEndpoint.post("retry", "/campaigns/:campaign_id/webhooks/retry")
      .annotate(OpenApi.Summary, "Send webhooks of a campaign again")
      .setPath(one)
      .setPayload(checked("body", ResendWebhooks))
      .addSuccess(Schema.Struct({}), { status: 202 })
  )
  .add(
    HttpApiEndpoint.post("rotateSecret", "/campaigns/:campaign_id/webhooks/rotate-secret")
      .annotate(OpenApi.Summary, "Rotate the webhook secret of a campaign")
      .setPath(one)
      .setPayload(checked("body", RotateSecret))
      .addSuccess(RotatedSecret)
      .annotate(BodyIsOptional, true)
  )
  .addError(Missing)
  .addError(Unprocessable)
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "campaigns")
  .middleware(Admission)
{}
