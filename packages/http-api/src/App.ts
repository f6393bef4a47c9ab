import { HttpApiBuilder, type HttpApp, HttpRouter, HttpServer, type HttpServerRequest } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { BusinessTime } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { admissionLive } from "./admission/AdmissionLive.js"
import { Api } from "./Api.js"
import { boundary } from "./Boundary.js"
import { analyticsHandlers } from "./routes/analytics/Handlers.js"
import { boardsHandlers } from "./routes/boards/Handlers.js"
import { queryHandlers } from "./routes/boards/QueryHandlers.js"
import { callsHandlers } from "./routes/calls/Handlers.js"
import { campaignsHandlers } from "./routes/campaigns/Handlers.js"
import { cohortsHandlers } from "./routes/cohorts/Handlers.js"
import { deploymentsHandlers } from "./routes/deployments/Handlers.js"
import { modelsHandlers } from "./routes/models/Handlers.js"
import { serviceHandlers } from "./routes/service/Handlers.js"
import { voicesHandlers } from "./routes/voices/Handlers.js"

const handlers = Layer.mergeAll(
  deploymentsHandlers,
  campaignsHandlers,
  cohortsHandlers,
  callsHandlers,
  analyticsHandlers,
  boardsHandlers,
  queryHandlers,
  modelsHandlers,
  voicesHandlers,
  serviceHandlers
)

const api = HttpApiBuilder.api(Api).pipe(
  Layer.provide(Layer.provide(handlers, admissionLive)),
  Layer.provideMerge(boundary),
  Layer.provideMerge(Layer.mergeAll(HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer)),
  Layer.provideMerge(HttpServer.layerContext)
)

/** Paths are matched exactly. The schemas of path parameters limit their length, not the router. */
const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: Number.MAX_SAFE_INTEGER
}

/**
 * The engine as an HTTP application, for any server of `@effect/platform`. Its handlers run in the engine's business
 * time.
 *
 * Serve it with the platform's own tracer disabled (`HttpMiddleware.withTracerDisabledWhen`): that tracer records headers
 * and queries, which contain API keys and phone numbers. The application has its own span for each request.
 *
 * @example
 * ```ts
 * import { HttpServer } from "@effect/platform"
 * import { NodeHttpServer } from "@effect/platform-node"
 * import { app } from "@trunkline/http-api"
 * import { Effect, Layer } from "effect"
 * import { createServer } from "node:http"
 *
 * const server = Layer.unwrapEffect(Effect.map(app, (app) => HttpServer.serve(app))).pipe(
 *   Layer.provide(NodeHttpServer.layer(createServer, { port: 8787 })),
 *   Layer.provide(engine)
 * )
 * ```
 */
export const app: Effect.Effect<HttpApp.Default, never, Engine> = Effect.gen(function*() {
  const handler = yield* HttpRouter.withRouterConfig(HttpApiBuilder.httpApp, routerConfig)
  const platform = yield* Effect.context<HttpRouter.HttpRouter.DefaultServices>()
  const services = Context.add(platform, BusinessTime, (yield* Engine).time)
  return Effect.mapInputContext(
    handler,
    (input: Context.Context<HttpServerRequest.HttpServerRequest>) => Context.merge(services, input)
  )
}).pipe(Effect.provide(api))
