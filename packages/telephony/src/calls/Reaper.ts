import { BusinessTime, findOne, retryForever } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { AttemptStore } from "../attempts/AttemptStore.js"
import { type Carrier, Carriers, type ListedCall, LookupFailed } from "../carriers/Carrier.js"
import { type Connection, Connections } from "../carriers/Connection.js"
import { CallRegistry } from "./LiveCalls.js"

/** Interval between sweeps, in technical time because it loads the providers' servers. */
const sweepInterval = Duration.seconds(60)

/** Timeout for sweeping one connection, in technical time. */
const sweepTimeout = Duration.seconds(30)

/** Younger calls may not be registered yet. */
const minAge = Duration.minutes(2)

/**
 * Ends orphaned calls: calls that a provider lists as live although no process carries their attempt. Calls
 * whose attempt is not in our store, or that belong to no attempt, are left alone because the provider's account may
 * be shared.
 */
export class Reaper extends Context.Tag("@trunkline/telephony/Reaper")<Reaper, {
  /** Checks every connection whose carrier can list calls once; returns the number of calls ended. */
  readonly sweep: Effect.Effect<number>
  /** Sweeps immediately and then every minute until interrupted; `beside` runs after each sweep. */
  readonly run: (beside?: Effect.Effect<void>) => Effect.Effect<never>
}>() {
  static readonly layer = Layer.effect(
    Reaper,
    Effect.gen(function*() {
      const carriers = yield* Carriers
      const connections = yield* Connections
      const store = yield* AttemptStore
      const registry = yield* CallRegistry

      const isOrphan = ({ attempt_id, since }: ListedCall, now: number) =>
        Effect.gen(function*() {
          if (attempt_id === null || now - since < Duration.toMillis(minAge)) return false
          if (yield* registry.has(attempt_id)) return false
          if (yield* store.isCarriedElsewhere(attempt_id)) return false
          return Option.isSome(yield* findOne(store.findMany, attempt_id))
        })

      const endOrphans = ({ end, live, provider }: Carrier, connection: Connection) => {
        if (live === undefined || end === undefined) return Effect.succeed(0)
        return Effect.gen(function*() {
          const calls = yield* live(connection)
          const now = yield* BusinessTime.now
          const orphans = yield* Effect.filter(calls, (call) => isOrphan(call, now))
          yield* Effect.forEach(orphans, (call) => end(connection, call.provider_call_id), { discard: true })
          if (orphans.length > 0) {
            yield* Effect.logWarning("Ended orphaned calls", provider, orphans.length)
          }
          return orphans.length
        }).pipe(
          Effect.disconnect,
          Effect.timeoutFail({
            duration: sweepTimeout,
            onTimeout: () => new LookupFailed({ reason: "no response in time" })
          }),
          Effect.catchTag(
            "LookupFailed",
            ({ reason }) =>
              Effect.as(Effect.logWarning("Could not list the live calls of a provider", provider, reason), 0)
          )
        )
      }

      const sweep = Effect.gen(function*() {
        const lines = yield* connections.list
        const counts = yield* Effect.forEach(lines, (connection) =>
          Option.match(carriers.find(connection.provider), {
            onNone: () => Effect.succeed(0),
            onSome: (carrier) => endOrphans(carrier, connection)
          }), { concurrency: "unbounded" })
        return counts.reduce((total, count) => total + count, 0)
      })

      return Reaper.of({
        sweep,
        run: (beside = Effect.void) =>
          Effect.zipRight(Effect.zipRight(sweep, beside), Effect.sleep(sweepInterval)).pipe(
            Effect.forever,
            retryForever({
              message: "Could not sweep orphaned calls",
              initialDelay: "1 second",
              maxDelay: "1 minute"
            })
          )
      })
    })
  )
}
