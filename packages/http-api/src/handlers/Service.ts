import { HttpApiBuilder, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Cache, DateTime, Duration, Effect, Schema } from "effect"
import { Api } from "../Api.js"
import { pathOf } from "../Families.js"
import { HealthReport } from "../groups/Service.js"
import { openApi } from "../OpenApi.js"

const encodeReport = Schema.encodeSync(HealthReport)

/** Descriptions that are kept: one for each path prefix under which the host has the API. */
const mostMounts = 8

/** The path prefix that a request came in under; the root where there is none. */
const mountOf = ({ originalUrl, url }: HttpServerRequest.HttpServerRequest): string =>
  pathOf(originalUrl).slice(0, -pathOf(url).length) || "/"

/** Answers the health check and describes the API. */
export const service = HttpApiBuilder.group(Api, "service", (handlers) =>
  Effect.gen(function*() {
    const { health } = yield* Engine
    const documents = yield* Cache.make({
      capacity: mostMounts,
      timeToLive: Duration.infinity,
      lookup: (server: string) => Effect.sync(() => HttpServerResponse.unsafeJson(openApi(server)))
    })
    return handlers
      .handle("health", () =>
        Effect.map(health, ({ calls, now, ready }) =>
          HttpServerResponse.unsafeJson(
            encodeReport({ status: ready ? "ok" : "draining", calls, time: DateTime.unsafeMake(Math.floor(now)) }),
            { status: ready ? 200 : 503 }
          )))
      .handle("openapi", ({ request }) => documents.get(mountOf(request)))
  }))
