import { assert, layer } from "@effect/vitest"
import { CohortId, type PageRequest, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { Cohort, type CohortOwner } from "../Cohort.js"
import { at, campaign, cohort, completed, scope, scopeOf, store, users, walk } from "./CohortFixtures.js"
import { CohortStore } from "./CohortStore.js"
import { cohortWalkLaws } from "./CohortWalk.laws.js"

const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

/** The laws of `CohortStore`. Every test has an owner of its own, so the rows may live as long as the layer. */
export const cohortStoreLaws = <E>(name: string, live: Layer.Layer<CohortStore | Transactions, E>) => {
  cohortWalkLaws(name, live)
  layer(live)(`CohortStore laws: ${name}`, (it) => {
    it.effect("finds a cohort as it was inserted, for its owner and workspace alone", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("find")
        const inserted = cohort("coh-find", 1)
        const id = inserted.cohort_id
        yield* cohorts.insert(scope, owner, inserted)
        assert.deepStrictEqual(yield* cohorts.find(scope, owner, id), Option.some(inserted))
        assert.isTrue(Option.isNone(yield* cohorts.find(scopeOf("other"), owner, id)))
        assert.isTrue(Option.isNone(yield* cohorts.find(scope, campaign("another"), id)))
        assert.isTrue(Option.isNone(yield* cohorts.find(scope, { kind: "deployment", id: "find" }, id)))
        assert.isTrue(Option.isNone(yield* cohorts.find(scope, owner, CohortId.make("coh-none"))))
      }))

    it.effect("names the cohorts that are being processed, whoever they belong to", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const [ours, theirs, done] = [
          cohort("coh-open-ours", 1),
          cohort("coh-open-theirs", 2),
          cohort("coh-open-done", 3)
        ]
        yield* cohorts.insert(scope, campaign("open"), ours)
        yield* cohorts.insert(scopeOf("other"), campaign("open"), theirs)
        yield* cohorts.insert(scope, campaign("open"), done)
        yield* cohorts.finish(scope, done.cohort_id, { ...completed(0), updated_at: at(4) })
        const found = (yield* cohorts.unfinished).filter(({ cohort_id }) => cohort_id.startsWith("coh-open"))
        assert.deepStrictEqual(
          found.map(({ cohort_id, scope: { workspace_id } }) => [cohort_id, workspace_id]).sort(),
          [[ours.cohort_id, scope.workspace_id], [theirs.cohort_id, scopeOf("other").workspace_id]]
        )
      }))

    it.effect("completion and failure are written, and are final", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("final")
        const [good, bad] = [cohort("coh-final-good", 1), cohort("coh-final-bad", 2)]
        yield* cohorts.insert(scope, owner, good)
        yield* cohorts.insert(scope, owner, bad)
        const failed = { status: "failed", failure_reason: "The file is broken" } as const
        const done = yield* cohorts.finish(scope, good.cohort_id, { ...completed(0, 2), updated_at: at(8) })
        assert.deepStrictEqual(done, Option.some(new Cohort({ ...good, ...completed(0, 2), updated_at: at(8) })))
        yield* cohorts.finish(scope, bad.cohort_id, { ...failed, updated_at: at(9) })
        assert.deepStrictEqual(
          yield* cohorts.find(scope, owner, bad.cohort_id),
          Option.some(new Cohort({ ...bad, ...failed, updated_at: at(9) }))
        )
        for (const { cohort_id } of [good, bad]) {
          const before = yield* cohorts.find(scope, owner, cohort_id)
          assert.isTrue(Option.isNone(yield* cohorts.finish(scope, cohort_id, { ...completed(1), updated_at: at(10) })))
          assert.isFalse(yield* cohorts.addUsers(scope, cohort_id, users(1)))
          assert.deepStrictEqual(yield* cohorts.find(scope, owner, cohort_id), before)
        }
        assert.deepStrictEqual((yield* walk(owner, 10)).walked, [])
      }))

    it.effect("takes people and outcomes for cohorts that exist in the workspace only", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const { cohort_id } = cohort("coh-elsewhere", 1)
        yield* cohorts.insert(scope, campaign("elsewhere"), cohort("coh-elsewhere", 1))
        assert.isTrue(yield* cohorts.addUsers(scope, cohort_id, users(1)))
        assert.isFalse(yield* cohorts.addUsers(scopeOf("other"), cohort_id, users(2)))
        assert.isFalse(yield* cohorts.addUsers(scope, CohortId.make("coh-none"), users(2)))
        const outcome = { ...completed(1), updated_at: at(2) }
        assert.isTrue(Option.isNone(yield* cohorts.finish(scopeOf("other"), cohort_id, outcome)))
        assert.isTrue(Option.isNone(yield* cohorts.finish(scope, CohortId.make("coh-none"), outcome)))
      }))

    it.effect("lists the owner's cohorts: sorted, searched by name and id, a page at a time", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("list")
        yield* cohorts.insert(scope, campaign("not listed"), cohort("coh-list-x", 1))
        yield* Effect.forEach(
          [cohort("coh-list-a", 1, "June"), cohort("coh-list-b", 3, "May"), cohort("coh-list-c", 2, "July")],
          (one) => cohorts.insert(scope, owner, one)
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

    it.effect("progress counts cohorts by status, and the people of the completed ones", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("progress")
        yield* store(owner, { id: "coh-progress-1", people: users(1, 2, 3), outcome: completed(3, 4) })
        yield* store(owner, { id: "coh-progress-2", people: users(1) })
        yield* store(owner, { id: "coh-progress-3", people: [], outcome: { status: "failed", failure_reason: "-" } })
        yield* cohorts.insert(scope, owner, cohort("coh-progress-4", 1))
        yield* cohorts.addUsers(scope, CohortId.make("coh-progress-4"), users(1))
        assert.deepStrictEqual(yield* cohorts.progress(scope, owner), {
          cohorts: 4,
          processing: 1,
          completed: 2,
          users: 4
        })
      }))

    it.effect("removing an owner takes its cohorts and people, whatever their status, and nobody else's", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("removed")
        const namesake: CohortOwner = { kind: "deployment", id: "removed" }
        yield* store(owner, { id: "coh-removed-1", people: users(1) })
        yield* cohorts.insert(scope, owner, cohort("coh-removed-2", 1))
        yield* store(namesake, { id: "coh-removed-3", people: users(1) })
        const removed = yield* cohorts.removeOwner(scope, owner)
        assert.deepStrictEqual([...removed].sort(), ["coh-removed-1", "coh-removed-2"])
        assert.deepStrictEqual((yield* cohorts.list(scope, owner, newest)).total, 0)
        assert.deepStrictEqual((yield* walk(owner, 10)).walked, [])
        assert.isFalse(yield* cohorts.addUsers(scope, CohortId.make("coh-removed-2"), users(1)))
        assert.deepStrictEqual(yield* cohorts.removeOwner(scope, owner), [])
        assert.deepStrictEqual((yield* walk(namesake, 10)).walked, ["coh-removed-3/1"])
      }))

    it.effect("a transaction that fails leaves neither cohort, people nor outcome behind", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const { run } = yield* Transactions
        const owner = campaign("undone")
        const { cohort_id } = cohort("coh-undone", 1)
        const undone = <A>(change: Effect.Effect<A>) => Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        yield* undone(
          store(owner, { id: "coh-undone-new", people: users(1) }).pipe(Effect.provideService(CohortStore, cohorts))
        )
        assert.isTrue(Option.isNone(yield* cohorts.find(scope, owner, CohortId.make("coh-undone-new"))))
        yield* cohorts.insert(scope, owner, cohort("coh-undone", 1))
        yield* cohorts.addUsers(scope, cohort_id, users(1))
        yield* undone(cohorts.addUsers(scope, cohort_id, users(2)))
        yield* undone(cohorts.finish(scope, cohort_id, { ...completed(2), updated_at: at(2) }))
        yield* undone(cohorts.removeOwner(scope, owner))
        yield* cohorts.finish(scope, cohort_id, { ...completed(1), updated_at: at(2) })
        assert.deepStrictEqual((yield* walk(owner, 10)).walked, ["coh-undone/1"])
      }))
  })
}
