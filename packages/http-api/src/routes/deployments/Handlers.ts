import { Engine } from "@trunkline/engine"
import { makePage } from "@trunkline/kernel"
import { deploymentDetailOf, deploymentSummaryOf } from "@trunkline/telephony"
import { Effect } from "effect"
import { withScope } from "../../api/Admission.js"
import { routeHandlers } from "../../RouteHandlers.js"

/** Handlers of deployments. */
export const deploymentsHandlers = routeHandlers(
  "deployments",
  (handlers) =>
    Effect.map(Engine, ({ deployments }) =>
      handlers
        .handle(
          "deployments.create",
          ({ payload }) =>
            Effect.map(withScope((scope, actor) => deployments.create(scope, payload, actor)), deploymentDetailOf)
        )
        .handle("deployments.list", ({ request, urlParams }) =>
          Effect.map(
            withScope((scope) => deployments.list(scope, urlParams)),
            ({ items, total }) => makePage(items.map(deploymentSummaryOf), total, urlParams, request.originalUrl)
          ))
        .handle(
          "deployments.get",
          ({ path }) => Effect.map(withScope((scope) => deployments.get(scope, path.deployment_id)), deploymentDetailOf)
        )
        .handle("deployments.update", ({ path, payload }) =>
          Effect.map(
            withScope((scope, actor) => deployments.patch(scope, path.deployment_id, payload, actor)),
            deploymentDetailOf
          ))
        .handle("deployments.remove", ({ path: { deployment_id } }) =>
          Effect.as(
            withScope((scope) => deployments.remove(scope, deployment_id)),
            { deployment_id, deleted: true as const }
          ))
        .handle("deployments.updateStatus", ({ path, payload }) =>
          Effect.map(
            withScope((scope, actor) => deployments.act(scope, path.deployment_id, payload.action, actor)),
            deploymentDetailOf
          )))
)
