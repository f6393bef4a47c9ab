import type { CampaignId, Scope } from "@trunkline/kernel"
import { Context, type Effect } from "effect"
import { type CohortContact, type Contact, newContact } from "../contacts/Contact.js"
import { finishContact } from "../contacts/ContactTransitions.js"
import { type GateResult, refuse } from "../contacts/GateResult.js"

/** A contact as it is enrolled: finished at once when its number is in a stop file that has been read. */
export const arrivingContact = (
  campaign: CampaignId,
  contact: CohortContact,
  at: number,
  isStopped: boolean
): Contact => {
  const arrival = newContact(campaign, contact, at)
  return isStopped ? finishContact(arrival, refuse("stopped", at)) : arrival
}

/** A step of the enrolment of a campaign. */
export interface BulkStep {
  readonly scope: Scope
  readonly campaign_id: CampaignId
  /** Rows of cohorts or stop files to read; a step may read somewhat more. */
  readonly limit: number
}

/**
 * Enrolment within a store that holds cohorts and contacts: the same changes as those of `ContactStore` with the rows of
 * a `Roster`, without loading the rows into this process. Null, the default, where contacts and cohorts are not in one store.
 */
export class BulkEnrolment extends Context.Reference<BulkEnrolment>()("@trunkline/campaigns/BulkEnrolment", {
  defaultValue: (): BulkEnrolment.Service | null => null
}) {}

export declare namespace BulkEnrolment {
  /** Implementation of `BulkEnrolment`. Its changes join the running transaction. */
  export interface Service {
    /** Enrols the next rows of a cohort at a moment, as `arrivingContact` says; returns their number, 0 at the end. */
    readonly enrol: (step: BulkStep & { readonly now: number }) => Effect.Effect<number>
    /** Finishes the waiting contacts with the next numbers of a stop file; returns the numbers read, 0 at the end. */
    readonly stop: (step: BulkStep & { readonly decision: GateResult }) => Effect.Effect<number>
  }
}
