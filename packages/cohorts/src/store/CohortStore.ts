import {
  applyPage,
  type CohortId,
  MemoryTable,
  type PageRequest,
  type PhoneNumber,
  type Scope,
  scopeKey
} from "@trunkline/kernel"
import { Array, Context, type DateTime, Effect, Iterable, Layer, Option, Order } from "effect"
import {
  Cohort,
  type CohortCategory,
  type CohortOwner,
  type CohortUser,
  type ImportProgress,
  noProgress
} from "../Cohort.js"
import { cohortColumns } from "./CohortColumns.js"
import type { CallerEntry, UserCursor, WalkedUser } from "./CohortPeople.js"
import { MemoryPeople } from "./MemoryPeople.js"
import type { CohortOutcome, PendingCohort } from "./PendingCohort.js"

/** How far the cohorts of an owner are; stop files do not count. */
export interface CohortTally {
  readonly cohorts: number
  readonly processing: number
  readonly completed: number
  /** The people of all completed cohorts. */
  readonly users: number
}

/**
 * Keeps cohorts and their people. Every write joins the running transaction, and says false, having changed nothing,
 * when the workspace has no such cohort in `processing`.
 *
 * A cohort is made in steps: `insert`, `fetched` when its file came from elsewhere, `keep` for its rows, `index` for
 * their numbers, `finish`. None of its people is seen before it is completed.
 */
export class CohortStore extends Context.Tag("@trunkline/cohorts/CohortStore")<CohortStore, {
  /** Remembers that files may be there of a cohort that is not accepted yet. */
  readonly expect: (id: CohortId) => Effect.Effect<void>
  /** Forgets that a cohort was expected; its files are gone. */
  readonly unexpect: (id: CohortId) => Effect.Effect<void>
  /** The cohorts that were expected and never came: their uploads were refused or cut off. */
  readonly expected: Effect.Effect<ReadonlyArray<CohortId>>
  /** Adds a cohort; it is not merely expected any more. */
  readonly insert: (accepted: PendingCohort) => Effect.Effect<void>
  /** The file that the cohort needs is kept now, so its `source_url` is forgotten. */
  readonly fetched: (scope: Scope, id: CohortId) => Effect.Effect<boolean>
  /** Adds people in the order of their rows, and tells how far the file has been read. */
  readonly keep: (
    scope: Scope,
    id: CohortId,
    batch: { readonly users: ReadonlyArray<CohortUser>; readonly progress: ImportProgress }
  ) => Effect.Effect<boolean>
  /**
   * Makes kept people findable by their numbers. Once all are kept, and in ascending order of the digits, since that is
   * many times faster; an entry that is there already is left.
   */
  readonly index: (scope: Scope, id: CohortId, callers: ReadonlyArray<CallerEntry>) => Effect.Effect<boolean>
  /** Drops what was kept and indexed of a cohort, which begins anew. */
  readonly restart: (scope: Scope, id: CohortId) => Effect.Effect<boolean>
  /**
   * Ends the processing of a cohort and returns it. Completion gives it the next `completed_seq` of the whole store.
   * None, and nothing changed, when the workspace has no such cohort in `processing`.
   */
  readonly finish: (
    scope: Scope,
    id: CohortId,
    outcome: CohortOutcome & { readonly updated_at: DateTime.Utc }
  ) => Effect.Effect<Option.Option<Cohort>>
  /** A cohort in `processing`. */
  readonly findPending: (scope: Scope, id: CohortId) => Effect.Effect<Option.Option<PendingCohort>>
  /** Every cohort in `processing`, of every workspace, the oldest first: what a restart has to go on with. */
  readonly pending: Effect.Effect<ReadonlyArray<PendingCohort>>
  readonly find: (scope: Scope, owner: CohortOwner, id: CohortId) => Effect.Effect<Option.Option<Cohort>>
  /** A page of the owner's cohorts, searched and sorted by `cohortColumns`. */
  readonly list: (
    scope: Scope,
    owner: CohortOwner,
    page: PageRequest
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Cohort>; readonly total: number }>
  /**
   * The next people of completed cohorts of a category after a cursor, from the start without one; fewer than `limit`
   * at the end.
   */
  readonly usersAfter: (
    scope: Scope,
    owner: CohortOwner,
    walk: { readonly category: CohortCategory; readonly after: UserCursor | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<WalkedUser>>
  readonly tally: (scope: Scope, owner: CohortOwner) => Effect.Effect<CohortTally>
  /** The person with this number in the newest completed cohort that has one; of equally new, the last completed. */
  readonly findCaller: (
    scope: Scope,
    owner: CohortOwner,
    phone: PhoneNumber
  ) => Effect.Effect<Option.Option<{ readonly cohort_id: CohortId; readonly user: CohortUser }>>
  /** Whether a completed stop file of the owner has this number. */
  readonly isStopped: (scope: Scope, owner: CohortOwner, phone: PhoneNumber) => Effect.Effect<boolean>
  /** Removes the owner's cohorts, whose people nobody sees any more; returns the ids, so that files can follow. */
  readonly removeOwner: (scope: Scope, owner: CohortOwner) => Effect.Effect<ReadonlyArray<CohortId>>
  /** Drops a few of the people that removed and failed cohorts left behind; false when there are none. */
  readonly sweep: Effect.Effect<boolean>
}>() {
  /** Keeps cohorts in memory. */
  static readonly layerMemory: Layer.Layer<CohortStore> = Layer.sync(CohortStore, () => {
    const expected = MemoryTable.make<CohortId, CohortId>()
    const cohorts = MemoryTable.make<CohortId, Row>()
    const leftovers = MemoryTable.make<MemoryPeople, MemoryPeople>()

    const owned = (scope: Scope, owner: CohortOwner) => {
      const key = ownerKey(scope, owner)
      return Array.fromIterable(Iterable.filter(cohorts.values(), (row) => row.key === key))
    }
    const completed = (scope: Scope, owner: CohortOwner, category: CohortCategory) =>
      owned(scope, owner).filter((row) => row.completed_seq > 0 && row.cohort.cohort_category === category)
    const processing = (scope: Scope, id: CohortId) =>
      Option.filter(
        Option.fromNullable(cohorts.get(id)),
        (row) => scopeKey(row.scope) === scopeKey(scope) && row.cohort.status === "processing"
      )
    const whileProcessing = (scope: Scope, id: CohortId, change: (row: Row) => Effect.Effect<void>) =>
      Effect.suspend(() => Effect.map(Effect.transposeMapOption(processing(scope, id), change), Option.isSome))
    const leave = ({ people }: Row) => leftovers.set(people, people)
    const nextSeq = () => 1 + Iterable.reduce(cohorts.values(), 0, (last, row) => Math.max(last, row.completed_seq))

    function* walk(from: ReadonlyArray<Row>, after: UserCursor) {
      for (const { cohort: { cohort_id }, completed_seq, people } of from) {
        for (const user of people.after(completed_seq === after.completed_seq ? after.row : 0)) {
          yield { cursor: { completed_seq, row: user.row }, cohort_id, user }
        }
      }
    }

    return CohortStore.of({
      expect: (id) => expected.set(id, id),
      unexpect: (id) => Effect.asVoid(expected.delete(id)),
      expected: Effect.sync(() => Array.fromIterable(expected.values())),
      insert: (accepted) => {
        const { cohort: { cohort_id }, owner, scope } = accepted
        const row = { ...accepted, key: ownerKey(scope, owner), completed_seq: 0, people: MemoryPeople.make() }
        return Effect.zipRight(expected.delete(cohort_id), cohorts.set(cohort_id, row))
      },
      fetched: (scope, id) => whileProcessing(scope, id, (row) => cohorts.set(id, { ...row, source_url: null })),
      keep: (scope, id, { progress, users }) =>
        whileProcessing(scope, id, (row) =>
          Effect.zipRight(
            row.people.keep(users),
            cohorts.set(id, { ...row, cohort: new Cohort({ ...row.cohort, progress }) })
          )),
      index: (scope, id, callers) => whileProcessing(scope, id, (row) => row.people.index(callers)),
      restart: (scope, id) =>
        whileProcessing(scope, id, (row) => {
          const cohort = new Cohort({ ...row.cohort, progress: noProgress })
          return Effect.zipRight(leave(row), cohorts.set(id, { ...row, cohort, people: MemoryPeople.make() }))
        }),
      finish: (scope, id, outcome) =>
        Effect.suspend(() =>
          Effect.transposeMapOption(processing(scope, id), (row) => {
            const cohort = new Cohort({ ...row.cohort, ...outcome, progress: null })
            return outcome.status === "completed"
              ? Effect.as(cohorts.set(id, { ...row, cohort, source_url: null, completed_seq: nextSeq() }), cohort)
              : Effect.as(Effect.zipRight(leave(row), cohorts.set(id, { ...row, cohort, source_url: null })), cohort)
          })
        ),
      findPending: (scope, id) => Effect.sync(() => Option.map(processing(scope, id), pendingOf)),
      pending: Effect.sync(() =>
        Array.fromIterable(cohorts.values()).filter((row) => row.cohort.status === "processing")
          .map(pendingOf).sort(oldestFirst)
      ),
      find: (scope, owner, id) =>
        Effect.sync(() =>
          Option.fromNullable(cohorts.get(id)).pipe(
            Option.filter((row) => row.key === ownerKey(scope, owner)),
            Option.map((row) => row.cohort)
          )
        ),
      list: (scope, owner, page) =>
        Effect.sync(() => applyPage(owned(scope, owner).map((row) => row.cohort), page, cohortColumns)),
      usersAfter: (scope, owner, { after, category, limit }) =>
        Effect.sync(() => {
          const from = after ?? { completed_seq: 0, row: 0 }
          const ahead = completed(scope, owner, category).filter((row) => row.completed_seq >= from.completed_seq)
          return Array.fromIterable(Iterable.take(walk(ahead.sort(bySeq), from), limit))
        }),
      tally: (scope, owner) =>
        Effect.sync(() => {
          const rows = owned(scope, owner).filter((row) => row.cohort.cohort_category === "cohort")
          return {
            cohorts: rows.length,
            processing: rows.filter((row) => row.cohort.status === "processing").length,
            completed: rows.filter((row) => row.cohort.status === "completed").length,
            users: rows.reduce((sum, { cohort }) => sum + (cohort.result?.valid_records ?? 0), 0)
          }
        }),
      findCaller: (scope, owner, phone) =>
        Effect.sync(() => {
          const known = completed(scope, owner, "cohort").filter(({ people }) => people.has(phone))
          if (!Array.isNonEmptyArray(known)) return Option.none()
          const { cohort: { cohort_id }, people } = Array.max(known, byAge)
          return Option.map(people.find(phone), (user) => ({ cohort_id, user }))
        }),
      isStopped: (scope, owner, phone) =>
        Effect.sync(() => completed(scope, owner, "stop_file").some(({ people }) => people.has(phone))),
      removeOwner: (scope, owner) =>
        Effect.suspend(() =>
          Effect.forEach(
            owned(scope, owner),
            (row) => Effect.as(Effect.zipRight(leave(row), cohorts.delete(row.cohort.cohort_id)), row.cohort.cohort_id)
          )
        ),
      sweep: Effect.suspend(() =>
        Option.match(Iterable.head(leftovers.values()), {
          onNone: () => Effect.succeed(false),
          onSome: (people) => leftovers.delete(people)
        })
      )
    })
  })
}

interface Row extends PendingCohort {
  /** Whose it is. */
  readonly key: string
  /** 0 until it is completed. */
  readonly completed_seq: number
  readonly people: MemoryPeople
}

const ownerKey = (scope: Scope, { id, kind }: CohortOwner): string => `${scopeKey(scope)}/${kind}/${id}`

const pendingOf = ({ cohort, owner, scope, source_url }: Row): PendingCohort => ({ scope, owner, cohort, source_url })

const byCreation = Order.mapInput(Order.number, ({ cohort }: PendingCohort) => cohort.created_at.epochMillis)
const bySeq = Order.mapInput(Order.number, (row: Row) => row.completed_seq)
const oldestFirst = Order.combine(
  byCreation,
  Order.mapInput(Order.string, ({ cohort }: PendingCohort) => cohort.cohort_id)
)
const byAge = Order.combine<Row>(byCreation, bySeq)
