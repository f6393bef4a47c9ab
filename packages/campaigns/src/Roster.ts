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
  /** How many cohorts there are, and how many are not read to the end yet; stop files do not count. */
  readonly cohorts: (
    scope: Scope,
    campaign: CampaignId
  ) => Effect.Effect<{ readonly total: number; readonly processing: number }>
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
      next: (_scope, _campaign, after, limit) => Effect.succeed(pageOf(people, after, limit)),
      cohorts: () => Effect.succeed({ total: 1, processing: 0 }),
      stops: (_scope, _campaign, after, limit) =>
        Effect.succeed(pageOf(stops.map((user_phone_number) => ({ user_phone_number })), after, limit)),
      stopped: (_scope, _campaign, numbers) =>
        Effect.succeed(new Set(numbers.filter((number) => stops.includes(number))))
    })
}

const pageOf = <A extends object>(rows: ReadonlyArray<A>, after: RosterCursor | null, limit: number) =>
  rows
    .map((row, index) => ({ ...row, cursor: { completed_seq: 1, row: index + 1 } }))
    .filter(({ cursor }) => after === null || cursor.row > after.row)
    .slice(0, limit)
