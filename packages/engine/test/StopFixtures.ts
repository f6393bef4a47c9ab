import { Cohort, CohortStore, type CohortUser, noProgress } from "@trunkline/cohorts"
import { BusinessTime, type CampaignId, CohortId, type PhoneNumber } from "@trunkline/kernel"
import { Effect } from "effect"
import { scope } from "./Fixtures.js"

/** Completes a stop file in the store, without notifying the campaign. */
export const completeStopFile = (campaign: CampaignId, numbers: ReadonlyArray<PhoneNumber>) =>
  Effect.gen(function*() {
    const store = yield* CohortStore
    const now = yield* BusinessTime.date
    const cohort = new Cohort({
      name: "Stop",
      cohort_id: CohortId.make("coh-stop"),
      cohort_category: "stop_file",
      progress: noProgress,
      status: "processing",
      source_type: "file_upload",
      created_by: "demo",
      created_at: now,
      updated_at: now,
      result: null,
      updated_by: null,
      failure_reason: null
    })
    const users = numbers.map((user_phone_number, index): CohortUser => ({
      row: index + 1,
      user_phone_number,
      user_identifier: String(index),
      agent_variables: {},
      app_overrides: {}
    }))
    yield* store.insert({ scope, owner: { kind: "campaign", id: campaign }, cohort, source_url: null })
    yield* store.keep(scope, cohort.cohort_id, { users, progress: noProgress })
    yield* store.index(scope, cohort.cohort_id, users)
    const result = { total_records: users.length, valid_records: users.length, rejected_records: 0 }
    yield* store.finish(scope, cohort.cohort_id, { status: "completed", result, updated_at: now })
  })
