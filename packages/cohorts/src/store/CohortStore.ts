import {
  applyPage,
  type CohortId,
  MemoryTable,
  type PageRequest,
  type PhoneNumber,
  type Scope,
  scopeKey
} from "@trunkline/kernel"
import { Array, Context, type DateTime, Effect, Iterable, Layer, Option } from "effect"
import {
  Cohort,
  type CohortCategory,
  type CohortOwner,
  type CohortUser,
  type ImportProgress,
  noProgress
} from "../Cohort.js"
import type { CsvSeparator } from "../csv/CsvFormat.js"
import {
  type CallerEntry,
  cohortColumns,
  type CohortOutcome,
  type CohortTally,
  type PendingCohort,
  type UserCursor,
  type WalkedUser
} from "./CohortRecords.js"
import { byAge, bySeq, isIn, type MemoryCohort, oldestFirst, ownerKey, pendingOf } from "./MemoryCohort.js"
import { MemoryUsers } from "./MemoryUsers.js"

/**
 * Port of the store for cohorts and their users. Every write joins the running transaction. A write to a cohort that is
 * not in `processing` in the workspace returns false, and changes nothing. `cohortStoreLaws` tests implementations.
 *
 * A cohort is made in steps: `insert`, `recordFile` if its file was downloaded, `keep` for its rows, `index` for their phone
 * numbers, `finish`. Its users are not visible before it is completed.
 */
export class CohortStore extends Context.Tag("@trunkline/cohorts/CohortStore")<CohortStore, {
  /** Records that files of a cohort may exist before it is accepted. */
  readonly expect: (id: CohortId) => Effect.Effect<void>
  /** Removes an expected cohort, whose files have been deleted. */
  readonly unexpect: (id: CohortId) => Effect.Effect<void>
  /**
   * Cohorts that are expected, but were not inserted: their uploads are running, or were rejected or interrupted. Those of
   * other processes are left out while these live.
   */
  readonly expectedIds: Effect.Effect<ReadonlyArray<CohortId>>
  /** Adds an accepted cohort, which is no longer expected. */
  readonly insert: (acceptedCohort: PendingCohort) => Effect.Effect<void>
  /** Does what `insert` does for a cohort that no process imports yet, for one that adopts it. */
  readonly insertForOthers: (acceptedCohort: PendingCohort) => Effect.Effect<void>
  /** Records that the file of a cohort has been stored, with its separator, and removes its `source_url`. */
  readonly recordFile: (scope: Scope, id: CohortId, separator: CsvSeparator) => Effect.Effect<boolean>
  /** Adds users in the order of their rows, and sets the progress. */
  readonly keep: (
    scope: Scope,
    id: CohortId,
    batch: { readonly users: ReadonlyArray<CohortUser>; readonly progress: ImportProgress }
  ) => Effect.Effect<boolean>
  /**
   * Indexes users by phone number, after all of them have been added. Entries in ascending order of the digits are many
   * times faster. Existing entries stay.
   */
  readonly index: (scope: Scope, id: CohortId, callers: ReadonlyArray<CallerEntry>) => Effect.Effect<boolean>
  /** Removes the users and index entries of a cohort, so that its import can start over. */
  readonly restart: (scope: Scope, id: CohortId) => Effect.Effect<boolean>
  /**
   * Ends the processing of a cohort and returns it. A completed cohort gets the next `completed_seq` of the whole store.
   * Returns none, and changes nothing, if the workspace has no such cohort in `processing`.
   */
  readonly finish: (
    scope: Scope,
    id: CohortId,
    outcome: CohortOutcome & { readonly updated_at: DateTime.Utc }
  ) => Effect.Effect<Option.Option<Cohort>>
  /** A cohort in `processing`. */
  readonly findPending: (scope: Scope, id: CohortId) => Effect.Effect<Option.Option<PendingCohort>>
  /** Every cohort in `processing`, of all workspaces, oldest first. */
  readonly pending: Effect.Effect<ReadonlyArray<PendingCohort>>
  /**
   * Takes over the cohorts in `processing` that no process imports any more, oldest first: those of processes that have
   * died or left. For a process that is the only one these are all of them, so it resumes them when it starts.
   */
  readonly adopt: Effect.Effect<ReadonlyArray<PendingCohort>>
  /** A cohort of an owner. */
  readonly find: (scope: Scope, owner: CohortOwner, id: CohortId) => Effect.Effect<Option.Option<Cohort>>
  /** A page of the owner's cohorts, searched and sorted by `cohortColumns`. */
  readonly list: (
    scope: Scope,
    owner: CohortOwner,
    page: PageRequest
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Cohort>; readonly total: number }>
  /**
   * The next users of completed cohorts of a category after a cursor, or from the start if it is null. Fewer than `limit`
   * means that there are no more for now.
   */
  readonly usersAfter: (
    scope: Scope,
    owner: CohortOwner,
    walk: { readonly category: CohortCategory; readonly after: UserCursor | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<WalkedUser>>
  /** Counts the cohorts and users of an owner. */
  readonly tally: (scope: Scope, owner: CohortOwner) => Effect.Effect<CohortTally>
  /** The user with a number in the newest completed cohort that contains it; among equally new ones, the last completed. */
  readonly findCaller: (
    scope: Scope,
    owner: CohortOwner,
    phone: PhoneNumber
  ) => Effect.Effect<Option.Option<{ readonly cohort_id: CohortId; readonly user: CohortUser }>>
  /** The subset of these numbers that completed stop files of the owner contain. */
  readonly filterStopped: (
    scope: Scope,
    owner: CohortOwner,
    phones: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlySet<PhoneNumber>>
  /** Removes the cohorts of an owner, and hides their users. Returns the ids, so that files can be removed too. */
  readonly removeOwner: (scope: Scope, owner: CohortOwner) => Effect.Effect<ReadonlyArray<CohortId>>
  /** Deletes some users of removed, failed or restarted cohorts; false when none are left. */
  readonly sweep: Effect.Effect<boolean>
}>() {
  /** Stores cohorts in memory. */
  static readonly layerMemory: Layer.Layer<CohortStore> = Layer.sync(CohortStore, () => {
    const expectedTable = MemoryTable.make<CohortId, CohortId>()
    const cohorts = MemoryTable.make<CohortId, MemoryCohort>()
    const leftovers = MemoryTable.make<MemoryUsers, MemoryUsers>()

    const pending = Effect.sync(() =>
      Array.fromIterable(cohorts.values()).filter((row) => row.cohort.status === "processing")
        .map(pendingOf).sort(oldestFirst)
    )
    const rowsOf = (scope: Scope, owner: CohortOwner) => {
      const key = ownerKey(scope, owner)
      return Array.fromIterable(Iterable.filter(cohorts.values(), (row) => row.key === key))
    }
    const completeRowsOf = (scope: Scope, owner: CohortOwner, category: CohortCategory) =>
      rowsOf(scope, owner).filter((row) => row.completed_seq > 0 && row.cohort.cohort_category === category)
    const processing = (scope: Scope, id: CohortId) =>
      Option.filter(
        Option.fromNullable(cohorts.get(id)),
        (row) => scopeKey(row.scope) === scopeKey(scope) && row.cohort.status === "processing"
      )
    const whileProcessing = (scope: Scope, id: CohortId, change: (row: MemoryCohort) => Effect.Effect<void>) =>
      Effect.suspend(() => Effect.map(Effect.transposeMapOption(processing(scope, id), change), Option.isSome))
    const markLeftover = ({ users }: MemoryCohort) => leftovers.set(users, users)
    const nextSeq = () => 1 + Iterable.reduce(cohorts.values(), 0, (last, row) => Math.max(last, row.completed_seq))

    function* walk(from: ReadonlyArray<MemoryCohort>, after: UserCursor) {
      for (const { cohort: { cohort_id }, completed_seq, users } of from) {
        for (const user of users.after(completed_seq === after.completed_seq ? after.row : 0)) {
          yield { cursor: { completed_seq, row: user.row }, cohort_id, user }
        }
      }
    }

    const insert = (acceptedCohort: PendingCohort) => {
      const { cohort: { cohort_id }, owner, scope } = acceptedCohort
      const row = { ...acceptedCohort, key: ownerKey(scope, owner), completed_seq: 0, users: MemoryUsers.make() }
      return Effect.zipRight(expectedTable.delete(cohort_id), cohorts.set(cohort_id, row))
    }

    return CohortStore.of({
      expect: (id) => expectedTable.set(id, id),
      unexpect: (id) => Effect.asVoid(expectedTable.delete(id)),
      expectedIds: Effect.sync(() => Array.fromIterable(expectedTable.values())),
      insert,
      insertForOthers: insert,
      recordFile: (scope, id, separator) =>
        whileProcessing(
          scope,
          id,
          (row) => cohorts.set(id, { ...row, source_url: null, cohort: new Cohort({ ...row.cohort, separator }) })
        ),
      keep: (scope, id, { progress, users }) =>
        whileProcessing(scope, id, (row) =>
          Effect.zipRight(
            row.users.keep(users),
            cohorts.set(id, { ...row, cohort: new Cohort({ ...row.cohort, progress }) })
          )),
      index: (scope, id, callers) => whileProcessing(scope, id, (row) => row.users.index(callers)),
      restart: (scope, id) =>
        whileProcessing(scope, id, (row) => {
          const cohort = new Cohort({ ...row.cohort, progress: noProgress })
          return Effect.zipRight(markLeftover(row), cohorts.set(id, { ...row, cohort, users: MemoryUsers.make() }))
        }),
      finish: (scope, id, outcome) =>
        Effect.suspend(() =>
          Effect.transposeMapOption(processing(scope, id), (row) => {
            const cohort = new Cohort({ ...row.cohort, ...outcome, progress: null })
            return outcome.status === "completed"
              ? Effect.as(cohorts.set(id, { ...row, cohort, source_url: null, completed_seq: nextSeq() }), cohort)
              : Effect.as(
                Effect.zipRight(markLeftover(row), cohorts.set(id, { ...row, cohort, source_url: null })),
                cohort
              )
          })
        ),
      findPending: (scope, id) => Effect.sync(() => Option.map(processing(scope, id), pendingOf)),
      pending,
      adopt: pending,
      find: (scope, owner, id) =>
        Effect.sync(() =>
          Option.fromNullable(cohorts.get(id)).pipe(
            Option.filter((row) => row.key === ownerKey(scope, owner)),
            Option.map((row) => row.cohort)
          )
        ),
      list: (scope, owner, page) =>
        Effect.sync(() => applyPage(rowsOf(scope, owner).map((row) => row.cohort), page, cohortColumns)),
      usersAfter: (scope, owner, { after, category, limit }) =>
        Effect.sync(() => {
          const from = after ?? { completed_seq: 0, row: 0 }
          const ahead = completeRowsOf(scope, owner, category).filter((row) => row.completed_seq >= from.completed_seq)
          return Array.fromIterable(Iterable.take(walk(ahead.sort(bySeq), from), limit))
        }),
      tally: (scope, owner) =>
        Effect.sync(() => {
          const rows = rowsOf(scope, owner).filter((row) => row.cohort.cohort_category === "cohort")
          return {
            cohorts: rows.length,
            processing: rows.filter((row) => row.cohort.status === "processing").length,
            completed: rows.filter((row) => row.cohort.status === "completed").length,
            users: rows.reduce((sum, { cohort }) => sum + (cohort.result?.valid_records ?? 0), 0)
          }
        }),
      findCaller: (scope, owner, phone) =>
        Effect.sync(() => {
          const cohorts = completeRowsOf(scope, owner, "cohort").filter(({ users }) => users.has(phone))
          if (!Array.isNonEmptyArray(cohorts)) return Option.none()
          const { cohort: { cohort_id }, users } = Array.max(cohorts, byAge)
          return Option.map(users.find(phone), (user) => ({ cohort_id, user }))
        }),
      filterStopped: (scope, owner, phones) =>
        Effect.sync(() => new Set(phones.filter((phone) => isIn(completeRowsOf(scope, owner, "stop_file"), phone)))),
      removeOwner: (scope, owner) =>
        Effect.suspend(() =>
          Effect.forEach(rowsOf(scope, owner), (row) => {
            const { cohort_id } = row.cohort
            return Effect.as(Effect.zipRight(markLeftover(row), cohorts.delete(cohort_id)), cohort_id)
          })
        ),
      sweep: Effect.suspend(() =>
        Option.match(Iterable.head(leftovers.values()), {
          onNone: () => Effect.succeed(false),
          onSome: (users) => leftovers.delete(users)
        })
      )
    })
  })
}
