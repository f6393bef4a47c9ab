import { AttemptId, CohortId, emptyAsAbsent, emptyAsDefault, PhoneNumber, QueryInt, Timestamp } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import { type CampaignStatus, isFinalStatus } from "../campaign/Campaign.js"
import {
  type Contact,
  type ContactCounts,
  type ContactListing,
  ContactState,
  LastOutcome,
  type SeatedContact
} from "./Contact.js"
import { ContactReason, contactReasons, explain, GateReason, type GateResult, GateVerdict } from "./GateResult.js"

/** The gate's decision about a contact, with an explanation in one plain English sentence. */
export const DecisionRecord = Schema.Struct({
  verdict: GateVerdict,
  reason: GateReason,
  at: Timestamp,
  not_before: Schema.NullOr(Timestamp),
  explanation: Schema.String
})
export type DecisionRecord = typeof DecisionRecord.Type

/** A contact as `GET W/campaigns/{id}/contacts` returns it; an extension of the API. */
export const ContactRecord = Schema.Struct({
  user_identifier: Schema.String,
  user_phone_number: PhoneNumber,
  cohort_id: CohortId,
  state: ContactState,
  /** Attempts made so far. */
  attempts: Schema.NonNegativeInt,
  /** Due time of the next attempt; null unless the contact is waiting. */
  due_at: Schema.NullOr(Timestamp),
  /** The attempt in progress. */
  attempt_id: Schema.NullOr(AttemptId),
  decision: DecisionRecord,
  last_outcome: Schema.NullOr(LastOutcome)
})
export type ContactRecord = typeof ContactRecord.Type

/** Default page size of lists of contacts. */
export const defaultContacts = 50

/** Largest page of a list of contacts. */
export const maxContacts = 250

const Cursor = Schema.compose(QueryInt, Schema.NonNegativeInt)

/**
 * Query parameters of a list of contacts. All are optional, and all but `limit` may be empty: `state`, `reason` (as
 * stored with the contact), `search` (the whole number or identifier of one contact), `limit` from 1 to 250 (default
 * 50), and the cursors `after` or `before`.
 */
export const ContactQuery = Schema.Struct({
  state: emptyAsAbsent(ContactState),
  reason: emptyAsAbsent(ContactReason),
  search: emptyAsDefault(Schema.String, ""),
  limit: Schema.optionalWith(
    QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(maxContacts)),
    { default: () => defaultContacts }
  ),
  after: emptyAsAbsent(Cursor),
  before: emptyAsAbsent(Cursor)
})
export type ContactQuery = typeof ContactQuery.Type

/** A page of contacts in the order of enrolment, with the cursors of the next and the previous page, or null at the ends. */
export const ContactPage = Schema.Struct({
  items: Schema.Array(ContactRecord),
  limit: Schema.Int,
  cursors: Schema.Struct({ after: Schema.NullOr(Schema.String), before: Schema.NullOr(Schema.String) })
})
export type ContactPage = typeof ContactPage.Type

/** A time as records have it; null without one. */
export const toTimestamp = (at: number | null) => at === null ? null : DateTime.unsafeMake(at)

/** The record of a contact, with the decision that applies now. */
export const contactRecord = (contact: Contact, decision: GateResult): ContactRecord => ({
  user_identifier: contact.user_identifier,
  user_phone_number: contact.user_phone_number,
  cohort_id: contact.cohort_id,
  state: contact.state,
  attempts: contact.attempts,
  due_at: contact.state === "waiting" ? toTimestamp(contact.due_at) : null,
  attempt_id: contact.attempt_id,
  decision: {
    verdict: decision.verdict,
    reason: decision.reason,
    at: DateTime.unsafeMake(decision.at),
    not_before: toTimestamp(decision.not_before),
    explanation: explain(decision)
  },
  last_outcome: contact.last_outcome
})

/*
 * Contacts that still wait when a campaign ends or is cancelled stay stored as waiting, since there may be a million of
 * them. Readers see them as finished by the end of the campaign, which is also the first reason that the gate gives.
 */

type Filters = Pick<ContactListing, "reason" | "state">

const waitingReasons: ReadonlyArray<GateReason> = contactReasons.waiting
const leftOver: Filters = { state: "waiting", reason: null }

/** A stored contact as readers see it. */
export const visibleContact = (status: CampaignStatus, contact: Contact): Contact =>
  isFinalStatus(status) && contact.state === "waiting" ? { ...contact, state: "finished" } : contact

/** Stored counts as readers see them. */
export const visibleCounts = (status: CampaignStatus, { calling, finished, waiting }: ContactCounts): ContactCounts =>
  isFinalStatus(status) ? { waiting: 0, calling, finished: finished + waiting } : { waiting, calling, finished }

/** The filters over stored contacts that together match a reader's filter; their results are disjoint. */
export const storedFilters = (status: CampaignStatus, requestedFilters: Filters): ReadonlyArray<Filters> => {
  if (!isFinalStatus(status)) return [requestedFilters]
  const { reason, state } = requestedFilters
  if (state === "waiting" || (reason !== null && waitingReasons.includes(reason))) return []
  if (state === "calling") return [requestedFilters]
  const isEndOfCampaign = reason === (status === "ended" ? "campaign_ended" : "campaign_cancelled")
  return isEndOfCampaign || (reason === null && state === "finished")
    ? [{ state: "finished", reason }, leftOver]
    : [requestedFilters]
}

/** Merges pages of disjoint lists into the one page nearest to their common cursor. */
export const mergePages = (
  pages: ReadonlyArray<ReadonlyArray<SeatedContact>>,
  { before, limit }: Pick<ContactListing, "before" | "limit">
): ReadonlyArray<SeatedContact> => {
  const mergedContacts = pages.flat().sort((one, other) => one.seat - other.seat)
  return before === null ? mergedContacts.slice(0, limit) : mergedContacts.slice(-limit)
}
