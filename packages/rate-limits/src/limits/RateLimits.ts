import { RateLimited } from "@trunkline/errors"
import { Ids, retryForever } from "@trunkline/kernel"
import { Context, Duration, Effect, Either, Layer, Record, type Scope } from "effect"
import { BucketStore } from "./BucketStore.js"
import { connectionFamilies, type LimitSubject, requestFamilies, type RequestFamily } from "./Families.js"
import type { TakeResult } from "./Gcra.js"
import { type LimitLevels, readLevels } from "./LimitLevels.js"
import { type LimitedApi, type LimitedConnection, type PlanTable, planTable, planTableProblems } from "./PlanTable.js"
import { SlotStore } from "./SlotStore.js"

/** A request to be counted. */
export interface LimitedRequest {
  readonly subject: LimitSubject
  /** A family of the plan table; an unknown one is a defect. */
  readonly api: LimitedApi | (string & {})
  /** Cost of the request: a whole number from 1 (default) to the burst; anything else is a defect. */
  readonly cost?: number
}

/** A connection to be held. */
export interface ConnectionRequest {
  readonly subject: LimitSubject
  /** A connection family of the plan table; an unknown one is a defect. */
  readonly api: LimitedConnection | (string & {})
}

/** Options of {@link RateLimits}. */
export interface RateLimitsOptions {
  /** Limits per plan; default `planTable`. The layer dies when the table is invalid. */
  readonly plans?: PlanTable
}

/** Lease time of a connection slot and interval of its heartbeat. */
const slotTtl = Duration.seconds(30)
const heartbeat = Duration.seconds(10)

const retryAfter = ({ retryAfter }: TakeResult) => Duration.millis(Math.ceil(retryAfter / 1000))

const outcomeOf = ({ api }: LimitedRequest, result: TakeResult): Either.Either<void, RateLimited> =>
  result.isAdmitted ? Either.void : Either.left(new RateLimited({ api, retryAfter: retryAfter(result) }))

const isCostOf = ({ maxCost }: RequestFamily, cost: number): boolean =>
  Number.isInteger(cost) && cost >= 1 && cost <= maxCost

const noLimit: TakeResult = { isAdmitted: true, remaining: Infinity, retryAfter: 0, resetAfter: 0, at: 0 }

/**
 * Counts requests and connections against the limits of a plan. It needs only a bucket store and a slot store, so it can
 * be used in front of any handler.
 *
 * @example
 * ```ts
 * const limits = yield* RateLimits
 * yield* limits.spend({ who: { account_id: "acme", plan: "pro" }, api: "chat" })
 * ```
 */
export class RateLimits extends Context.Tag("@trunkline/rate-limits/RateLimits")<RateLimits, {
  /**
   * The decision of `decide` where it needs no waiting, made at once: always in memory, and from a lease over Redis.
   * Otherwise, and for a defect, undefined; nothing was taken then, so ask `decide`.
   */
  readonly decideNow: (spending: LimitedRequest) => TakeResult | undefined
  /** Takes the cost of a request from its allowances, or nothing when rejected; returns the decision and what remains. */
  readonly decide: (spending: LimitedRequest) => Effect.Effect<TakeResult>
  /** The outcome of `spend` where it needs no waiting, as with `decideNow`; otherwise undefined. */
  readonly spendNow: (spending: LimitedRequest) => Either.Either<void, RateLimited> | undefined
  /** Takes the cost of a request from its allowances, or fails and takes nothing. */
  readonly spend: (spending: LimitedRequest) => Effect.Effect<void, RateLimited>
  /**
   * Holds a connection until the scope ends. Fails when connections are opened too fast (a tenth of the ceiling per second,
   * with bursts of a quarter of it, at least 5) or when the account has reached its ceiling; `retryAfter` is 10 seconds in
   * the latter case. The failure's message is at most 123 bytes of ASCII, the limit of a WebSocket close reason (RFC 6455,
   * section 5.5).
   */
  readonly connect: (connecting: ConnectionRequest) => Effect.Effect<void, RateLimited, Scope.Scope>
  /** Limits of a subject with what is left of them. It takes nothing. */
  readonly levels: (subject: LimitSubject) => Effect.Effect<LimitLevels>
}>() {
  /** Uses a bucket store and a slot store. */
  static readonly layer = ({ plans = planTable }: RateLimitsOptions = {}) =>
    Layer.effect(
      RateLimits,
      Effect.gen(function*() {
        const buckets = yield* BucketStore
        const slots = yield* SlotStore
        const ids = yield* Ids
        const problems = planTableProblems(plans)
        if (problems.length > 0) return yield* Effect.dieMessage(`Invalid plan table: ${problems.join("; ")}`)
        const requests = Record.map(plans, requestFamilies)
        const connections = Record.map(plans, connectionFamilies)

        const decideNow = ({ api, cost = 1, subject }: LimitedRequest) => {
          const family = requests[subject.plan].get(api)
          if (family === undefined || !isCostOf(family, cost)) return undefined
          const result = buckets.takeNow(family.bucketsOf(subject), cost)
          if (result !== undefined) family.count(result.isAdmitted)
          return result
        }

        const decide = ({ api, cost = 1, subject }: LimitedRequest) => {
          const family = requests[subject.plan].get(api)
          if (family === undefined) return Effect.dieMessage(`The plan ${subject.plan} has no requests named ${api}`)
          if (!isCostOf(family, cost)) {
            return Effect.dieMessage(`${api} cannot cost ${cost}, only a whole number from 1 to ${family.maxCost}`)
          }
          return Effect.map(buckets.take(family.bucketsOf(subject), cost), (result) => {
            family.count(result.isAdmitted)
            return result
          })
        }

        const spendNow = (spending: LimitedRequest) => {
          const result = decideNow(spending)
          return result && outcomeOf(spending, result)
        }

        const spend = (spending: LimitedRequest) =>
          Effect.suspend(() =>
            spendNow(spending) ?? Effect.flatMap(decide(spending), (result) => outcomeOf(spending, result))
          )

        const connect = Effect.fn("RateLimits.connect")(function*({ api, subject }: ConnectionRequest) {
          const family = connections[subject.plan].get(api)
          if (family === undefined) {
            return yield* Effect.dieMessage(`The plan ${subject.plan} has no connections named ${api}`)
          }
          const openedResult = yield* buckets.take([family.speedOf(subject)], 1)
          if (!openedResult.isAdmitted) {
            family.count(false)
            return yield* new RateLimited({ api, reason: "connection_speed", retryAfter: retryAfter(openedResult) })
          }
          const slot = { owner: subject.account_id, name: api, holder: yield* ids.uuid }
          const hold = slots.hold(slot, { limit: family.maxConnections, ttl: Duration.toMillis(slotTtl) })
          const isHeld = yield* Effect.acquireRelease(hold, (isHeld) => isHeld ? slots.release(slot) : Effect.void)
          family.count(isHeld)
          if (!isHeld) return yield* new RateLimited({ api, reason: "connections", retryAfter: heartbeat })
          yield* Effect.zipRight(hold, Effect.sleep(heartbeat)).pipe(
            Effect.forever,
            retryForever({
              message: "A connection slot could not be renewed",
              initialDelay: "1 second",
              maxDelay: "5 seconds"
            }),
            Effect.delay(heartbeat),
            Effect.forkScoped
          )
        })

        return RateLimits.of({
          decideNow,
          decide,
          spendNow,
          spend,
          connect,
          levels: readLevels({ buckets, plans, slots })
        })
      })
    ).pipe(Layer.provide(Ids.layer))

  /** Counts in memory. */
  static readonly layerMemory = (options?: RateLimitsOptions) =>
    RateLimits.layer(options).pipe(Layer.provide([BucketStore.layerMemory, SlotStore.layerMemory]))

  /** Admits everything. */
  static readonly layerUnlimited = Layer.succeed(RateLimits, {
    decideNow: () => noLimit,
    decide: () => Effect.succeed(noLimit),
    spendNow: () => Either.void,
    spend: () => Effect.void,
    connect: () => Effect.void,
    levels: () => Effect.succeed({ requests: [], connections: [] })
  })
}
