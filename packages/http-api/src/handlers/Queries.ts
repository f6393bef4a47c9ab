import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** A picture, which runs nothing wherever it is opened, and which nobody keeps for others. */
const picture = (bytes: Uint8Array, contentType: string) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType,
    headers: {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff"
    }
  })

/** Answers the routes that run SQL, and those that draw what it gave. */
export const queries = HttpApiBuilder.group(
  Api,
  "queries",
  (handlers) =>
    Effect.map(Engine, ({ charts, querySchema, runs }) =>
      handlers
        .handle("schema", () => Effect.succeed(querySchema))
        .handle("preview", ({ payload }) => Effect.flatMap(Requester, ({ scope }) => runs.preview(scope, payload)))
        .handle("runWidget", ({ path, payload }) =>
          Effect.flatMap(Requester, ({ scope }) => runs.widget(scope, path.board_id, path.widget_id, payload)))
        .handle("runTab", ({ path, payload }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            runs.tab(scope, path.board_id, path.tab_id, payload)))
        .handle("chartSvg", ({ path, urlParams: { filter_values = {} } }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            charts.draw(scope, path.board_id, path.widget_id, { format: "svg", run: { filter_values } })).pipe(
              Effect.map((bytes) =>
                picture(bytes, "image/svg+xml")
              )
            ))
        .handle("chartPng", ({ path, urlParams: { filter_values = {} } }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            charts.draw(scope, path.board_id, path.widget_id, { format: "png", run: { filter_values } })).pipe(
              Effect.map((bytes) =>
                picture(bytes, "image/png")
              )
            )))
)
