import { Engine } from "@trunkline/engine"
import { Invalid, type Issue } from "@trunkline/errors"
import { expressHandlerOf } from "@trunkline/express"
import { fetchHandlerOf } from "@trunkline/fetch"
import { operations } from "@trunkline/http-api"
import { listen, nodeHandlerOf } from "@trunkline/node-http"
import { RateLimits } from "@trunkline/rate-limits"
import { Cause, Context, Duration, Effect, Exit, Layer, ManagedRuntime } from "effect"
import { openConsole } from "./assembly/ConsolePage.js"
import { drainEngine } from "./assembly/Drain.js"
import { engineLayer, workspaceOf } from "./EngineLayer.js"
import type { Fields } from "./errors/Fields.js"
import { knownFields } from "./errors/KnownFields.js"
import { InvalidFiles } from "./options/FilesOption.js"
import { InvalidOption } from "./options/InvalidOption.js"
import { loggerLayer } from "./options/LoggerLayer.js"
import type { TrunklineOptions } from "./options/TrunklineOptions.js"
import { makeAccess } from "./promises/AccessMethods.js"
import { callerOf } from "./promises/Callers.js"
import { makeCalls, makeEndedCalls, makeLive } from "./promises/CallMethods.js"
import { makeData } from "./promises/DataMethods.js"
import { makeInvoke } from "./promises/Invocation.js"
import { makeReplays } from "./promises/replays/ReplayMethods.js"
import { makeResources } from "./promises/ResourceMethods.js"
import { EngineClosed, makeRunner } from "./promises/Runner.js"
import { makeSimulator } from "./promises/SimulatorMethods.js"
import { checkHandler, checkServer } from "./ServerOptions.js"
import type { DrainOptions, FetchRoute, FetchRoutes, Trunkline } from "./TrunklineTypes.js"

/** Path of an issue in the options: lines are connections of the engine, and the short form of an agent has no versions. */
const optionPath = ([root, index, ...rest]: Issue["loc"], { agents = [] }: TrunklineOptions): string => {
  if (root === "connections") return ["lines", index, ...rest].join(".")
  const agent = root === "agents" ? agents[Number(index)] : undefined
  const isShort = agent !== undefined && !("versions" in agent) && rest[0] === "versions"
  return [root, index, ...isShort ? rest.slice(2) : rest].filter((part) => part !== undefined).join(".")
}

/** The error of a start that failed: a configuration with all its issues, or the cause itself. */
const startError = (cause: Cause.Cause<unknown>, options: TrunklineOptions): unknown => {
  const error = Cause.squash(cause)
  if (error instanceof InvalidFiles) return new InvalidOption("files", error.reason)
  if (!(error instanceof Invalid)) return error
  const [first, ...others] = error.issues
  const further = others.map(({ loc, msg }) => `\n  ${optionPath(loc, options)}: ${msg}`)
  return new InvalidOption(optionPath(first.loc, options), `${first.msg}${further.join("")}`)
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

const drainFields: Fields<DrainOptions> = { pauseSeconds: true, seconds: true }

/** Reads a time; throws `Invalid` when it is none. */
const secondsOf = (value: number, name: string): Duration.Duration => {
  if (Number.isFinite(value) && value >= 0) return Duration.seconds(value)
  throw Invalid.at([name], "value_error", "Must be a number of seconds from 0 on")
}

/** Starts an engine, as `createTrunkline` describes. */
export const startTrunkline = async (options: TrunklineOptions): Promise<Trunkline> => {
  const endedCalls = makeEndedCalls()
  const managedRuntime = ManagedRuntime.make(
    Layer.provide(await engineLayer(options, endedCalls), loggerLayer(options))
  )
  const exit = await managedRuntime.runtimeEffect.pipe(Effect.exit, Effect.runPromise)
  if (Exit.isFailure(exit)) {
    await managedRuntime.dispose().catch(() => undefined)
    throw startError(exit.cause, options)
  }
  const runtime = exit.value
  let isClosed = false
  const runner = makeRunner(runtime, () => isClosed)
  const defaultWorkspace = workspaceOf(options)
  if (options.workspace !== undefined) {
    await runner.run(callerOf(defaultWorkspace)).catch(async () => {
      await managedRuntime.dispose()
      throw new InvalidOption("workspace", `there is no workspace "${defaultWorkspace}" in access`)
    })
  }

  // The host is not limited like the callers of its HTTP interface.
  const noLimits = Context.get(
    await Effect.runPromise(Effect.scoped(Layer.build(RateLimits.layerUnlimited))),
    RateLimits
  )
  const hostOperations = await runner.run(
    Effect.flatMap(Engine, (engine) => Effect.provideService(operations, Engine, { ...engine, limits: noLimits }))
  )
  const dialsHere = options.roles?.includes("dial") ?? true
  const resources = makeResources(makeInvoke(runner, defaultWorkspace), hostOperations)

  let shutdown: Promise<void> | undefined
  const open = new Set<() => Promise<void>>()
  const register = <A extends { readonly close: () => Promise<void> }>(make: () => A): A => {
    if (shutdown !== undefined) throw new EngineClosed()
    const handler = make()
    open.add(handler.close)
    return handler
  }
  const close = async () => {
    await Promise.all(Array.from(open, (finish) => finish()))
    await managedRuntime.dispose()
    isClosed = true
    endedCalls.close()
  }

  return {
    ...resources,
    ...makeAccess(runner, defaultWorkspace),
    calls: makeCalls(runner, {
      defaultWorkspace,
      endedCalls,
      browserCalls: resources.browserCalls,
      outbounds: resources.outbounds,
      dialsHere
    }),
    simulator: makeSimulator(runner, { endedCalls, takesCalls: dialsHere }),
    live: makeLive(runner, defaultWorkspace),
    replays: makeReplays(runner, defaultWorkspace),
    express: (handler = {}) => register(() => expressHandlerOf(runtime, checkHandler(handler))),
    node: (handler = {}) => register(() => nodeHandlerOf(runtime, checkHandler(handler))),
    fetch: (handler = {}) => routesOf(register(() => fetchHandlerOf(runtime, checkHandler(handler)))),
    listen: async (server = {}) => {
      checkServer(server)
      const listening = await listen(register(() => nodeHandlerOf(runtime, server)), server)
      return register(() => listening)
    },
    ...makeData(runner, defaultWorkspace, options),
    ready: () => runner.run(Effect.flatMap(Engine, ({ readiness }) => readiness)),
    console: openConsole,
    metrics: async () => runner.run((await import("./server/metrics/MetricsReader.js")).readMetrics),
    drain: async (drainOptions = {}) => {
      await runner.run(knownFields(drainOptions, drainFields, []))
      const { pauseSeconds = 0, seconds = 30 } = drainOptions
      const times = { pause: secondsOf(pauseSeconds, "pauseSeconds"), patience: secondsOf(seconds, "seconds") }
      return runner.run(
        Effect.map(Effect.flatMap(Engine, (engine) => drainEngine(engine, times)), (calls) => ({ calls }))
      )
    },
    effect: { runtime },
    close: () => shutdown ??= close()
  }
}
