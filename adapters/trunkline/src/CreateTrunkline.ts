import { Engine } from "@trunkline/engine"
import { Invalid } from "@trunkline/errors"
import { expressHandlerOf } from "@trunkline/express"
import { fetchHandlerOf } from "@trunkline/fetch"
import { operations } from "@trunkline/http-api"
import { listen, nodeHandlerOf } from "@trunkline/node-http"
import { RateLimits } from "@trunkline/rate-limits"
import { Cause, Context, Effect, Exit, Layer, Logger, ManagedRuntime } from "effect"
import { engineLayer, workspaceOf } from "./EngineLayer.js"
import { InvalidOption } from "./options/InvalidOption.js"
import type { TrunklineOptions } from "./options/TrunklineOptions.js"
import { makeAccess } from "./promises/AccessMethods.js"
import { makeCalls, makeEndedCalls, makeLive } from "./promises/CallMethods.js"
import { makeInvoke } from "./promises/Invocation.js"
import { makeResources } from "./promises/ResourceMethods.js"
import { makeRunner } from "./promises/Runner.js"
import type { FetchRoute, FetchRoutes, Trunkline } from "./TrunklineTypes.js"

/** Logs of the engine go to standard error, one line each. */
const logger = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))

/** The error of a start that failed: a configuration with all its issues, or the cause itself. */
const startError = (cause: Cause.Cause<unknown>): unknown => {
  const error = Cause.squash(cause)
  if (!(error instanceof Invalid)) return error
  const [first] = error.issues
  const lines = error.issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)
  return new InvalidOption(first.loc.join("."), lines.length === 1 ? first.msg : lines.join("\n  "))
}

/** Routes for each method from one handler. */
const routesOf = (handle: FetchRoute): FetchRoutes => {
  const route: FetchRoute = (request) => handle(request)
  return Object.assign(route, {
    GET: route,
    POST: route,
    PUT: route,
    PATCH: route,
    DELETE: route,
    HEAD: route,
    OPTIONS: route
  })
}

/** Starts an engine, as `createTrunkline` describes. */
export const startTrunkline = async (options: TrunklineOptions): Promise<Trunkline> => {
  const endedCalls = makeEndedCalls()
  const managed = ManagedRuntime.make(Layer.provide(await engineLayer(options, endedCalls), logger))
  const started = await managed.runtimeEffect.pipe(Effect.exit, Effect.runPromise)
  if (Exit.isFailure(started)) {
    await managed.dispose().catch(() => undefined)
    throw startError(started.cause)
  }
  const runtime = started.value
  const runner = makeRunner(runtime)
  const defaultWorkspace = workspaceOf(options)

  // The host is not limited like the callers of its HTTP interface.
  const unlimited = Context.get(
    await Effect.runPromise(Effect.scoped(Layer.build(RateLimits.layerUnlimited))),
    RateLimits
  )
  const hosted = await runner.run(
    Effect.flatMap(Engine, (engine) => Effect.provideService(operations, Engine, { ...engine, limits: unlimited }))
  )
  const resources = makeResources(makeInvoke(runner, defaultWorkspace), hosted)

  const open = new Set<() => Promise<void>>()
  const opened = <A extends { readonly close: () => Promise<void> }>(handler: A): A => {
    open.add(handler.close)
    return handler
  }
  let closed: Promise<void> | undefined
  const close = async () => {
    await Promise.all(Array.from(open, (finish) => finish()))
    await managed.dispose()
    endedCalls.close()
  }

  return {
    ...resources,
    ...makeAccess(runner, defaultWorkspace),
    calls: makeCalls(runner, { defaultWorkspace, endedCalls, outbounds: resources.outbounds }),
    live: makeLive(runner, defaultWorkspace),
    express: (handler = {}) => opened(expressHandlerOf(runtime, handler)),
    node: (handler = {}) => opened(nodeHandlerOf(runtime, handler)),
    fetch: (handler = {}) => routesOf(opened(fetchHandlerOf(runtime, handler))),
    listen: async (server = {}) => opened(await listen(nodeHandlerOf(runtime, server), server)),
    effect: { runtime },
    close: () => closed ??= close()
  }
}
