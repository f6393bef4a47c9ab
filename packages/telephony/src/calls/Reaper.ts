import { BusinessTime, steadily } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { AttemptStore } from "../attempts/AttemptStore.js"
import { type Carrier, Carriers, type ListedCall, LookupFailed } from "../carriers/Carrier.js"
import { type Connection, Connections } from "../carriers/Connection.js"
import { CarriedCalls } from "./LiveCalls.js"

/** How often providers are asked which calls go on, in technical time: it is their servers that are asked. */
const SWEEP_INTERVAL = Duration.seconds(60)

/** How long a provider has to answer and to end what is to be ended, in technical time. */
const SWEEP_TIMEOUT = Duration.seconds(30)

/** A call that is younger than this may not have an owner yet. */
const MIN_AGE = Duration.minutes(2)

/**
 * Ends calls without an owner: those that a provider says are going on, while nobody here carries the attempt that made
 * them. Calls of attempts that our store does not know are left alone, since the provider's account may be shared; so
 * are calls that no attempt made.
 */
export class Reaper extends Context.Tag("@trunkline/telephony/Reaper")<Reaper, {
  /** Looks once: at all connections whose carriers list their calls. Answers with how many it ended. */
  readonly sweep: Effect.Effect<number>
  /** Looks at once and then every minute, until interrupted. */
  readonly run: Effect.Effect<never>
}>() {
  static readonly layer = Layer.effect(
    Reaper,
    Effect.gen(function*() {
      const carriers = yield* Carriers
      const connections = yield* Connections
      const store = yield* AttemptStore
      const carried = yield* CarriedCalls

      const isOrphan = ({ attempt_id, since }: ListedCall, now: number) =>
        Effect.gen(function*() {
          if (attempt_id === null || now - since < Duration.toMillis(MIN_AGE)) return false
          if (yield* carried.has(attempt_id)) return false
          return Option.isSome(yield* store.find(attempt_id))
        })

      const endOrphans = ({ end, live, provider }: Carrier, connection: Connection) => {
        if (live === undefined || end === undefined) return Effect.succeed(0)
        return Effect.gen(function*() {
          const calls = yield* live(connection)
          const now = yield* BusinessTime.now
          const orphans = yield* Effect.filter(calls, (call) => isOrphan(call, now))
          yield* Effect.forEach(orphans, (call) => end(connection, call.provider_call_id), { discard: true })
          if (orphans.length > 0) {
            yield* Effect.logWarning("Calls that nobody carried were ended", provider, orphans.length)
          }
          return orphans.length
        }).pipe(
          Effect.disconnect,
          Effect.timeoutFail({
            duration: SWEEP_TIMEOUT,
            onTimeout: () => new LookupFailed({ reason: "no answer in time" })
          }),
          Effect.catchTag(
            "LookupFailed",
            ({ reason }) =>
              Effect.as(Effect.logWarning("A provider could not be asked which calls go on", provider, reason), 0)
          )
        )
      }

      const sweep = Effect.gen(function*() {
        const all = yield* connections.all
        const ended = yield* Effect.forEach(all, (connection) =>
          Option.match(carriers.find(connection.provider), {
            onNone: () => Effect.succeed(0),
            onSome: (carrier) => endOrphans(carrier, connection)
          }), { concurrency: "unbounded" })
        return ended.reduce((total, count) => total + count, 0)
      })

      return Reaper.of({
        sweep,
        run: Effect.zipRight(sweep, Effect.sleep(SWEEP_INTERVAL)).pipe(
          Effect.forever,
          steadily({
            message: "Calls without an owner could not be looked for",
            first: "1 second",
            longest: "1 minute"
          })
        )
      })
    })
  )
}
