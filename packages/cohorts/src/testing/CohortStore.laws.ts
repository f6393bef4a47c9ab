import { assert, layer } from "@effect/vitest"
import { CohortId, type PageRequest, type Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { CohortOwner } from "../Cohort.js"
import { CohortStore } from "../store/CohortStore.js"
import { cohortCallerLaws } from "./CohortCallers.laws.js"
import {
  campaign,
  cohort,
  completed,
  failed,
  fill,
  pending,
  scope,
  scopeOf,
  store,
  users,
  walk
} from "./CohortFixtures.js"
import { cohortImportLaws } from "./CohortImport.laws.js"
import { cohortSweepLaws } from "./CohortSweep.laws.js"
import { cohortWalkLaws } from "./CohortWalk.laws.js"

const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

/** The laws of `CohortStore`. Tests have different owners, so rows may live as long as the layer. */
export const cohortStoreLaws = <E>(name: string, live: Layer.Layer<CohortStore | Transactions, E>) => {
  cohortImportLaws(name, live)
  cohortWalkLaws(name, live)
  cohortCallerLaws(name, live)
  cohortSweepLaws(name, live)
  layer(live)(`CohortStore laws: ${name}`, (it) => {
    it.effect("finds a cohort as inserted, for its owner and workspace only", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("find")
        const newCohort = cohort("coh-find", 1)
        const id = newCohort.cohort_id
        yield* cohorts.insert(pending(owner, newCohort))
        assert.deepStrictEqual(yield* cohorts.find(scope, owner, id), Option.some(newCohort))
        assert.isTrue(Option.isNone(yield* cohorts.find(scopeOf("other"), owner, id)))
        assert.isTrue(Option.isNone(yield* cohorts.find(scope, campaign("another"), id)))
        assert.isTrue(Option.isNone(yield* cohorts.find(scope, { kind: "deployment", id: "find" }, id)))
        assert.isTrue(Option.isNone(yield* cohorts.find(scope, owner, CohortId.make("coh-none"))))
      }))

    it.effect("lists the owner's cohorts in pages, sorted, and searched by name and id", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("list")
        yield* cohorts.insert(pending(campaign("not listed"), cohort("coh-list-x", 1)))
        yield* Effect.forEach(
          [
            cohort("coh-list-a", 1, { name: "June" }),
            cohort("coh-list-b", 3, { name: "May", cohort_category: "stop_file" }),
            cohort("coh-list-c", 2, { name: "July" })
          ],
          (one) => cohorts.insert(pending(owner, one))
        )
        const list = (page: Partial<PageRequest>) =>
          Effect.map(
            cohorts.list(scope, owner, { ...newest, ...page }),
            ({ items, total }) => [total, ...items.map((one) => one.name)]
          )
        assert.deepStrictEqual(yield* list({}), [3, "May", "July", "June"])
        assert.deepStrictEqual(yield* list({ sort_by: "name", sort_order: "asc" }), [3, "July", "June", "May"])
        assert.deepStrictEqual(yield* list({ offset: 1, limit: 1 }), [3, "July"])
        assert.deepStrictEqual(yield* list({ offset: 9 }), [3])
        assert.deepStrictEqual(yield* list({ search: "jU" }), [2, "July", "June"])
        assert.deepStrictEqual(yield* list({ search: "LIST-B" }), [1, "May"])
      }))

    it.effect("counts cohorts by status and the users of completed ones, without stop files", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("tally")
        yield* store(owner, { id: "coh-tally-1", users: users(1, 2, 3), outcome: completed(3, 4) })
        yield* store(owner, { id: "coh-tally-2", users: users(1) })
        yield* store(owner, { id: "coh-tally-3", users: users(1), outcome: failed })
        yield* store(owner, { id: "coh-tally-stop", users: users(7, 8), category: "stop_file" })
        yield* cohorts.insert(pending(owner, cohort("coh-tally-4", 1)))
        yield* cohorts.insert(pending(owner, cohort("coh-tally-stopping", 1, { cohort_category: "stop_file" })))
        yield* fill(CohortId.make("coh-tally-4"), users(1))
        const tally = { cohorts: 4, processing: 1, completed: 2, users: 4 }
        assert.deepStrictEqual(yield* cohorts.tally(scope, owner), tally)
        const none = { cohorts: 0, processing: 0, completed: 0, users: 0 }
        assert.deepStrictEqual(yield* cohorts.tally(scopeOf("other"), owner), none)
      }))

    it.effect("removes the cohorts and users of an owner, whatever their status, and of no other owner", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("removed")
        const namesake: CohortOwner = { kind: "deployment", id: "removed" }
        yield* store(owner, { id: "coh-removed-1", users: users(1) })
        yield* cohorts.insert(pending(owner, cohort("coh-removed-2", 1)))
        yield* store(owner, { id: "coh-removed-3", users: users(1), outcome: failed })
        yield* store(owner, { id: "coh-removed-4", users: users(1), category: "stop_file" })
        yield* store(namesake, { id: "coh-removed-5", users: users(1) })
        assert.deepStrictEqual(yield* cohorts.removeOwner(scopeOf("other"), owner), [])
        const cohortIds = yield* cohorts.removeOwner(scope, owner)
        assert.deepStrictEqual([...cohortIds].sort(), [1, 2, 3, 4].map((number) => `coh-removed-${number}`))
        assert.deepStrictEqual((yield* cohorts.list(scope, owner, newest)).total, 0)
        assert.deepStrictEqual((yield* walk(owner)).walked, [])
        assert.isTrue(Option.isNone(yield* cohorts.findPending(scope, CohortId.make("coh-removed-2"))))
        assert.isFalse(yield* fill(CohortId.make("coh-removed-2"), users(1)))
        assert.deepStrictEqual(yield* cohorts.removeOwner(scope, owner), [])
        assert.deepStrictEqual((yield* walk(namesake)).walked, ["coh-removed-5/1"])
      }))

    it.effect("lists expected cohorts until they are inserted or no longer expected", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const expectedIds = Effect.map(
          cohorts.expectedIds,
          (ids) => ids.filter((id) => id.startsWith("coh-expect")).sort()
        )
        const [came, cut, refused] = [
          cohort("coh-expect-came", 1),
          CohortId.make("coh-expect-cut"),
          CohortId.make("coh-expect-refused")
        ]
        yield* Effect.forEach([came.cohort_id, cut, cut, refused], (id) => cohorts.expect(id))
        assert.deepStrictEqual(yield* expectedIds, [came.cohort_id, cut, refused])
        yield* cohorts.insert(pending(campaign("expected"), came))
        yield* cohorts.unexpect(refused)
        yield* cohorts.unexpect(CohortId.make("coh-expect-never"))
        assert.deepStrictEqual(yield* expectedIds, [cut])
      }))
  })
}
