import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
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
  .add(
    HttpApiEndpoint.get("list", "/campaigns/:campaign_id/webhooks")
      .setPath(one)
      .setUrlParams(checked("query", DeliveriesQuery))
      .addSuccess(DeliveriesPage)
  )
  .add(
    HttpApiEndpoint.post("retry", "/campaigns/:campaign_id/webhooks/retry")
      .setPath(one)
      .setPayload(checked("body", ResendWebhooks))
      .addSuccess(Schema.Struct({}), { status: 202 })
  )
  .add(
    HttpApiEndpoint.post("rotateSecret", "/campaigns/:campaign_id/webhooks/rotate-secret")
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
