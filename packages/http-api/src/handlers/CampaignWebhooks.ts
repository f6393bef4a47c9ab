import { HttpApiBuilder } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the routes of campaigns' webhooks. */
export const campaignWebhooks = HttpApiBuilder.group(
  Api,
  "campaignWebhooks",
  (handlers) =>
    Effect.map(Engine, ({ webhooks }) =>
      handlers
        .handle(
          "list",
          ({ path, urlParams }) =>
            Effect.flatMap(Requester, ({ scope }) => webhooks.list(scope, path.campaign_id, urlParams))
        )
        .handle(
          "retry",
          ({ path, payload }) =>
            Effect.flatMap(Requester, ({ scope }) => webhooks.resend(scope, path.campaign_id, payload.attempt_ids))
              .pipe(
                Effect.as({})
              )
        )
        .handle(
          "rotateSecret",
          ({ path, payload }) =>
            Effect.flatMap(Requester, ({ actor, scope }) =>
              webhooks.rotateSecret(scope, path.campaign_id, payload, actor))
        ))
)
