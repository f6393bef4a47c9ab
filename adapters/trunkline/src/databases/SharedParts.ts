import type { Bus } from "@trunkline/kernel"
import { type BucketStore, RateLimits, type SlotStore } from "@trunkline/rate-limits"
import { Settings } from "@trunkline/storage-kysely"
import { BusPostgres } from "@trunkline/storage-postgres"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"

/** Hints and rate limits over the database alone. */
const overPostgres = (url: string): Layer.Layer<Bus | RateLimits, never, BucketStore | SlotStore> =>
  Layer.merge(BusPostgres.layer({ url }), RateLimits.layer())

/** Hints and rate limits over Redis, under a name that the database keeps: several databases may use one Redis. */
const overRedis = (url: string): Layer.Layer<Bus | RateLimits, never, Settings> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    const { BusRedis, LimitsRedis } = yield* Effect.promise(() => import("@trunkline/limits-redis"))
    const database = yield* (yield* Settings).keep("database_id", randomUUID())
    const prefix = `trunkline:${database}:`
    return Layer.merge(
      BusRedis.layer({ url, channel: `${prefix}bus` }),
      Layer.provide(RateLimits.layer(), LimitsRedis.layer({ url, prefix }))
    )
  }))

/** Hints and rate limits of processes that share stores: in the database, or in Redis where there is one. */
export const sharedParts = (
  { database, redis }: { readonly database: string; readonly redis: string | undefined }
): Layer.Layer<Bus | RateLimits, never, BucketStore | Settings | SlotStore> =>
  redis === undefined ? overPostgres(database) : overRedis(redis)
