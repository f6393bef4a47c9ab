import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { NotFound } from "@trunkline/errors"
import { Cache, DateTime, Duration, Effect, Schema } from "effect"
import { pathOf } from "../../api/Paths.js"
import { HealthReport, ReadinessReport } from "../../api/ServiceGroups.js"
import { openApiText, referenceText } from "../../openapi/PreparedDocument.js"
import { ReferenceDocs } from "../../openapi/ReferenceDocs.js"
import { routeHandlers } from "../../RouteHandlers.js"

const encodeReport = Schema.encodeSync(HealthReport)
const encodeReadiness = Schema.encodeSync(ReadinessReport)

/** OpenAPI documents that are cached, one for each path prefix under which the host mounts the API. */
const maxDocuments = 8

/** Path prefix under which the request reached the API; `/` without one. */
const prefixOf = ({ originalUrl, url }: HttpServerRequest.HttpServerRequest): string =>
  pathOf(originalUrl).slice(0, -pathOf(url).length) || "/"

/** Headers of the page, which needs nothing but its own styles. */
const pageHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff"
}

/** Handlers of the health checks, the OpenAPI document and its page. */
export const serviceHandlers = routeHandlers("service", (handlers) =>
  Effect.gen(function*() {
    const { health, readiness } = yield* Engine
    const documents = yield* Cache.make({
      capacity: maxDocuments,
      timeToLive: Duration.infinity,
      lookup: (prefix: string) =>
        openApiText(prefix).pipe(
          Effect.map((text) => HttpServerResponse.text(text, { contentType: "application/json" })),
          Effect.uninterruptible
        )
    })
    const { enabled } = yield* ReferenceDocs
    // A client that leaves must not leave its interruption to the next one.
    const page = yield* Effect.cached(Effect.uninterruptible(Effect.map(
      referenceText,
      (text) => HttpServerResponse.text(text, { contentType: "text/html; charset=utf-8", headers: pageHeaders })
    )))
    return handlers
      .handle("service.health", () =>
        Effect.map(health, ({ calls, now, ready, roles }) =>
          HttpServerResponse.unsafeJson(
            encodeReport({
              status: ready ? "ok" : "draining",
              calls,
              time: DateTime.unsafeMake(Math.floor(now)),
              roles
            }),
            { status: ready ? 200 : 503 }
          )))
      .handle("service.live", () => Effect.sync(() => HttpServerResponse.unsafeJson({ status: "ok" })))
      .handle("service.ready", () =>
        Effect.map(readiness, (outcome) =>
          HttpServerResponse.unsafeJson(encodeReadiness(outcome), { status: outcome.ready ? 200 : 503 })))
      .handle("service.openapi", ({ request }) =>
        documents.get(prefixOf(request)))
      .handle("service.docs", () =>
        enabled ? page : new NotFound({ resource: "page", id: "docs" }))
  }))
