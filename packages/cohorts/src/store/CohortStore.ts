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
import { Cohort, type CohortOwner, type CohortResult, type CohortUser } from "../Cohort.js"

/** How the processing of a cohort ended. */
export type CohortOutcome =
  | { readonly status: "completed"; readonly result: CohortResult }
  | { readonly status: "failed"; readonly failure_reason: string }

/** A place in the order in which people became callable: cohorts by completion, then rows. */
export interface UserCursor {
  readonly completed_seq: number
  readonly row: number
}

/** A person on the walk over an owner's people. */
export interface WalkedUser {
  readonly cursor: UserCursor
  readonly cohort_id: CohortId
  readonly user: CohortUser
}

/** How far the cohorts of an owner are. */
export interface CohortProgress {
  readonly cohorts: number
  readonly processing: number
  readonly completed: number
  /** The people of all completed cohorts. */
  readonly users: number
}

/** Keeps cohorts and their people. Every write joins the running transaction. */
export class CohortStore extends Context.Tag("@trunkline/cohorts/CohortStore")<CohortStore, {
  /** Adds a cohort. */
  readonly insert: (scope: Scope, owner: CohortOwner, cohort: Cohort) => Effect.Effect<void>
  /**
   * Adds people in the order of their rows; nobody sees them before the cohort is completed. False, and nothing added,
   * when the workspace has no such cohort in `processing`.
   */
  readonly addUsers: (scope: Scope, id: CohortId, users: ReadonlyArray<CohortUser>) => Effect.Effect<boolean>
  /**
   * Ends the processing of a cohort and returns it. Completion gives it the next `completed_seq` of the whole store;
   * failure drops its people. None, and nothing changed, when the workspace has no such cohort in `processing`.
   */
  readonly finish: (
    scope: Scope,
    id: CohortId,
    outcome: CohortOutcome & { readonly updated_at: DateTime.Utc }
  ) => Effect.Effect<Option.Option<Cohort>>
  /** Every cohort in `processing`, of every workspace: what a restart has to settle. */
  readonly unfinished: Effect.Effect<ReadonlyArray<{ readonly scope: Scope; readonly cohort_id: CohortId }>>
  readonly find: (scope: Scope, owner: CohortOwner, id: CohortId) => Effect.Effect<Option.Option<Cohort>>
  /** A page of the owner's cohorts, searched and sorted by `cohortColumns`. */
  readonly list: (
    scope: Scope,
    owner: CohortOwner,
    page: PageRequest
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Cohort>; readonly total: number }>
  /** The next people of completed cohorts after a cursor, from the start without one; fewer than `limit` at the end. */
  readonly usersAfter: (
    scope: Scope,
    owner: CohortOwner,
    walk: { readonly after: UserCursor | null; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<WalkedUser>>
  readonly progress: (scope: Scope, owner: CohortOwner) => Effect.Effect<CohortProgress>
  /** The person with this number in the newest completed cohort that has one; of equally new, the last completed. */
  readonly findCaller: (
    scope: Scope,
    owner: CohortOwner,
    phone: PhoneNumber
  ) => Effect.Effect<Option.Option<{ readonly cohort_id: CohortId; readonly user: CohortUser }>>
  /** Removes the owner's cohorts and their people; returns the ids, so that files can follow. */
  readonly removeOwner: (scope: Scope, owner: CohortOwner) => Effect.Effect<ReadonlyArray<CohortId>>
}>() {
  /** Keeps cohorts in memory. */
  static readonly layerMemory: Layer.Layer<CohortStore> = Layer.sync(CohortStore, () => {
    const cohorts = MemoryTable.make<CohortId, Row>()
    const batches = MemoryTable.make<CohortId, ReadonlyArray<ReadonlyArray<CohortUser>>>()

    const owned = (scope: Scope, owner: CohortOwner) =>
      Array.filter(Array.fromIterable(cohorts.values()), (row) => row.owner === ownerKey(scope, owner))
    const completed = (scope: Scope, owner: CohortOwner) =>
      Array.filterMap(
        owned(scope, owner),
        (row) => Option.map(row.completed_seq, (completed_seq) => ({ completed_seq, cohort: row.cohort }))
      )
    const processing = (scope: Scope, id: CohortId) =>
      Option.filter(
        Option.fromNullable(cohorts.get(id)),
        (row) => scopeKey(row.scope) === scopeKey(scope) && row.cohort.status === "processing"
      )
    const nextSeq = () =>
      1 +
      Array.reduce(Array.fromIterable(cohorts.values()), 0, (last, row) =>
        Math.max(
          last,
          Option.getOrElse(row.completed_seq, () => 0)
        ))

    function* walk(from: ReadonlyArray<{ completed_seq: number; cohort: Cohort }>, after: UserCursor) {
      for (const { cohort: { cohort_id }, completed_seq } of from) {
        if (completed_seq < after.completed_seq) continue
        const passed = completed_seq === after.completed_seq ? after.row : 0
        for (const batch of batches.get(cohort_id) ?? []) {
          if ((batch.at(-1)?.row ?? 0) <= passed) continue
          for (const user of batch) {
            if (user.row > passed) yield { cursor: { completed_seq, row: user.row }, cohort_id, user }
          }
        }
      }
    }

    return CohortStore.of({
      insert: (scope, owner, cohort) =>
        cohorts.set(cohort.cohort_id, {
          scope,
          owner: ownerKey(scope, owner),
          cohort,
          completed_seq: Option.none()
        }),
      addUsers: (scope, id, users) =>
        Effect.suspend(() =>
          Option.isSome(processing(scope, id))
            ? Effect.as(batches.set(id, [...batches.get(id) ?? [], users]), true)
            : Effect.succeed(false)
        ),
      finish: (scope, id, outcome) =>
        Effect.suspend(() =>
          Effect.transposeMapOption(processing(scope, id), (row) => {
            const cohort = new Cohort({ ...row.cohort, ...outcome })
            const completed_seq = outcome.status === "completed" ? Option.some(nextSeq()) : row.completed_seq
            return cohorts.set(id, { ...row, cohort, completed_seq }).pipe(
              Effect.zipRight(outcome.status === "failed" ? batches.delete(id) : Effect.void),
              Effect.as(cohort)
            )
          })
        ),
      unfinished: Effect.sync(() =>
        Array.fromIterable(cohorts.values())
          .filter(({ cohort }) => cohort.status === "processing")
          .map(({ cohort: { cohort_id }, scope }) => ({ scope, cohort_id }))
      ),
      find: (scope, owner, id) =>
        Effect.sync(() =>
          Option.fromNullable(cohorts.get(id)).pipe(
            Option.filter((row) => row.owner === ownerKey(scope, owner)),
            Option.map((row) => row.cohort)
          )
        ),
      list: (scope, owner, page) =>
        Effect.sync(() => applyPage(owned(scope, owner).map((row) => row.cohort), page, cohortColumns)),
      usersAfter: (scope, owner, { after, limit }) =>
        Effect.sync(() => {
          const inOrder = Array.sort(completed(scope, owner), bySeq)
          return Array.fromIterable(Iterable.take(walk(inOrder, after ?? { completed_seq: 0, row: 0 }), limit))
        }),
      progress: (scope, owner) =>
        Effect.sync(() => {
          const rows = owned(scope, owner)
          const done = completed(scope, owner)
          return {
            cohorts: rows.length,
            processing: rows.filter((row) => row.cohort.status === "processing").length,
            completed: done.length,
            users: Array.reduce(done, 0, (sum, { cohort }) => sum + (cohort.result?.valid_records ?? 0))
          }
        }),
      findCaller: (scope, owner, phone) =>
        Effect.sync(() =>
          Iterable.head(
            Iterable.filterMap(Array.sort(completed(scope, owner), newestFirst), ({ cohort: { cohort_id } }) =>
              Option.map(
                Array.findFirst((batches.get(cohort_id) ?? []).flat(), (user) => user.user_phone_number === phone),
                (user) => ({ cohort_id, user })
              ))
          )
        ),
      removeOwner: (scope, owner) =>
        Effect.suspend(() =>
          Effect.forEach(
            owned(scope, owner),
            ({ cohort: { cohort_id } }) =>
              Effect.as(Effect.zipRight(batches.delete(cohort_id), cohorts.delete(cohort_id)), cohort_id)
          )
        )
    })
  })
}

interface Row {
  readonly scope: Scope
  readonly owner: string
  readonly cohort: Cohort
  readonly completed_seq: Option.Option<number>
}

interface Completed {
  readonly completed_seq: number
  readonly cohort: Cohort
}

const ownerKey = (scope: Scope, { id, kind }: CohortOwner): string => `${scopeKey(scope)}/${kind}/${id}`

const bySeq = Order.mapInput(Order.number, ({ completed_seq }: Completed) => completed_seq)
const newestFirst = Order.reverse(
  Order.combine(Order.mapInput(Order.number, ({ cohort }: Completed) => cohort.created_at.epochMillis), bySeq)
)

/** What cohorts can be sorted by (shapes 0.4). */
export const cohortSortable = ["created_at", "updated_at", "name", "status"] as const

/** How cohorts are searched and sorted (shapes 0.4). */
export const cohortColumns = {
  id: (row: Cohort) => row.cohort_id,
  text: (row: Cohort) => [row.name, row.cohort_id],
  sortKey: (row: Cohort, by: string): string | number => {
    switch (by) {
      case "name":
      case "status":
        return row[by]
      case "updated_at":
        return row.updated_at.epochMillis
      default:
        return row.created_at.epochMillis
    }
  }
}
