import { HttpApiBuilder } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the routes of scheduled reports. */
export const notifications = HttpApiBuilder.group(
  Api,
  "notifications",
  (handlers) =>
    Effect.map(Engine, ({ notifications }) =>
      handlers
        .handle("create", ({ path, payload }) =>
          Effect.flatMap(Requester, ({ scope }) => notifications.create(scope, path.board_id, payload)))
        .handle("list", ({ path, urlParams }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            notifications.list(scope, path.board_id, urlParams)))
        .handle("get", ({ path }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            notifications.get(scope, path.board_id, path.rule_id)))
        .handle("patch", ({ path, payload }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            notifications.patch(scope, path.board_id, path.rule_id, payload)))
        .handle("remove", ({ path }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            notifications.remove(scope, path.board_id, path.rule_id)).pipe(
              Effect.as({ rule_id: path.rule_id, deleted: true } as const)
            ))
        .handle("deliveries", ({ path, urlParams }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            notifications.deliveries(scope, path.board_id, path.rule_id, urlParams))))
)
