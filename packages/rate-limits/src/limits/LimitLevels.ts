import { Effect, Schema } from "effect"
import type { BucketStore } from "./BucketStore.js"
import { bucketOf, burstOf, type LimitSubject } from "./Families.js"
import type { PlanTable } from "./PlanTable.js"
import type { SlotStore } from "./SlotStore.js"

/** Limits of a plan, with what is left of them. */
export const LimitLevels = Schema.Struct({
  requests: Schema.Array(Schema.Struct({
    /** Family of requests, such as `campaigns`. */
    api: Schema.String,
    /** Sharers of the allowance: all keys of the account, the organisation, or this key. */
    per: Schema.Literal("account", "organisation", "key"),
    /** Requests that come back in a minute. */
    per_minute: Schema.Int,
    /** Most requests at once. */
    burst: Schema.Int,
    remaining: Schema.Int,
    /** Seconds until all of them are back. */
    reset_after: Schema.Number
  })),
  connections: Schema.Array(Schema.Struct({
    /** Family of connections, such as `calls_live`. */
    api: Schema.String,
    /** Most connections at once. */
    limit: Schema.Int,
    open: Schema.Int
  }))
})
export type LimitLevels = typeof LimitLevels.Type

/** Parts that levels are read from. */
interface LevelParts {
  readonly buckets: typeof BucketStore.Service
  readonly slots: typeof SlotStore.Service
  readonly plans: PlanTable
}

/** Makes the reader of the limits of a subject, which takes nothing from them. */
export const readLevels =
  ({ buckets, plans, slots }: LevelParts) => (subject: LimitSubject): Effect.Effect<LimitLevels> => {
    const { connections, requests } = plans[subject.plan]
    const allowances = Object.entries(requests).flatMap(([api, apiAllowances]) =>
      apiAllowances.map((allowance) => ({ allowance, api }))
    )
    return Effect.all({
      requests: Effect.forEach(
        allowances,
        ({ allowance, api }) =>
          Effect.map(buckets.take([bucketOf(api, allowance)(subject)], 0), ({ remaining, resetAfter }) => ({
            api,
            per: allowance.per ?? "account",
            per_minute: allowance.perMinute,
            burst: burstOf(allowance),
            remaining,
            reset_after: Math.ceil(resetAfter / 1_000) / 1_000
          }))
      ),
      connections: Effect.forEach(
        Object.entries(connections),
        ([api, limit]) =>
          Effect.map(slots.countHeld({ owner: subject.account_id, name: api }), (open) => ({ api, limit, open }))
      )
    })
  }
