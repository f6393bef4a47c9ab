import { assert, layer } from "@effect/vitest"
import type { Transactions } from "@trunkline/kernel"
import { Effect, type Layer } from "effect"
import { CohortStore } from "../store/CohortStore.js"
import {
  at,
  campaign,
  cohort,
  completed,
  failed,
  fill,
  findCaller,
  isStopped,
  pending,
  scope,
  store,
  users,
  walk
} from "./CohortFixtures.js"

/** Sweeps until nothing is left; returns the number of steps. */
const sweepAll = Effect.gen(function*() {
  const cohorts = yield* CohortStore
  let steps = 0
  while (yield* cohorts.sweep) steps += 1
  return steps
})

const many = Array.from({ length: 450 }, (_, index) => index + 1)

/** The laws of `CohortStore` about the users left by removed, failed and restarted cohorts. */
export const cohortSweepLaws = <E>(name: string, live: Layer.Layer<CohortStore | Transactions, E>) =>
  layer(live)(`CohortStore laws about sweeping: ${name}`, (it) => {
    it.effect("deletes leftover users, and then reports none", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        yield* sweepAll
        const leaving = [
          store(campaign("swept"), { id: "coh-swept-failed", users: users(...many), outcome: failed }),
          store(campaign("swept"), { id: "coh-swept-removed", users: users(...many) }).pipe(
            Effect.zipRight(cohorts.removeOwner(scope, campaign("swept")))
          ),
          store(campaign("swept"), { id: "coh-swept-stops", users: users(...many), category: "stop_file" }).pipe(
            Effect.zipRight(cohorts.removeOwner(scope, campaign("swept")))
          )
        ]
        for (const leave of leaving) {
          yield* leave
          assert.isAtLeast(yield* sweepAll, 1)
          assert.isFalse(yield* cohorts.sweep)
          assert.deepStrictEqual((yield* walk(campaign("swept"))).walked, [])
          assert.isUndefined(yield* findCaller(campaign("swept"), 450))
          assert.isFalse(yield* isStopped(campaign("swept"), 450))
        }
      }))

    it.effect("keeps other users with the same numbers and rows", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("unswept")
        const { cohort_id } = cohort("coh-unswept-restarted", 9)
        yield* store(owner, { id: "coh-unswept", users: users(1, 449), created: 1 })
        yield* store(owner, { id: "coh-unswept-stops", users: users(1, 450), category: "stop_file" })
        yield* store(campaign("swept beside"), { id: "coh-unswept-beside", users: users(...many) })
        yield* cohorts.removeOwner(scope, campaign("swept beside"))
        yield* cohorts.insert(pending(owner, cohort("coh-unswept-restarted", 9)))
        yield* fill(cohort_id, users(...many))
        yield* cohorts.restart(scope, cohort_id)
        yield* fill(cohort_id, users(1, 2))
        assert.isAtLeast(yield* sweepAll, 2)
        yield* cohorts.finish(scope, cohort_id, { ...completed(2), updated_at: at(59) })
        assert.deepStrictEqual(
          (yield* walk(owner)).walked,
          ["unswept/1", "unswept/449", "unswept-restarted/1", "unswept-restarted/2"].map((row) => `coh-${row}`)
        )
        assert.deepStrictEqual(
          yield* Effect.forEach([1, 3, 449], (row) => findCaller(owner, row)),
          ["coh-unswept-restarted/1", undefined, "coh-unswept/449"]
        )
        assert.deepStrictEqual(yield* Effect.forEach([1, 2, 450], (row) => isStopped(owner, row)), [true, false, true])
      }))
  })
