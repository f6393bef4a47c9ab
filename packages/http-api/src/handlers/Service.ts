import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { DateTime, Effect, Schema } from "effect"
import { Api } from "../Api.js"
import { HealthReport } from "../groups/Service.js"
import { openApi } from "../OpenApi.js"

const encodeReport = Schema.encodeSync(HealthReport)

/** Answers the health check and describes the API. */
export const service = HttpApiBuilder.group(Api, "service", (handlers) =>
  Effect.gen(function*() {
    const { health } = yield* Engine
    const document = yield* Effect.cached(Effect.sync(() => HttpServerResponse.unsafeJson(openApi())))
    return handlers
      .handle("health", () =>
        Effect.map(health, ({ calls, now, ready }) =>
          HttpServerResponse.unsafeJson(
            encodeReport({ status: ready ? "ok" : "draining", calls, time: DateTime.unsafeMake(Math.floor(now)) }),
            { status: ready ? 200 : 503 }
          )))
      .handle("openapi", () => document)
  }))
