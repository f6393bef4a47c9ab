import { Roster } from "@trunkline/campaigns"
import { Cohorts, CohortStore } from "@trunkline/cohorts"
import type { CampaignId } from "@trunkline/kernel"
import { KnownCallers } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"

const ownerOf = (campaign: CampaignId) => ({ kind: "campaign", id: campaign }) as const

/** A campaign's view of its cohorts: who to call, and who not to. */
export const rosterFromCohorts: Layer.Layer<Roster, never, CohortStore> = Layer.effect(
  Roster,
  Effect.map(CohortStore, (cohorts) =>
    Roster.of({
      next: (scope, campaign, after, limit) =>
        Effect.map(
          cohorts.usersAfter(scope, ownerOf(campaign), { category: "cohort", after, limit }),
          (walked) =>
            walked.map(({ cohort_id, cursor, user: { row: _, ...person } }) => ({ ...person, cursor, cohort_id }))
        ),
      cohorts: (scope, campaign) =>
        Effect.map(cohorts.tally(scope, ownerOf(campaign)), ({ cohorts: total, processing, users: people }) => ({
          total,
          processing,
          people
        })),
      stops: (scope, campaign, after, limit) =>
        Effect.map(
          cohorts.usersAfter(scope, ownerOf(campaign), { category: "stop_file", after, limit }),
          (walked) => walked.map(({ cursor, user: { user_phone_number } }) => ({ cursor, user_phone_number }))
        ),
      stopped: (scope, campaign, numbers) =>
        Effect.map(
          Effect.filter(numbers, (number) => cohorts.isStopped(scope, ownerOf(campaign), number)),
          (found) => new Set(found)
        )
    }))
)

/** A deployment's view of its cohorts: who is calling. */
export const callersFromCohorts: Layer.Layer<KnownCallers, never, CohortStore | Cohorts> = Layer.effect(
  KnownCallers,
  Effect.gen(function*() {
    const store = yield* CohortStore
    const cohorts = yield* Cohorts
    return KnownCallers.of({
      find: (scope, deployment, caller) =>
        Effect.map(
          store.findCaller(scope, { kind: "deployment", id: deployment }, caller),
          Option.map(({ cohort_id, user: { row: _, ...person } }) => ({ ...person, cohort_id }))
        ),
      forget: (scope, deployment) => cohorts.removeOwner(scope, { kind: "deployment", id: deployment })
    })
  })
)
