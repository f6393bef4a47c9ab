import { assert, layer } from "@effect/vitest"
import type { Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { CohortStore } from "../store/CohortStore.js"
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

/** The laws of `CohortStore` about walks over users: their order and visibility. */
export const cohortWalkLaws = <E>(name: string, live: Layer.Layer<CohortStore | Transactions, E>) =>
  layer(live)(`CohortStore laws about walks: ${name}`, (it) => {
    it.effect("never shows the users of a failed cohort", () =>
      Effect.gen(function*() {
        const owner = campaign("failed")
        yield* store(owner, { id: "coh-failed", users: users(1, 2), outcome: failed })
        assert.deepStrictEqual((yield* walk(owner)).walked, [])
        assert.isUndefined(yield* findCaller(owner, 1))
      }))

    it.effect("walks by completion, then by row, with any page size", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("walk")
        const slow = cohort("coh-walk-slow", 1)
        yield* cohorts.insert(pending(owner, slow))
        yield* fill(slow.cohort_id, users(2, 3))
        yield* store(owner, { id: "coh-walk-fast", users: users(1, 4) })
        yield* store(owner, { id: "coh-walk-empty", users: [] })
        yield* store(campaign("walked elsewhere"), { id: "coh-walk-other", users: users(1) })
        yield* fill(slow.cohort_id, users(5, 11))
        yield* cohorts.finish(scope, slow.cohort_id, { ...completed(4), updated_at: at(3) })
        const order = ["fast/1", "fast/4", "slow/2", "slow/3", "slow/5", "slow/11"].map((row) => `coh-walk-${row}`)
        for (const limit of [1, 2, 3, 6, 100]) {
          assert.deepStrictEqual((yield* walk(owner, { limit })).walked, order, `${limit} at a time`)
        }
      }))

    it.effect("walks over the users of one category only", () =>
      Effect.gen(function*() {
        const owner = campaign("categories")
        yield* store(owner, { id: "coh-categories-1", users: users(1) })
        yield* store(owner, { id: "coh-categories-stop-1", users: users(2), category: "stop_file" })
        yield* store(owner, { id: "coh-categories-2", users: users(3) })
        yield* store(owner, { id: "coh-categories-stop-2", users: users(4), category: "stop_file" })
        for (const limit of [1, 2, 10]) {
          assert.deepStrictEqual((yield* walk(owner, { limit })).walked, ["coh-categories-1/1", "coh-categories-2/3"])
          assert.deepStrictEqual(
            (yield* walk(owner, { limit, category: "stop_file" })).walked,
            ["coh-categories-stop-1/2", "coh-categories-stop-2/4"]
          )
        }
      }))

    it.effect("resumes an ended walk with the cohorts completed since, without missing users", () =>
      Effect.gen(function*() {
        const owner = campaign("resumed")
        yield* store(owner, { id: "coh-resumed-1", users: users(1, 2), created: 9 })
        const { after } = yield* walk(owner)
        yield* store(campaign("between"), { id: "coh-resumed-other", users: users(1) })
        yield* store(owner, { id: "coh-resumed-2", users: users(1), created: 1 })
        assert.deepStrictEqual((yield* walk(owner, { from: after })).walked, ["coh-resumed-2/1"])
      }))

    it.effect("walks over the users of one workspace only", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("scoped")
        yield* store(owner, { id: "coh-scoped", users: users(1) })
        const other = scopeOf("other")
        const allUsers = { category: "cohort", after: null, limit: 10 } as const
        assert.lengthOf(yield* cohorts.usersAfter(scope, owner, allUsers), 1)
        assert.deepStrictEqual(yield* cohorts.usersAfter(other, owner, allUsers), [])
        assert.isTrue(Option.isNone(yield* cohorts.findCaller(other, owner, user(1).user_phone_number)))
      }))
  })
