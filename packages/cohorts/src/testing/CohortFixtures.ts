import { assert } from "@effect/vitest"
import { CohortId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect, Option } from "effect"
import {
  Cohort,
  type CohortCategory,
  type CohortOwner,
  type CohortUser,
  type ImportProgress,
  noProgress
} from "../Cohort.js"
import type { CohortOutcome, PendingCohort, UserCursor } from "../store/CohortRecords.js"
import { CohortStore } from "../store/CohortStore.js"

/** A workspace for tests. */
export const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })

/** The default workspace of tests. */
export const scope = scopeOf("main")

/** A campaign as the owner of cohorts. */
export const campaign = (id: string): CohortOwner => ({ kind: "campaign", id })

/** A time at this second of a fixed minute. */
export const at = (second: number) => DateTime.unsafeMake({ year: 2026, month: 1, day: 31, hours: 12, seconds: second })

/** A processing cohort. */
export const cohort = (id: string, created: number, changed: Partial<Pick<Cohort, "cohort_category" | "name">> = {}) =>
  new Cohort({
    name: id,
    cohort_id: CohortId.make(id),
    cohort_category: "cohort",
    status: "processing",
    source_type: "file_upload",
    created_by: "tests",
    created_at: at(created),
    updated_at: at(created),
    progress: noProgress,
    result: null,
    updated_by: null,
    failure_reason: null,
    ...changed
  })

/** A cohort for `insert`. */
export const pending = (owner: CohortOwner, cohort: Cohort, source_url: string | null = null): PendingCohort => ({
  scope,
  owner,
  cohort,
  source_url
})

/** A cohort for `insert`, by its id. */
export const pendingCohortFixture = (owner: CohortOwner, id: string): PendingCohort => pending(owner, cohort(id, 1))

/** The progress of an import after this number of rows, all of them valid. */
export const progressOf = (rows: number): ImportProgress => ({
  total_records: rows,
  valid_records: rows,
  rejected_records: 0,
  percent: 50
})

/** The user of a row. */
export const user = (row: number): CohortUser => ({
  row,
  user_phone_number: PhoneNumber.make(`+91${9876500000 + row}`),
  user_identifier: `user-${row}`,
  agent_variables: { customer_name: `Name ${row}`, "odd \"key\", é": "हिन्दी" },
  app_overrides: { initial_language_name: "Hindi" }
})

/** The users of rows. */
export const users = (...rows: ReadonlyArray<number>) => rows.map((row) => user(row))

/** The outcome of a completed cohort. */
export const completed = (valid: number, rejected = 0): CohortOutcome => ({
  status: "completed",
  result: { total_records: valid + rejected, valid_records: valid, rejected_records: rejected }
})

/** The outcome of a failed cohort. */
export const failed: CohortOutcome = { status: "failed", failure_reason: "The file is broken" }

/** Adds and indexes users of a processing cohort; false if there is none. */
export const fill = (id: CohortId, added: ReadonlyArray<CohortUser>) =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    const result = yield* cohorts.keep(scope, id, { users: added, progress: progressOf(added.length) })
    return (yield* cohorts.index(scope, id, added)) && result
  })

/** Inserts a cohort with these users, and ends its processing. */
export const store = (
  owner: CohortOwner,
  { category = "cohort", created = 0, id, outcome, users: added }: {
    readonly id: string
    readonly users: ReadonlyArray<CohortUser>
    readonly category?: CohortCategory
    readonly created?: number
    readonly outcome?: CohortOutcome
  }
) =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    const inserted = cohort(id, created, { cohort_category: category })
    yield* cohorts.insert(pending(owner, inserted))
    yield* fill(inserted.cohort_id, added)
    yield* cohorts.finish(scope, inserted.cohort_id, { ...outcome ?? completed(added.length), updated_at: at(59) })
  })

/** Walks over the users of an owner, `limit` at a time; returns them as `cohort/row`. */
export const walk = (
  owner: CohortOwner,
  { category = "cohort", from = null, limit = 10 }: {
    readonly category?: CohortCategory
    readonly from?: UserCursor | null
    readonly limit?: number
  } = {}
) =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    const walked: Array<string> = []
    let after = from
    while (true) {
      const page = yield* cohorts.usersAfter(scope, owner, { category, after, limit })
      assert.isAtMost(page.length, limit)
      walked.push(...page.map(({ cohort_id, user }) => `${cohort_id}/${user.row}`))
      after = page.at(-1)?.cursor ?? after
      if (page.length < limit) return { walked, after }
    }
  })

/** Finds the user with the number of a row; returns it as `cohort/row`. */
export const findCaller = (owner: CohortOwner, row: number) =>
  Effect.flatMap(CohortStore, (cohorts) => cohorts.findCaller(scope, owner, user(row).user_phone_number)).pipe(
    Effect.map(Option.map(({ cohort_id, user }) => `${cohort_id}/${user.row}`)),
    Effect.map(Option.getOrUndefined)
  )

/** Checks whether the number of a row is in a stop file. */
export const isStopped = (owner: CohortOwner, row: number) =>
  Effect.flatMap(
    CohortStore,
    (cohorts) =>
      Effect.map(cohorts.filterStopped(scope, owner, [user(row).user_phone_number]), ({ size }) => size === 1)
  )
