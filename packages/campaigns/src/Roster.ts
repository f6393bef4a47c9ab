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

/** Who a campaign calls: its view of the cohorts. */
export class Roster extends Context.Tag("@trunkline/campaigns/Roster")<Roster, {
  /** The next people in order; people of cohorts that complete later come later. */
  readonly next: (
    scope: Scope,
    campaign: CampaignId,
    after: RosterCursor | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<RosterEntry>>
  /** How many cohorts there are, and how many are not read to the end yet. */
  readonly cohorts: (
    scope: Scope,
    campaign: CampaignId
  ) => Effect.Effect<{ readonly total: number; readonly processing: number }>
}>() {
  /** One fixed list of people for every campaign. */
  static readonly layerOf = (people: ReadonlyArray<Omit<RosterEntry, "cursor">>) =>
    Layer.succeed(Roster, {
      next: (_scope, _campaign, after, limit) =>
        Effect.succeed(
          people
            .map((person, index) => ({ ...person, cursor: { completed_seq: 1, row: index + 1 } }))
            .filter((person) => after === null || person.cursor.row > after.row)
            .slice(0, limit)
        ),
      cohorts: () => Effect.succeed({ total: 1, processing: 0 })
    })
}
