import { assert } from "@effect/vitest"
import { CohortId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"
import { Cohort, type CohortOwner, type CohortUser } from "../Cohort.js"
import { type CohortOutcome, CohortStore, type UserCursor } from "./CohortStore.js"

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
export const cohort = (id: string, created: number, name = id) =>
  new Cohort({
    name,
    cohort_id: CohortId.make(id),
    status: "processing",
    source_type: "file_upload",
    created_by: "tests",
    created_at: at(created),
    updated_at: at(created),
    result: null,
    updated_by: null,
    failure_reason: null
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

/** Adds a cohort of these people, and ends its processing. */
export const store = (
  owner: CohortOwner,
  { created = 0, id, outcome, people }: {
    readonly id: string
    readonly people: ReadonlyArray<CohortUser>
    readonly created?: number
    readonly outcome?: CohortOutcome
  }
) =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    yield* cohorts.insert(scope, owner, cohort(id, created))
    yield* cohorts.addUsers(scope, CohortId.make(id), people)
    yield* cohorts.finish(scope, CohortId.make(id), { ...outcome ?? completed(people.length), updated_at: at(59) })
  })

/** Every person of an owner, walked `limit` at a time, as cohort and row. */
export const walk = (owner: CohortOwner, limit: number, from: UserCursor | null = null) =>
  Effect.gen(function*() {
    const cohorts = yield* CohortStore
    const walked: Array<string> = []
    let after = from
    while (true) {
      const page = yield* cohorts.usersAfter(scope, owner, { after, limit })
      assert.isAtMost(page.length, limit)
      walked.push(...page.map(({ cohort_id, user }) => `${cohort_id}/${user.row}`))
      after = page.at(-1)?.cursor ?? after
      if (page.length < limit) return { walked, after }
    }
  })
