import type { CampaignId, CohortId, PhoneNumber, Scope, Variables } from "@trunkline/kernel"
import type { AppOverrides } from "@trunkline/telephony"
import { Context, Effect, Layer } from "effect"
import type { BulkEnrolment } from "./BulkEnrolment.js"

/** Position in a campaign's roster; opaque, and stored with the campaign so that reading resumes after a restart. */
export interface RosterCursor {
  readonly completed_seq: number
  readonly row: number
}

/** A contact of a completed cohort, with the position just after it. */
export interface RosterEntry {
  readonly cursor: RosterCursor
  readonly cohort_id: CohortId
  readonly user_identifier: string
  readonly user_phone_number: PhoneNumber
  readonly agent_variables: Variables
  readonly app_overrides: AppOverrides
}

/** A number of a stop file, with the position just after it. */
export interface StopEntry {
  readonly cursor: RosterCursor
  readonly user_phone_number: PhoneNumber
}

/** A campaign's view of its cohorts: the contacts to call, and the stop files with numbers not to call. */
export class Roster extends Context.Tag("@trunkline/campaigns/Roster")<Roster, {
  /** The next contacts in order; cohorts that complete later come later. */
  readonly next: (
    scope: Scope,
    campaign: CampaignId,
    after: RosterCursor | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<RosterEntry>>
  /** Number of cohorts, of those still being imported, and of contacts in the completed ones; stop files do not count. */
  readonly cohorts: (
    scope: Scope,
    campaign: CampaignId
  ) => Effect.Effect<{ readonly total: number; readonly processing: number; readonly people: number }>
  /** The next numbers of completed stop files in order; stop files that complete later come later. */
  readonly stops: (
    scope: Scope,
    campaign: CampaignId,
    after: RosterCursor | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<StopEntry>>
  /** The subset of these numbers that completed stop files have. Joins the running transaction. */
  readonly filterStopped: (
    scope: Scope,
    campaign: CampaignId,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlySet<PhoneNumber>>
  /** Does the same for many rows at once, where contacts and cohorts are in one store; absent elsewhere. */
  readonly bulk?: BulkEnrolment.Service
}>() {
  /** The same contacts and the same stopped numbers for every campaign. */
  static readonly layerOf = (
    contacts: ReadonlyArray<Omit<RosterEntry, "cursor">>,
    stops: ReadonlyArray<PhoneNumber> = []
  ) =>
    Layer.succeed(Roster, {
      next: (_scope, _campaign, after, limit) =>
        Effect.sync(() => pageOf(contacts, after, limit, (contact, cursor) => ({ ...contact, cursor }))),
      cohorts: () => Effect.sync(() => ({ total: 1, processing: 0, people: contacts.length })),
      stops: (_scope, _campaign, after, limit) =>
        Effect.sync(() => pageOf(stops, after, limit, (user_phone_number, cursor) => ({ user_phone_number, cursor }))),
      filterStopped: (_scope, _campaign, numbers) =>
        Effect.succeed(new Set(numbers.filter((number) => stops.includes(number))))
    })
}

const pageOf = <A, B>(
  rows: ReadonlyArray<A>,
  after: RosterCursor | null,
  limit: number,
  entry: (row: A, cursor: RosterCursor) => B
): ReadonlyArray<B> => {
  const first = after?.row ?? 0
  return rows.slice(first, first + limit).map((row, index) => entry(row, { completed_seq: 1, row: first + index + 1 }))
}
