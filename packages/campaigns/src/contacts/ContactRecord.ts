import { AttemptId, CohortId, emptyIs, emptyIsAbsent, PhoneNumber, QueryInt, Timestamp } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import { type Decision, GateReason, KeptReason, Verdict } from "../gate/Decision.js"
import { explain } from "../gate/Explanation.js"
import { type Contact, ContactState, LastOutcome } from "./Contact.js"

/** What was decided about a person, with a sentence that says it in plain English. */
export const DecisionRecord = Schema.Struct({
  verdict: Verdict,
  reason: GateReason,
  at: Timestamp,
  not_before: Schema.NullOr(Timestamp),
  explanation: Schema.String
})
export type DecisionRecord = typeof DecisionRecord.Type

/** A person of a campaign as `GET W/campaigns/{id}/contacts` shows them (an extension: neither specification nor shapes has it). */
export const ContactRecord = Schema.Struct({
  user_identifier: Schema.String,
  user_phone_number: PhoneNumber,
  cohort_id: CohortId,
  state: ContactState,
  /** Attempts made so far. */
  attempts: Schema.NonNegativeInt,
  /** When the next attempt is due; null unless the person waits for one. */
  due_at: Schema.NullOr(Timestamp),
  /** The attempt under way. */
  attempt_id: Schema.NullOr(AttemptId),
  decision: DecisionRecord,
  last_outcome: Schema.NullOr(LastOutcome)
})
export type ContactRecord = typeof ContactRecord.Type

/** People on one page of a list of contacts, unless the request says otherwise; as for webhook deliveries (shapes 13). */
export const DEFAULT_CONTACTS = 50

/** The most people on one page (shapes 13, as for webhook deliveries). */
export const MAX_CONTACTS = 250

const Place = Schema.compose(QueryInt, Schema.NonNegativeInt)

/**
 * The query parameters of a list of contacts, each of which may be absent, and all but `limit` empty: `state`, `reason`
 * (as it is kept), `search` (the number or the identifier of one person, whole), `limit` from 1 to 250 (default 50), and
 * the cursors `after` or `before`.
 */
export const ContactQuery = Schema.Struct({
  state: emptyIsAbsent(ContactState),
  reason: emptyIsAbsent(KeptReason),
  search: emptyIs(Schema.String, ""),
  limit: Schema.optionalWith(
    QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(MAX_CONTACTS)),
    { default: () => DEFAULT_CONTACTS }
  ),
  after: emptyIsAbsent(Place),
  before: emptyIsAbsent(Place)
})
export type ContactQuery = typeof ContactQuery.Type

/** A page of contacts, in the order of enrolment, and the cursors of its neighbours; null where there is none. */
export const ContactPage = Schema.Struct({
  items: Schema.Array(ContactRecord),
  limit: Schema.Int,
  cursors: Schema.Struct({ after: Schema.NullOr(Schema.String), before: Schema.NullOr(Schema.String) })
})
export type ContactPage = typeof ContactPage.Type

const moment = (at: number | null) => at === null ? null : DateTime.unsafeMake(at)

/** A person as readers see them, with the decision that holds now. */
export const recordOf = (contact: Contact, decision: Decision): ContactRecord => ({
  user_identifier: contact.user_identifier,
  user_phone_number: contact.user_phone_number,
  cohort_id: contact.cohort_id,
  state: contact.state,
  attempts: contact.attempts,
  due_at: contact.state === "waiting" ? moment(contact.due_at) : null,
  attempt_id: contact.attempt_id,
  decision: {
    verdict: decision.verdict,
    reason: decision.reason,
    at: DateTime.unsafeMake(decision.at),
    not_before: moment(decision.not_before),
    explanation: explain(decision)
  },
  last_outcome: contact.last_outcome
})
