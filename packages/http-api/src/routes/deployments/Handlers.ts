import { HttpApiBuilder } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { page } from "@trunkline/kernel"
import { detailOf, summaryOf } from "@trunkline/telephony"
import { Effect } from "effect"
import { withScope } from "../../admission/Admission.js"
import { Api } from "../../Api.js"

/** Handlers of deployments. */
export const deploymentsHandlers = HttpApiBuilder.group(
  Api,
  "deployments",
  (handlers) =>
    Effect.map(Engine, ({ deployments }) =>
      handlers
        .handle(
          "create",
          ({ payload }) => Effect.map(withScope((scope, actor) => deployments.create(scope, payload, actor)), detailOf)
        )
        .handle("list", ({ request, urlParams }) =>
          Effect.map(
            withScope((scope) => deployments.list(scope, urlParams)),
            ({ items, total }) => page(items.map(summaryOf), total, urlParams, request.originalUrl)
          ))
        .handle(
          "get",
          ({ path }) => Effect.map(withScope((scope) => deployments.get(scope, path.deployment_id)), detailOf)
        )
        .handle("patch", ({ path, payload }) =>
          Effect.map(
            withScope((scope, actor) => deployments.patch(scope, path.deployment_id, payload, actor)),
            detailOf
          ))
        .handle("remove", ({ path: { deployment_id } }) =>
          Effect.as(
            withScope((scope) => deployments.remove(scope, deployment_id)),
            { deployment_id, deleted: true as const }
          ))
        .handle("act", ({ path, payload }) =>
          Effect.map(
            withScope((scope, actor) => deployments.act(scope, path.deployment_id, payload.action, actor)),
            detailOf
          )))
)
