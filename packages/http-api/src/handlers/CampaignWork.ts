import { HttpApiBuilder } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the routes of what a campaign is doing. */
export const campaignWork = HttpApiBuilder.group(
  Api,
  "campaignWork",
  (handlers) =>
    Effect.map(Engine, ({ contacts, progress, rehearsals }) =>
      handlers
        .handle(
          "contacts",
          ({ path, urlParams }) =>
            Effect.flatMap(Requester, ({ scope }) => contacts.list(scope, path.campaign_id, urlParams))
        )
        .handle(
          "progress",
          ({ path }) => Effect.flatMap(Requester, ({ scope }) => progress.of(scope, path.campaign_id))
        )
        .handle(
          "rehearse",
          ({ path, payload }) =>
            Effect.flatMap(Requester, ({ scope }) => rehearsals.rehearse(scope, path.campaign_id, payload))
        ))
)
