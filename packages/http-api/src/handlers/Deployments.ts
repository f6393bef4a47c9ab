import { HttpApiBuilder } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { page } from "@trunkline/kernel"
import { detailOf, summaryOf } from "@trunkline/telephony"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the deployment routes. */
export const deployments = HttpApiBuilder.group(
  Api,
  "deployments",
  (handlers) =>
    Effect.map(Engine, ({ deployments }) =>
      handlers
        .handle("create", ({ payload }) =>
          Effect.flatMap(Requester, ({ actor, scope }) => deployments.create(scope, payload, actor)).pipe(
            Effect.map(detailOf)
          ))
        .handle("list", ({ request, urlParams }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            deployments.list(scope, urlParams)).pipe(
              Effect.map(({ items, total }) =>
                page(items.map(summaryOf), total, urlParams, request.originalUrl)
              )
            ))
        .handle(
          "get",
          ({ path }) =>
            Effect.flatMap(Requester, ({ scope }) =>
              deployments.get(scope, path.deployment_id)).pipe(Effect.map(detailOf))
        )
        .handle("patch", ({ path, payload }) =>
          Effect.flatMap(
            Requester,
            ({ actor, scope }) => deployments.patch(scope, path.deployment_id, payload, actor)
          ).pipe(Effect.map(detailOf)))
        .handle(
          "remove",
          ({ path: { deployment_id } }) =>
            Effect.flatMap(Requester, ({ scope }) => deployments.remove(scope, deployment_id)).pipe(
              Effect.as({ deployment_id, deleted: true as const })
            )
        )
        .handle("act", ({ path, payload }) =>
          Effect.flatMap(
            Requester,
            ({ actor, scope }) => deployments.act(scope, path.deployment_id, payload.action, actor)
          ).pipe(Effect.map(detailOf))))
)
