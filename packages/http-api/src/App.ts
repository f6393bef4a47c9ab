import { HttpApiBuilder, type HttpApp, HttpRouter, HttpServer, type HttpServerRequest } from "@effect/platform"
import { Engine } from "@trunkline/engine"
import { BusinessTime } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { Api } from "./Api.js"
import { boundary } from "./Boundary.js"
import { admission } from "./handlers/Admission.js"
import { analytics } from "./handlers/Analytics.js"
import { blockedNumbers } from "./handlers/BlockedNumbers.js"
import { boards } from "./handlers/Boards.js"
import { calls } from "./handlers/Calls.js"
import { campaigns } from "./handlers/Campaigns.js"
import { campaignWebhooks } from "./handlers/CampaignWebhooks.js"
import { campaignWork } from "./handlers/CampaignWork.js"
import { carrierEvents } from "./handlers/CarrierEvents.js"
import { chat } from "./handlers/Chat.js"
import { cohorts } from "./handlers/Cohorts.js"
import { deployments } from "./handlers/Deployments.js"
import { erasures } from "./handlers/Erasure.js"
import { models } from "./handlers/Models.js"
import { notifications } from "./handlers/Notifications.js"
import { outbounds } from "./handlers/Outbounds.js"
import { queries } from "./handlers/Queries.js"
import { responses } from "./handlers/Responses.js"
import { service } from "./handlers/Service.js"
import { voices } from "./handlers/Voices.js"

const handlers = Layer.mergeAll(
  deployments,
  campaigns,
  campaignWork,
  campaignWebhooks,
  cohorts,
  outbounds,
  blockedNumbers,
  calls,
  carrierEvents,
  analytics,
  erasures,
  boards,
  queries,
  notifications,
  chat,
  responses,
  models,
  voices,
  service
)

const api = HttpApiBuilder.api(Api).pipe(
  Layer.provide(Layer.provide(handlers, admission)),
  Layer.provideMerge(boundary),
  Layer.provideMerge(Layer.mergeAll(HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer)),
  Layer.provideMerge(HttpServer.layerContext)
)

/** Paths are compared as they are; how long an identifier may be is for its schema to say. */
const routing = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: Number.MAX_SAFE_INTEGER
}

/**
 * The engine as an HTTP application, for any server of `@effect/platform`. Its handlers live in the engine's time.
 * Serve it with the platform's own tracer off (`HttpMiddleware.withTracerDisabledWhen`): that one records headers and
 * queries, which hold keys and numbers, and the application has a span of its own for every request.
 */
export const app: Effect.Effect<HttpApp.Default, never, Engine> = Effect.gen(function*() {
  const served = yield* HttpRouter.withRouterConfig(HttpApiBuilder.httpApp, routing)
  const platform = yield* Effect.context<HttpRouter.HttpRouter.DefaultServices>()
  const services = Context.add(platform, BusinessTime, (yield* Engine).time)
  return Effect.mapInputContext(
    served,
    (input: Context.Context<HttpServerRequest.HttpServerRequest>) => Context.merge(services, input)
  )
}).pipe(Effect.provide(api))
