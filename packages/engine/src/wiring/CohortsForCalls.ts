import { Roster } from "@trunkline/campaigns"
import { Cohorts, CohortStore } from "@trunkline/cohorts"
import { KnownCallers } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"

/** A campaign's view of its cohorts: who to call. */
export const rosterFromCohorts: Layer.Layer<Roster, never, CohortStore> = Layer.effect(
  Roster,
  Effect.map(CohortStore, (cohorts) =>
    Roster.of({
      next: (scope, campaign, after, limit) =>
        Effect.map(cohorts.usersAfter(scope, { kind: "campaign", id: campaign }, { after, limit }), (walked) =>
          walked.map(({ cohort_id, cursor, user: { row: _, ...person } }) => ({ ...person, cursor, cohort_id }))),
      cohorts: (scope, campaign) =>
        Effect.map(cohorts.progress(scope, { kind: "campaign", id: campaign }), (progress) => ({
          total: progress.cohorts,
          processing: progress.processing
        }))
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
