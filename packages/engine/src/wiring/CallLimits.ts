import { isStoreOutage, type Scope, scopeKey } from "@trunkline/kernel"
import { AccountStore } from "@trunkline/rate-limits"
import { CallSlots, type CallSlotsOptions, Connections } from "@trunkline/telephony"
import { Cache, type Context, Data, Effect, Layer, Option } from "effect"

/** Settings of the concurrent calls of workspaces. */
export interface CallLimitsOptions extends Pick<CallSlotsOptions, "inboundShare"> {
  /**
   * Concurrent calls of each workspace that has no `max_concurrent_calls` of its own. By default as many as the lines that it
   * can use have channels together; unlimited where one of them is.
   */
  readonly maxConcurrentCalls?: number
}

/** Cache of limits: the most recently used workspaces. A change counts after ten seconds at most. */
const limitCache = { capacity: 1_024, timeToLive: "10 seconds" } as const

/** Channels of all lines that a workspace can use; infinity where a line has no limit. */
const channelsOf = (connections: Context.Tag.Service<typeof Connections>, scope: Scope): Effect.Effect<number> =>
  Effect.flatMap(connections.list, (lines) =>
    Effect.map(
      Effect.forEach(lines, ({ connection_id }) => connections.find(scope, connection_id)),
      (workspace) =>
        workspace.flatMap(Option.toArray).reduce((sum, { max_channels = Infinity }) => sum + max_channels, 0) ||
        Infinity
    ))

/** Makes the lookup of a workspace's limit of concurrent calls; infinity for none. */
export const makeCallLimits = ({ maxConcurrentCalls }: CallLimitsOptions) =>
  Effect.gen(function*() {
    const accounts = yield* AccountStore
    const connections = yield* Connections
    const defaultLimitOf = (scope: Scope) =>
      maxConcurrentCalls === undefined ? channelsOf(connections, scope) : Effect.succeed(maxConcurrentCalls)
    /** The limits of workspaces as last read, for a time without the database: calls go on meanwhile. */
    const limitByWorkspace = new Map<string, number>()
    const read = (scope: Scope) =>
      Effect.flatMap(accounts.findWorkspace(scope), (workspace) => {
        const limit = Option.getOrUndefined(workspace)?.max_concurrent_calls
        return limit === undefined ? defaultLimitOf(scope) : Effect.succeed(limit)
      }).pipe(Effect.tap((limit) => Effect.sync(() => limitByWorkspace.set(scopeKey(scope), limit))))
    const limits = yield* Cache.make({
      ...limitCache,
      lookup: (scope: Scope) =>
        Effect.catchSomeDefect(read(scope), (defect) =>
          isStoreOutage(defect)
            ? Option.some(Effect.suspend(() => {
              const limit = limitByWorkspace.get(scopeKey(scope))
              return limit === undefined ? defaultLimitOf(scope) : Effect.succeed(limit)
            }))
            : Option.none())
    })
    return (scope: Scope): Effect.Effect<number> =>
      limits.get(Data.struct({ org_id: scope.org_id, workspace_id: scope.workspace_id }))
  })

/** The slots of calls, by the limits of workspaces. */
export const callSlotsLayer = (options: CallLimitsOptions) =>
  Layer.unwrapEffect(
    Effect.map(
      makeCallLimits(options),
      (maxConcurrentCalls) => CallSlots.layer({ ...options, maxConcurrentCalls })
    )
  )
