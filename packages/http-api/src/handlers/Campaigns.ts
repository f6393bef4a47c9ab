import { HttpApiBuilder } from "@effect/platform"
import { campaignDetailOf, metadataOf } from "@trunkline/campaigns"
import { Engine } from "@trunkline/engine"
import { page } from "@trunkline/kernel"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the campaign routes. */
export const campaigns = HttpApiBuilder.group(
  Api,
  "campaigns",
  (handlers) =>
    Effect.map(Engine, ({ campaigns }) =>
      handlers
        .handle("create", ({ payload }) =>
          Effect.flatMap(Requester, ({ actor, scope }) => campaigns.create(scope, payload, actor)).pipe(
            Effect.map(metadataOf)
          ))
        .handle("list", ({ request, urlParams }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            campaigns.list(scope, urlParams, urlParams.campaign_status ?? null))
            .pipe(
              Effect.map(({ items, total }) =>
                page(items.map(metadataOf), total, urlParams, request.originalUrl)
              )
            ))
        .handle("get", ({ path }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            campaigns.get(scope, path.campaign_id)).pipe(
              Effect.map(campaignDetailOf)
            ))
        .handle("patch", ({ path, payload }) =>
          Effect.flatMap(Requester, ({ actor, scope }) =>
            campaigns.patch(scope, path.campaign_id, payload, actor)).pipe(
              Effect.map(metadataOf)
            ))
        .handle("act", ({ path, payload }) =>
          Effect.flatMap(Requester, ({ actor, scope }) =>
            campaigns.act(scope, path.campaign_id, payload.action, actor)).pipe(Effect.map(metadataOf))))
)
