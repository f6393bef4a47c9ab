import { campaignDetailOf, campaignMetadataOf } from "@trunkline/campaigns"
import { Engine } from "@trunkline/engine"
import { makePage } from "@trunkline/kernel"
import { Effect } from "effect"
import { withScope } from "../../api/Admission.js"
import { mergeHandlers, routeHandlers } from "../../RouteHandlers.js"

const campaigns = routeHandlers("campaigns", (handlers) =>
  Effect.map(Engine, ({ campaigns }) =>
    handlers
      .handle(
        "campaigns.create",
        ({ payload }) =>
          Effect.map(withScope((scope, actor) => campaigns.create(scope, payload, actor)), campaignMetadataOf)
      )
      .handle("campaigns.list", ({ request, urlParams }) =>
        Effect.map(
          withScope((scope) => campaigns.list(scope, urlParams, urlParams.campaign_status ?? null)),
          ({ items, total }) => makePage(items.map(campaignMetadataOf), total, urlParams, request.originalUrl)
        ))
      .handle(
        "campaigns.get",
        ({ path }) => Effect.map(withScope((scope) => campaigns.get(scope, path.campaign_id)), campaignDetailOf)
      )
      .handle("campaigns.update", ({ path, payload }) =>
        Effect.map(
          withScope((scope, actor) => campaigns.patch(scope, path.campaign_id, payload, actor)),
          campaignMetadataOf
        ))
      .handle("campaigns.updateStatus", ({ path, payload }) =>
        Effect.map(
          withScope((scope, actor) =>
            campaigns.act(scope, path.campaign_id, payload.action, actor, { cancelRinging: payload.cancel_ringing })
          ),
          campaignMetadataOf
        ))))

const campaignWork = routeHandlers(
  "campaignWork",
  (handlers) =>
    Effect.map(Engine, ({ canaries, contacts, progress, rehearsals }) =>
      handlers
        .handle(
          "campaigns.contacts",
          ({ path, urlParams }) => withScope((scope) => contacts.list(scope, path.campaign_id, urlParams))
        )
        .handle("campaigns.progress", ({ path }) => withScope((scope) => progress.of(scope, path.campaign_id)))
        .handle(
          "canaries.start",
          ({ path, payload }) => withScope((scope, actor) => canaries.start(scope, path.campaign_id, payload, actor))
        )
        .handle(
          "canaries.updateStatus",
          ({ path, payload }) =>
            withScope((scope, actor) => canaries.act(scope, path.campaign_id, payload.action, actor))
        )
        .handle(
          "campaigns.rehearse",
          ({ path, payload }) => withScope((scope) => rehearsals.rehearse(scope, path.campaign_id, payload))
        ))
)

const campaignWebhooks = routeHandlers("campaignWebhooks", (handlers) =>
  Effect.map(Engine, ({ webhooks }) =>
    handlers
      .handle(
        "webhooks.list",
        ({ path, urlParams }) => withScope((scope) => webhooks.list(scope, path.campaign_id, urlParams))
      )
      .handle("webhooks.resend", ({ path, payload }) =>
        Effect.as(withScope((scope) => webhooks.resend(scope, path.campaign_id, payload.attempt_ids)), {}))
      .handle("webhooks.rotateSecret", ({ path, payload }) =>
        withScope((scope, actor) =>
          webhooks.rotateSecret(scope, path.campaign_id, payload, actor)
        ))))

/** Handlers of campaigns, their contacts, progress, rehearsals and webhooks. */
export const campaignsHandlers = mergeHandlers(campaigns, campaignWork, campaignWebhooks)
