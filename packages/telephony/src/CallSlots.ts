import { type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Deferred, Effect, FiberId, Layer } from "effect"
import type { Connection } from "./Connection.js"

/** Calls that a workspace holds at once unless the embedder says otherwise (shapes 11). */
export const DEFAULT_MAX_CONCURRENT_CALLS = 10

/** A line was taken, or `freed` completes when the next call of anyone ends. */
export type SlotAnswer = { readonly taken: true } | { readonly taken: false; readonly freed: Effect.Effect<void> }

/** The lines that are free: per workspace, and per connection where it has `max_channels` (shapes 11). */
export class CallSlots extends Context.Tag("@trunkline/telephony/CallSlots")<CallSlots, {
  /** Takes a line when one is free; otherwise says how to wait until one may be. */
  readonly tryTake: (scope: Scope, connection: Connection) => Effect.Effect<SlotAnswer>
  /** Gives a line back. */
  readonly release: (scope: Scope, connection: Connection) => Effect.Effect<void>
  /** Calls going on in a workspace. */
  readonly inUse: (scope: Scope) => Effect.Effect<number>
}>() {
  /** Counts in this process. `maxConcurrentCalls` is per workspace. */
  static readonly layer = (options: { readonly maxConcurrentCalls?: number } = {}) =>
    Layer.sync(CallSlots, () => {
      const perWorkspace = options.maxConcurrentCalls ?? DEFAULT_MAX_CONCURRENT_CALLS
      const counts = new Map<string, number>()
      let next = Deferred.unsafeMake<void>(FiberId.none)
      const used = (key: string) => counts.get(key) ?? 0
      const add = (key: string, change: number) => {
        const count = used(key) + change
        if (count === 0) counts.delete(key)
        else counts.set(key, count)
      }
      const tryTake = (scope: Scope, connection: Connection): Effect.Effect<SlotAnswer> =>
        Effect.sync(() => {
          const workspace = workspaceKey(scope)
          const line = connectionKey(connection)
          if (used(workspace) >= perWorkspace || used(line) >= (connection.max_channels ?? Infinity)) {
            return { taken: false, freed: Deferred.await(next) }
          }
          add(workspace, 1)
          add(line, 1)
          return { taken: true }
        })
      const release = (scope: Scope, connection: Connection) =>
        Effect.suspend(() => {
          add(workspaceKey(scope), -1)
          add(connectionKey(connection), -1)
          const waiting = next
          next = Deferred.unsafeMake<void>(FiberId.none)
          return Effect.asVoid(Deferred.succeed(waiting, undefined))
        })
      return CallSlots.of({
        tryTake,
        release,
        inUse: (scope) => Effect.sync(() => used(workspaceKey(scope)))
      })
    })
}

const workspaceKey = (scope: Scope) => `workspace ${scopeKey(scope)}`
const connectionKey = (connection: Connection) => `connection ${connection.connection_id}`
