import { HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { withScope } from "../../admission/Admission.js"
import { mergeHandlers, routeHandlers } from "../../RouteHandlers.js"

/** Image response that cannot run scripts wherever it is opened, and that proxies must not store. */
const imageResponse = (bytes: Uint8Array, contentType: string) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType,
    headers: {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff"
    }
  })

const queries = routeHandlers("queries", (handlers) =>
  Effect.map(Engine, ({ charts, querySchema, runs }) =>
    handlers
      .handle("schema", () => Effect.succeed(querySchema))
      .handle("preview", ({ payload }) => withScope((scope) => runs.preview(scope, payload)))
      .handle(
        "runWidget",
        ({ path, payload }) => withScope((scope) => runs.widget(scope, path.board_id, path.widget_id, payload))
      )
      .handle(
        "runTab",
        ({ path, payload }) => withScope((scope) => runs.tab(scope, path.board_id, path.tab_id, payload))
      )
      .handle("chartSvg", ({ path, urlParams: { filter_values = {} } }) =>
        Effect.map(
          withScope((scope) =>
            charts.render(scope, path.board_id, path.widget_id, { format: "svg", run: { filter_values } })
          ),
          (bytes) => imageResponse(bytes, "image/svg+xml")
        ))
      .handle("chartPng", ({ path, urlParams: { filter_values = {} } }) =>
        Effect.map(
          withScope((scope) =>
            charts.render(scope, path.board_id, path.widget_id, { format: "png", run: { filter_values } })
          ),
          (bytes) => imageResponse(bytes, "image/png")
        ))))

const notifications = routeHandlers("notifications", (handlers) =>
  Effect.map(Engine, ({ notifications }) =>
    handlers
      .handle(
        "create",
        ({ path, payload }) => withScope((scope) => notifications.create(scope, path.board_id, payload))
      )
      .handle(
        "list",
        ({ path, urlParams }) => withScope((scope) => notifications.list(scope, path.board_id, urlParams))
      )
      .handle("get", ({ path }) => withScope((scope) => notifications.get(scope, path.board_id, path.rule_id)))
      .handle(
        "patch",
        ({ path, payload }) => withScope((scope) => notifications.patch(scope, path.board_id, path.rule_id, payload))
      )
      .handle("remove", ({ path }) =>
        Effect.as(
          withScope((scope) => notifications.remove(scope, path.board_id, path.rule_id)),
          { rule_id: path.rule_id, deleted: true as const }
        ))
      .handle(
        "deliveries",
        ({ path, urlParams }) =>
          withScope((scope) => notifications.deliveries(scope, path.board_id, path.rule_id, urlParams))
      )))

/** Handlers of queries, charts and notification rules. */
export const queryHandlers = mergeHandlers(queries, notifications)
