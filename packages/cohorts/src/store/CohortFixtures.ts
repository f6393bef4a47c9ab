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
import type { UserCursor } from "./CohortPeople.js"
import { CohortStore } from "./CohortStore.js"
import type { CohortOutcome, PendingCohort } from "./PendingCohort.js"

/** A workspace of the tests. */
export const scopeOf = (workspace: string) =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(workspace) })

/** The workspace that the tests work in. */
export const scope = scopeOf("main")

/** A campaign as owner. */
export const campaign = (id: string): CohortOwner => ({ kind: "campaign", id })

/** A second of one minute. */
export const at = (second: number) => DateTime.unsafeMake({ year: 2026, month: 1, day: 31, hours: 12, seconds: second })

/** A cohort in processing. */
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

/** A cohort as it is inserted. */
export const pending = (owner: CohortOwner, cohort: Cohort, source_url: string | null = null): PendingCohort => ({
  scope,
  owner,
  cohort,
  source_url
})

/** How far an import is that has had so many rows, all of them valid. */
export const progressOf = (rows: number): ImportProgress => ({
  total_records: rows,
  valid_records: rows,
  rejected_records: 0,
  percent: 50
})

/** The person of a row. */
export const user = (row: number): CohortUser => ({
  row,
  user_phone_number: PhoneNumber.make(`+91${9876500000 + row}`),
  user_identifier: `user-${row}`,
  agent_variables: { customer_name: `Name ${row}`, "odd \"key\", é": "हिन्दी" },
  app_overrides: { initial_language_name: "Hindi" }
})

/** The persons of these rows. */
export const users = (...rows: ReadonlyArray<number>) => rows.map((row) => user(row))

/** A completion with these counts. */
export const completed = (valid: number, rejected = 0): CohortOutcome => ({
  status: "completed",
  result: { total_records: valid + rejected, valid_records: valid, rejected_records: rejected }
})

/** A failure. */
export const failed: CohortOutcome = { status: "failed", failure_reason: "The file is broken" }

/** Keeps and indexes people of a cohort in processing; says whether there was one. */
export const fill = (id: CohortId, people: ReadonlyArray<CohortUser>) =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    const kept = yield* cohorts.keep(scope, id, { users: people, progress: progressOf(people.length) })
    return (yield* cohorts.index(scope, id, people)) && kept
  })

/** Adds a cohort of these people, and ends its processing. */
export const store = (
  owner: CohortOwner,
  { category = "cohort", created = 0, id, outcome, people }: {
    readonly id: string
    readonly people: ReadonlyArray<CohortUser>
    readonly category?: CohortCategory
    readonly created?: number
    readonly outcome?: CohortOutcome
  }
) =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    const added = cohort(id, created, { cohort_category: category })
    yield* cohorts.insert(pending(owner, added))
    yield* fill(added.cohort_id, people)
    yield* cohorts.finish(scope, added.cohort_id, { ...outcome ?? completed(people.length), updated_at: at(59) })
  })

/** Every person of an owner, walked `limit` at a time, as cohort and row. */
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

/** Where the person with the number of a row is found, as cohort and row. */
export const findCaller = (owner: CohortOwner, row: number) =>
  Effect.flatMap(CohortStore, (cohorts) => cohorts.findCaller(scope, owner, user(row).user_phone_number)).pipe(
    Effect.map(Option.map(({ cohort_id, user }) => `${cohort_id}/${user.row}`)),
    Effect.map(Option.getOrUndefined)
  )

/** Whether the number of a row is in a stop file. */
export const isStopped = (owner: CohortOwner, row: number) =>
  Effect.flatMap(CohortStore, (cohorts) => cohorts.isStopped(scope, owner, user(row).user_phone_number))
