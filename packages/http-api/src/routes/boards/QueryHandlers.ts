import { HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { withScope } from "../../api/Admission.js"
import type { ChartQuery } from "../../api/QueryGroups.js"
import { mergeHandlers, routeHandlers } from "../../RouteHandlers.js"

/** A chart as the query of its URL wants it. */
const chartOptions = (
  format: "svg" | "png",
  { filter_values = {}, height, max_age, width }: ChartQuery
) => ({
  format,
  run: { filter_values, ...(max_age !== undefined && { max_age }) },
  size: { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
})

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
      .handle("boards.schema", () => Effect.succeed(querySchema))
      .handle("boards.preview", ({ payload }) => withScope((scope) => runs.preview(scope, payload)))
      .handle(
        "boards.widgets.run",
        ({ path, payload }) => withScope((scope) => runs.widget(scope, path.board_id, path.widget_id, payload))
      )
      .handle(
        "boards.tabs.run",
        ({ path, payload }) => withScope((scope) => runs.tab(scope, path.board_id, path.tab_id, payload))
      )
      .handle("boards.widgets.chartSvg", ({ path, urlParams }) =>
        Effect.map(
          withScope((scope) => charts.render(scope, path.board_id, path.widget_id, chartOptions("svg", urlParams))),
          (bytes) => imageResponse(bytes, "image/svg+xml")
        ))
      .handle("boards.widgets.chartPng", ({ path, urlParams }) =>
        Effect.map(
          withScope((scope) => charts.render(scope, path.board_id, path.widget_id, chartOptions("png", urlParams))),
          (bytes) => imageResponse(bytes, "image/png")
        ))))

const notifications = routeHandlers("notifications", (handlers) =>
  Effect.map(Engine, ({ notifications }) =>
    handlers
      .handle(
        "notifications.create",
        ({ path, payload }) => withScope((scope) => notifications.create(scope, path.board_id, payload))
      )
      .handle(
        "notifications.list",
        ({ path, urlParams }) => withScope((scope) => notifications.list(scope, path.board_id, urlParams))
      )
      .handle(
        "notifications.get",
        ({ path }) => withScope((scope) => notifications.get(scope, path.board_id, path.rule_id))
      )
      .handle(
        "notifications.update",
        ({ path, payload }) => withScope((scope) => notifications.patch(scope, path.board_id, path.rule_id, payload))
      )
      .handle("notifications.remove", ({ path }) =>
        Effect.as(
          withScope((scope) => notifications.remove(scope, path.board_id, path.rule_id)),
          { rule_id: path.rule_id, deleted: true as const }
        ))
      .handle(
        "notifications.deliveries",
        ({ path, urlParams }) =>
          withScope((scope) => notifications.deliveries(scope, path.board_id, path.rule_id, urlParams))
      )))

/** Handlers of queries, charts and notification rules. */
export const queryHandlers = mergeHandlers(queries, notifications)
