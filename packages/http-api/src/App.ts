import type { HttpApp } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { Effect, type Scope } from "effect"
import { makeBoundary } from "./Boundary.js"
import { handlers } from "./Handlers.js"
import { compileRoutes } from "./Routes.js"

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
 * import { app } from "@trunkline/http-api"
 * import { Effect, Layer } from "effect"
 *
 * // Requires the HttpServer of a platform, such as NodeHttpServer of @effect/platform-node.
 * const server = Layer.unwrapEffect(Effect.map(app, (app) => HttpServer.serve(app))).pipe(Layer.provide(engine))
 * ```
 */
export const app: Effect.Effect<HttpApp.Default<never, Scope.Scope>, never, Engine> = Effect.zipWith(
  Engine,
  handlers,
  (engine, handlers) => makeBoundary(engine, compileRoutes(engine, handlers))
)
