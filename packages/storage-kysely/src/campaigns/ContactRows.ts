import { type Contact, noRetries, type RetryCounters } from "@trunkline/campaigns"
import { type CohortId, PhoneNumber, unchecked } from "@trunkline/kernel"
import type { Kysely, Selectable } from "kysely"
import type { Database } from "../schema/Database.js"
import type { DispatchTables } from "../schema/DispatchTables.js"

type Body = readonly [
  cohort_id: CohortId,
  agent_variables: Contact["agent_variables"],
  app_overrides: Contact["app_overrides"]
]

type Row = Selectable<DispatchTables["contacts"]>

/** The column values of a contact, in the order of `contactColumns`. */
export const contactValues = (contact: Contact, seat: number): ReadonlyArray<string | number | null> => {
  const { counters, decision, last_outcome } = contact
  return [
    seat,
    contact.user_phone_number,
    contact.user_identifier,
    contact.state,
    contact.due_at,
    contact.attempts,
    retriesToJson(counters),
    contact.called_from.join(" "),
    contact.attempt_id,
    decision.verdict,
    decision.reason,
    decision.at,
    decision.not_before,
    last_outcome?.completion_status ?? null,
    last_outcome?.connectivity_status ?? null,
    last_outcome?.next_action_status ?? null
  ]
}

/** Retry counters as they are stored: without those that are 0 if all are, because most contacts have none. */
export const retriesToJson = (counters: RetryCounters): string =>
  Object.values(counters).every((retries) => retries === 0) ? "{}" : JSON.stringify(counters)

/** Stored retry counters; a counter that was added later is 0. */
export const retriesFromJson = (json: string): RetryCounters => {
  const retries: Partial<RetryCounters> = JSON.parse(json)
  return { ...noRetries, ...retries }
}

/** The columns of `contactValues`. */
export const contactColumns: ReadonlyArray<keyof Row> = [
  "seat",
  "user_phone_number",
  "user_identifier",
  "state",
  "due_at",
  "attempts",
  "retries",
  "called_from",
  "attempt_id",
  "verdict",
  "reason",
  "decided_at",
  "not_before",
  "completion_status",
  "connectivity_status",
  "next_action_status"
]

/** The constant part of a contact, in JSON. */
export const contactBody = ({ agent_variables, app_overrides, cohort_id }: Contact): string => {
  const body: Body = [cohort_id, agent_variables, app_overrides]
  return JSON.stringify(body)
}

/** The contact of a row, unchecked because it was checked when written and is read many times. */
export const readContact = (row: Row & { readonly body: string }): Contact => {
  const [cohort_id, agent_variables, app_overrides]: Body = JSON.parse(row.body)
  const { completion_status, connectivity_status, next_action_status } = row
  return {
    user_phone_number: row.user_phone_number,
    user_identifier: row.user_identifier,
    cohort_id,
    agent_variables,
    app_overrides,
    campaign_id: row.campaign_id,
    state: row.state,
    due_at: row.due_at,
    attempts: row.attempts,
    counters: retriesFromJson(row.retries),
    called_from: splitNumbers(row.called_from),
    attempt_id: row.attempt_id,
    decision: { verdict: row.verdict, reason: row.reason, at: row.decided_at, not_before: row.not_before },
    last_outcome: completion_status && { completion_status, connectivity_status, next_action_status }
  }
}

const splitNumbers = (text: string): Contact["called_from"] =>
  text === "" ? [] : text.split(" ").map((number) => PhoneNumber.make(number, unchecked))

/** Selects contacts with their constant part. */
export const selectContacts = (db: Kysely<Database>) =>
  db.selectFrom("contacts")
    .innerJoin("contact_people as person", (join) =>
      join.onRef("person.campaign_id", "=", "contacts.campaign_id").onRef("person.seat", "=", "contacts.seat"))
    .selectAll("contacts")
    .select("person.body")
