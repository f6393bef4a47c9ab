import { type PhoneNumber, type Scope, scopeKey } from "@trunkline/kernel"
import { Order } from "effect"
import type { CohortOwner } from "../Cohort.js"
import type { PendingCohort } from "./CohortRecords.js"
import type { MemoryUsers } from "./MemoryUsers.js"

/** A cohort of the store in memory. */
export interface MemoryCohort extends PendingCohort {
  /** Key of the workspace and owner. */
  readonly key: string
  /** 0 until the cohort is completed. */
  readonly completed_seq: number
  readonly users: MemoryUsers
}

/** Checks whether any of these cohorts has a number. */
export const isIn = (rows: ReadonlyArray<MemoryCohort>, phone: PhoneNumber) =>
  rows.some(({ users }) => users.has(phone))

/** Key of a workspace and owner. */
export const ownerKey = (scope: Scope, { id, kind }: CohortOwner): string => `${scopeKey(scope)}/${kind}/${id}`

/** The part of a cohort that its processing needs. */
export const pendingOf = ({ cohort, owner, scope, source_url }: MemoryCohort): PendingCohort => ({
  scope,
  owner,
  cohort,
  source_url
})

const byCreation = Order.mapInput(Order.number, ({ cohort }: PendingCohort) => cohort.created_at.epochMillis)
/** By completion. */
export const bySeq = Order.mapInput(Order.number, (row: MemoryCohort) => row.completed_seq)
/** By creation, then by id. */
export const oldestFirst = Order.combine(
  byCreation,
  Order.mapInput(Order.string, ({ cohort }: PendingCohort) => cohort.cohort_id)
)
/** By creation, then by completion. */
export const byAge = Order.combine<MemoryCohort>(byCreation, bySeq)
