import { assert, layer } from "@effect/vitest"
import type { Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import {
  at,
  campaign,
  cohort,
  completed,
  failed,
  fill,
  findCaller,
  pending,
  scope,
  scopeOf,
  store,
  user,
  users,
  walk
} from "./CohortFixtures.js"
import { CohortStore } from "./CohortStore.js"

/** The laws of `CohortStore` about walks over people: who is seen, and in which order. */
export const cohortWalkLaws = <E>(name: string, live: Layer.Layer<CohortStore | Transactions, E>) =>
  layer(live)(`CohortStore laws about people: ${name}`, (it) => {
    it.effect("the people of a failed cohort are never seen", () =>
      Effect.gen(function*() {
        const owner = campaign("failed")
        yield* store(owner, { id: "coh-failed", people: users(1, 2), outcome: failed })
        assert.deepStrictEqual((yield* walk(owner)).walked, [])
        assert.isUndefined(yield* findCaller(owner, 1))
      }))

    it.effect("a walk goes by completion, then by row, whatever the step", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("walk")
        const slow = cohort("coh-walk-slow", 1)
        yield* cohorts.insert(pending(owner, slow))
        yield* fill(slow.cohort_id, users(2, 3))
        yield* store(owner, { id: "coh-walk-fast", people: users(1, 4) })
        yield* store(owner, { id: "coh-walk-empty", people: [] })
        yield* store(campaign("walked elsewhere"), { id: "coh-walk-other", people: users(1) })
        yield* fill(slow.cohort_id, users(5, 11))
        yield* cohorts.finish(scope, slow.cohort_id, { ...completed(4), updated_at: at(3) })
        const order = ["fast/1", "fast/4", "slow/2", "slow/3", "slow/5", "slow/11"].map((row) => `coh-walk-${row}`)
        for (const limit of [1, 2, 3, 6, 100]) {
          assert.deepStrictEqual((yield* walk(owner, { limit })).walked, order, `${limit} at a time`)
        }
      }))

    it.effect("a walk over one category meets nobody of the other", () =>
      Effect.gen(function*() {
        const owner = campaign("categories")
        yield* store(owner, { id: "coh-categories-1", people: users(1) })
        yield* store(owner, { id: "coh-categories-stop-1", people: users(2), category: "stop_file" })
        yield* store(owner, { id: "coh-categories-2", people: users(3) })
        yield* store(owner, { id: "coh-categories-stop-2", people: users(4), category: "stop_file" })
        for (const limit of [1, 2, 10]) {
          assert.deepStrictEqual((yield* walk(owner, { limit })).walked, ["coh-categories-1/1", "coh-categories-2/3"])
          assert.deepStrictEqual(
            (yield* walk(owner, { limit, category: "stop_file" })).walked,
            ["coh-categories-stop-1/2", "coh-categories-stop-2/4"]
          )
        }
      }))

    it.effect("a walk that has ended goes on with the cohorts completed since, and misses nobody", () =>
      Effect.gen(function*() {
        const owner = campaign("resumed")
        yield* store(owner, { id: "coh-resumed-1", people: users(1, 2), created: 9 })
        const { after } = yield* walk(owner)
        yield* store(campaign("between"), { id: "coh-resumed-other", people: users(1) })
        yield* store(owner, { id: "coh-resumed-2", people: users(1), created: 1 })
        assert.deepStrictEqual((yield* walk(owner, { from: after })).walked, ["coh-resumed-2/1"])
      }))

    it.effect("the walks of a workspace hold nobody of another one", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("scoped")
        yield* store(owner, { id: "coh-scoped", people: users(1) })
        const other = scopeOf("other")
        const everybody = { category: "cohort", after: null, limit: 10 } as const
        assert.lengthOf(yield* cohorts.usersAfter(scope, owner, everybody), 1)
        assert.deepStrictEqual(yield* cohorts.usersAfter(other, owner, everybody), [])
        assert.isTrue(Option.isNone(yield* cohorts.findCaller(other, owner, user(1).user_phone_number)))
      }))
  })
