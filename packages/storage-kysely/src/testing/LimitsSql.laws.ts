import { assert, describe, it, layer } from "@effect/vitest"
import { BucketStore, SlotStore } from "@trunkline/rate-limits"
import { bucketStoreLaws, slotStoreLaws } from "@trunkline/rate-limits/testing"
import { Array, Context, Effect, Layer, type Scope, TestClock } from "effect"
import type { LimitStores } from "../accounts/LimitsSql.js"
import { Sql } from "../sql/Sql.js"

const bucketOf = (owner: string) => ({ owner, name: "chat", interval: 1_000_000, burst: 60 })
const slotOf = (holder: string) => ({ owner: "acme", name: "calls_live", holder })

const rowsOf = (table: "buckets" | "slots") =>
  Effect.flatMap(Sql, ({ query }) => query((db) => db.selectFrom(table).select("owner").execute())).pipe(
    Effect.map(({ length }) => length)
  )

/** The laws of the stores of rate limits, by Effect's Clock, for an empty database behind some dialect. */
export const limitsLaws = <E>(name: string, live: Layer.Layer<LimitStores | Sql, E>): void => {
  bucketStoreLaws(name, live)
  slotStoreLaws(name, live)

  layer(live)(`Limits in SQL: ${name}`, (it) => {
    it.effect("deletes the rows of buckets that are full again", () =>
      Effect.gen(function*() {
        const { take } = yield* BucketStore
        yield* Effect.forEach(Array.range(1, 50), (number) => take([bucketOf(`old-${number}`)], 1))
        assert.strictEqual(yield* rowsOf("buckets"), 50)
        yield* TestClock.adjust("1 second")
        yield* Effect.forEach(Array.range(1, 25), (number) => take([bucketOf(`new-${number}`)], 1))
        assert.strictEqual(yield* rowsOf("buckets"), 25)
      }))

    it.effect("deletes the rows of expired slots", () =>
      Effect.gen(function*() {
        const { hold } = yield* SlotStore
        const terms = { limit: 100, ttl: 1_000 }
        yield* Effect.forEach(Array.range(1, 50), (number) => hold(slotOf(`old-${number}`), terms))
        assert.strictEqual(yield* rowsOf("slots"), 50)
        yield* TestClock.adjust("1 second")
        yield* Effect.forEach(Array.range(1, 25), (number) => hold(slotOf(`new-${number}`), terms))
        assert.strictEqual(yield* rowsOf("slots"), 25)
      }))
  })
}

/** The laws of stores of rate limits that share a database; `database` makes an empty one and returns the layer to open it. */
export const sharedLimitsLaws = <E>(
  name: string,
  database: Effect.Effect<Layer.Layer<LimitStores, E>, never, Scope.Scope>
) =>
  describe(`Shared limits in SQL: ${name}`, () => {
    it.scoped("counts the use of all processes together", () =>
      Effect.gen(function*() {
        const guests = yield* Effect.replicateEffect(Layer.build(yield* database), 2)
        const eachOften = <A>(work: (guest: Context.Context<LimitStores>, time: string) => Effect.Effect<A>) =>
          Effect.all(
            guests.flatMap((guest, index) => Array.makeBy(50, (time) => work(guest, `${index}-${time}`))),
            { concurrency: "unbounded" }
          )
        const takes = yield* eachOften((guest) => Context.get(guest, BucketStore).take([bucketOf("acme")], 1))
        assert.strictEqual(takes.filter(({ isAdmitted }) => isAdmitted).length, 60)
        const terms = { limit: 30, ttl: 1_000 }
        const holds = yield* eachOften((guest, time) => Context.get(guest, SlotStore).hold(slotOf(time), terms))
        assert.strictEqual(holds.filter((isHeld) => isHeld).length, 30)
      }))
  })
