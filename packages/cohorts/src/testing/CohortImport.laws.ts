import { assert, layer } from "@effect/vitest"
import { CohortId, Transactions } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import { Cohort, noProgress } from "../Cohort.js"
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
  progressOf,
  scope,
  scopeOf,
  store,
  user,
  users,
  walk
} from "./CohortFixtures.js"

/** The laws of `CohortStore` about processing: the stored rows, the progress, and the outcome. */
export const cohortImportLaws = <E>(name: string, live: Layer.Layer<CohortStore | Transactions, E>) =>
  layer(live)(`CohortStore laws about imports: ${name}`, (it) => {
    it.effect("lists processing cohorts of all owners in full, oldest first", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("pending")
        const ours = pending(owner, cohort("coh-pending-ours", 3), "https://files.example/june.csv?signature=1")
        const stops = pending(owner, cohort("coh-pending-stops", 1, { cohort_category: "stop_file" }))
        const theirs = {
          ...pending({ kind: "deployment", id: "pending" }, cohort("coh-pending-theirs", 2)),
          scope: scopeOf("other")
        }
        yield* Effect.forEach([ours, stops, theirs], (one) => cohorts.insert(one))
        yield* store(owner, { id: "coh-pending-done", users: [] })
        yield* store(owner, { id: "coh-pending-failed", users: [], outcome: failed })
        const imports = (yield* cohorts.pending).filter((one) => one.cohort.cohort_id.startsWith("coh-pending"))
        assert.deepStrictEqual(imports, [stops, theirs, ours])
        const find = (id: string, of = scope) => cohorts.findPending(of, CohortId.make(id))
        assert.deepStrictEqual(yield* find("coh-pending-ours"), Option.some(ours))
        assert.isTrue(Option.isNone(yield* find("coh-pending-ours", scopeOf("other"))))
        assert.isTrue(Option.isNone(yield* find("coh-pending-done")))
        assert.isTrue(Option.isNone(yield* find("coh-none")))
      }))

    it.effect("forgets the URL of a file that has been fetched, and keeps its separator", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const pendingCohort = pending(campaign("fetched"), cohort("coh-fetched", 1), "https://files.example/june.csv")
        const id = pendingCohort.cohort.cohort_id
        yield* cohorts.insert(pendingCohort)
        assert.isFalse(yield* cohorts.recordFile(scopeOf("other"), id, "tab"))
        assert.deepStrictEqual(yield* cohorts.findPending(scope, id), Option.some(pendingCohort))
        assert.isTrue(yield* cohorts.recordFile(scope, id, "tab"))
        assert.deepStrictEqual(
          yield* cohorts.findPending(scope, id),
          Option.some({
            ...pendingCohort,
            source_url: null,
            cohort: new Cohort({ ...pendingCohort.cohort, separator: "tab" })
          })
        )
      }))

    it.effect("shows the progress of a processing cohort, but not its users, and does not count progress as an update", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("seen")
        const newCohort = cohort("coh-seen", 1)
        const id = newCohort.cohort_id
        const look = Effect.all([
          Effect.map(walk(owner), ({ walked }) => walked.length),
          findCaller(owner, 1),
          Effect.map(cohorts.tally(scope, owner), ({ users }) => users)
        ])
        yield* cohorts.insert(pending(owner, newCohort))
        yield* cohorts.keep(scope, id, { users: users(1), progress: progressOf(1) })
        yield* cohorts.keep(scope, id, { users: [], progress: progressOf(2) })
        const halfway = new Cohort({ ...newCohort, progress: progressOf(2) })
        assert.deepStrictEqual(yield* cohorts.find(scope, owner, id), Option.some(halfway))
        assert.deepStrictEqual(
          (yield* cohorts.list(scope, owner, {
            offset: 0,
            limit: 1,
            sort_by: "name",
            sort_order: "asc",
            search: ""
          })).items,
          [halfway]
        )
        yield* cohorts.keep(scope, id, { users: users(5), progress: progressOf(5) })
        yield* cohorts.index(scope, id, users(1, 5))
        assert.deepStrictEqual(yield* look, [0, undefined, 0])
        yield* cohorts.finish(scope, id, { ...completed(2), updated_at: at(2) })
        assert.deepStrictEqual(yield* look, [2, "coh-seen/1", 2])
        const [first] = yield* cohorts.usersAfter(scope, owner, { category: "cohort", after: null, limit: 1 })
        assert.deepStrictEqual(first?.user, user(1))
      }))

    it.effect("stores completion and failure, which are final", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("final")
        const [good, bad] = [cohort("coh-final-good", 1), cohort("coh-final-bad", 2)]
        yield* Effect.forEach([good, bad], (one) => cohorts.insert(pending(owner, one, "https://files.example/")))
        const ends = [[good, completed(0, 2)], [bad, failed]] as const
        for (const [{ cohort_id }, outcome] of ends) {
          yield* cohorts.keep(scope, cohort_id, { users: [], progress: progressOf(2) })
          const before = Option.getOrThrow(yield* cohorts.find(scope, owner, cohort_id))
          const after = Option.some(new Cohort({ ...before, ...outcome, progress: null, updated_at: at(8) }))
          assert.deepStrictEqual(yield* cohorts.finish(scope, cohort_id, { ...outcome, updated_at: at(8) }), after)
          assert.deepStrictEqual(yield* cohorts.find(scope, owner, cohort_id), after)
          for (const [, again] of ends) {
            assert.isTrue(Option.isNone(yield* cohorts.finish(scope, cohort_id, { ...again, updated_at: at(10) })))
          }
          assert.isFalse(yield* cohorts.keep(scope, cohort_id, { users: users(1), progress: progressOf(1) }))
          assert.isFalse(yield* cohorts.index(scope, cohort_id, users(1)))
          assert.isFalse(yield* cohorts.recordFile(scope, cohort_id, "tab"))
          assert.isFalse(yield* cohorts.restart(scope, cohort_id))
          assert.deepStrictEqual(yield* cohorts.find(scope, owner, cohort_id), after)
        }
        assert.deepStrictEqual((yield* walk(owner)).walked, [])
      }))

    it.effect("accepts users and outcomes only for cohorts of the workspace", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("elsewhere")
        const ours = cohort("coh-elsewhere", 1)
        yield* cohorts.insert(pending(owner, ours))
        assert.isTrue(yield* fill(ours.cohort_id, users(1)))
        const before = yield* cohorts.find(scope, owner, ours.cohort_id)
        for (const [of, id] of [[scopeOf("other"), ours.cohort_id], [scope, CohortId.make("coh-none")]] as const) {
          assert.isFalse(yield* cohorts.keep(of, id, { users: users(2), progress: progressOf(2) }))
          assert.isFalse(yield* cohorts.index(of, id, users(2)))
          assert.isFalse(yield* cohorts.restart(of, id))
          assert.isTrue(Option.isNone(yield* cohorts.finish(of, id, { ...completed(1), updated_at: at(2) })))
        }
        assert.deepStrictEqual(yield* cohorts.find(scope, owner, ours.cohort_id), before)
        yield* cohorts.finish(scope, ours.cohort_id, { ...completed(1), updated_at: at(2) })
        assert.deepStrictEqual((yield* walk(owner)).walked, ["coh-elsewhere/1"])
      }))

    it.effect("restarts a cohort without its former users, and accepts the same rows again", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const owner = campaign("restarted")
        const pendingCohort = pending(owner, cohort("coh-restarted", 1))
        const id = pendingCohort.cohort.cohort_id
        yield* cohorts.insert(pendingCohort)
        yield* fill(id, users(1, 2, 3))
        assert.isTrue(yield* cohorts.restart(scope, id))
        assert.deepStrictEqual(yield* cohorts.findPending(scope, id), Option.some(pendingCohort))
        assert.deepStrictEqual(pendingCohort.cohort.progress, noProgress)
        yield* fill(id, users(2, 4))
        assert.isTrue(yield* cohorts.restart(scope, id))
        yield* fill(id, users(1, 2))
        yield* cohorts.finish(scope, id, { ...completed(2), updated_at: at(2) })
        assert.deepStrictEqual((yield* walk(owner)).walked, ["coh-restarted/1", "coh-restarted/2"])
        assert.deepStrictEqual(
          yield* Effect.forEach([2, 3, 4], (row) => findCaller(owner, row)),
          ["coh-restarted/2", undefined, undefined]
        )
      }))

    it.effect("rolls back every change of a transaction that fails", () =>
      Effect.gen(function*() {
        const cohorts = yield* CohortStore
        const { run } = yield* Transactions
        const owner = campaign("undone")
        const pendingCohort = pending(owner, cohort("coh-undone", 1), "https://files.example/")
        const id = pendingCohort.cohort.cohort_id
        const undo = <A, R>(change: Effect.Effect<A, never, R>) =>
          Effect.flip(run(Effect.zipRight(change, Effect.fail("undone"))))
        yield* undo(store(owner, { id: "coh-undone-new", users: users(1) }))
        assert.isTrue(Option.isNone(yield* cohorts.find(scope, owner, CohortId.make("coh-undone-new"))))
        yield* cohorts.expect(id)
        yield* undo(cohorts.unexpect(id))
        yield* undo(cohorts.insert(pendingCohort))
        assert.include(yield* cohorts.expectedIds, id)
        yield* cohorts.insert(pendingCohort)
        yield* undo(cohorts.expect(id))
        assert.notInclude(yield* cohorts.expectedIds, id)
        yield* undo(cohorts.recordFile(scope, id, "tab"))
        yield* undo(fill(id, users(1, 2)))
        assert.deepStrictEqual(yield* cohorts.findPending(scope, id), Option.some(pendingCohort))
        yield* fill(id, users(1))
        yield* undo(cohorts.keep(scope, id, { users: users(2), progress: progressOf(2) }))
        yield* undo(cohorts.index(scope, id, [{ ...user(1), user_phone_number: user(3).user_phone_number }]))
        yield* undo(cohorts.restart(scope, id))
        yield* undo(cohorts.finish(scope, id, { ...completed(2), updated_at: at(2) }))
        yield* undo(cohorts.finish(scope, id, { ...failed, updated_at: at(2) }))
        yield* undo(cohorts.removeOwner(scope, owner))
        while (yield* cohorts.sweep);
        yield* cohorts.finish(scope, id, { ...completed(1), updated_at: at(2) })
        assert.deepStrictEqual((yield* walk(owner)).walked, ["coh-undone/1"])
        assert.deepStrictEqual(
          yield* Effect.forEach([1, 2, 3], (row) => findCaller(owner, row)),
          ["coh-undone/1", undefined, undefined]
        )
      }))
  })
