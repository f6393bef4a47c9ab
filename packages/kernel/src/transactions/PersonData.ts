import { Context, Effect } from "effect"
import type { AttemptId, CohortId, Scope } from "../ids/Ids.js"
import type { PhoneNumber } from "../values/PhoneNumber.js"

/** Data of one person that the stores of a workspace hold, found by phone number. */
export interface PersonFound {
  /** Identifiers that the number has in cohorts and calls. */
  readonly identifiers: ReadonlyArray<string>
  /** Attempts to call the number, and calls from it, that have ended. */
  readonly attempts: ReadonlyArray<AttemptId>
  /** Cohorts that list the number. */
  readonly cohorts: ReadonlyArray<CohortId>
  /** Work that goes on, which an erasure leaves alone. */
  readonly open: {
    readonly attempts: number
    /** Contacts of campaigns that may still be called. */
    readonly contacts: number
    readonly webhooks: number
  }
}

/** Numbers of rows that were erased. */
export interface PersonRemoved {
  readonly attempts: number
  readonly webhooks: number
  readonly contacts: number
  readonly cohort_rows: number
  readonly dials: number
}

/** Data of single persons in the stores. By default the stores are in memory, and hold none. */
export class PersonData extends Context.Reference<PersonData>()("@trunkline/kernel/PersonData", {
  defaultValue: (): PersonData.Service => ({
    find: () =>
      Effect.succeed({
        identifiers: [],
        attempts: [],
        cohorts: [],
        open: { attempts: 0, contacts: 0, webhooks: 0 }
      }),
    remove: () => Effect.succeed({ attempts: 0, webhooks: 0, contacts: 0, cohort_rows: 0, dials: 0 })
  })
}) {}

export declare namespace PersonData {
  /** Access to the data of persons. */
  export interface Service {
    readonly find: (scope: Scope, phone: PhoneNumber) => Effect.Effect<PersonFound>
    /**
     * Erases what was found in attempts that have ended, webhooks that are over, contacts that are finished, cohorts, and counts
     * of dials. Joins the running transaction.
     */
    readonly remove: (scope: Scope, phone: PhoneNumber, person: PersonFound) => Effect.Effect<PersonRemoved>
  }
}
