import type { CampaignId, CohortId, PhoneNumber, Scope, Variables } from "@trunkline/kernel"
import type { AppOverrides } from "@trunkline/telephony"
import { Context, Effect, Layer } from "effect"

/** A place in the walk over a campaign's people; opaque, kept with the campaign so that the walk can go on after a restart. */
export interface RosterCursor {
  readonly completed_seq: number
  readonly row: number
}

/** One person of a completed cohort, and the place in the walk just after them. */
export interface RosterEntry {
  readonly cursor: RosterCursor
  readonly cohort_id: CohortId
  readonly user_identifier: string
  readonly user_phone_number: PhoneNumber
  readonly agent_variables: Variables
  readonly app_overrides: AppOverrides
}

/** One number that is not to be called, and the place in the walk over the stop files just after it. */
export interface StopEntry {
  readonly cursor: RosterCursor
  readonly user_phone_number: PhoneNumber
}

/** Who a campaign calls, and who it does not call any more: its view of the cohorts. */
export class Roster extends Context.Tag("@trunkline/campaigns/Roster")<Roster, {
  /** The next people in order; people of cohorts that complete later come later. */
  readonly next: (
    scope: Scope,
    campaign: CampaignId,
    after: RosterCursor | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<RosterEntry>>
  /**
   * How many cohorts there are, how many are not read to the end yet, and how many people the others have; stop files do
   * not count.
   */
  readonly cohorts: (
    scope: Scope,
    campaign: CampaignId
  ) => Effect.Effect<{ readonly total: number; readonly processing: number; readonly people: number }>
  /** The next numbers of completed stop files in order; those of stop files that complete later come later. */
  readonly stops: (
    scope: Scope,
    campaign: CampaignId,
    after: RosterCursor | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<StopEntry>>
  /** Which of these numbers are in a completed stop file. Joins the running transaction. */
  readonly stopped: (
    scope: Scope,
    campaign: CampaignId,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlySet<PhoneNumber>>
}>() {
  /** One fixed list of people, and one of numbers not to be called, for every campaign. */
  static readonly layerOf = (
    people: ReadonlyArray<Omit<RosterEntry, "cursor">>,
    stops: ReadonlyArray<PhoneNumber> = []
  ) =>
    Layer.succeed(Roster, {
      next: (_scope, _campaign, after, limit) =>
        Effect.sync(() => pageOf(people, after, limit, (person, cursor) => ({ ...person, cursor }))),
      cohorts: () => Effect.sync(() => ({ total: 1, processing: 0, people: people.length })),
      stops: (_scope, _campaign, after, limit) =>
        Effect.sync(() => pageOf(stops, after, limit, (user_phone_number, cursor) => ({ user_phone_number, cursor }))),
      stopped: (_scope, _campaign, numbers) =>
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
