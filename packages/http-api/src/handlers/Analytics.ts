import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { page } from "@trunkline/kernel"
import { Effect } from "effect"
import { Requester } from "../Admission.js"
import { Api } from "../Api.js"

/** Answers the call analytics routes. */
export const analytics = HttpApiBuilder.group(
  Api,
  "analytics",
  (handlers) =>
    Effect.map(Engine, ({ analytics }) =>
      handlers
        .handle("attempts", ({ path, request, urlParams }) =>
          Effect.flatMap(Requester, ({ scope }) => analytics.attempts(scope, path.app_id, urlParams)).pipe(
            Effect.map(({ items, total }) => page(items, total, urlParams, request.originalUrl))
          ))
        .handle("interactions", ({ path, request, urlParams }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            analytics.interactions(scope, path.app_id, urlParams)).pipe(
              Effect.map(({ items, total }) =>
                page(items, total, urlParams, request.originalUrl)
              )
            ))
        .handle("transcript", ({ path }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            analytics.transcript(scope, path.app_id, path.interaction_id)))
        .handle("recording", ({ path }) =>
          Effect.flatMap(Requester, ({ scope }) =>
            analytics.recording(scope, path.app_id, path.interaction_id)).pipe(
              Effect.map(({ bytes, size }) =>
                HttpServerResponse.stream(bytes, {
                  contentType: "audio/wav",
                  contentLength: size,
                  headers: { "x-content-type-options": "nosniff" }
                })
              )
            )))
)
