import { BulkEnrolment, CampaignStore, refuse } from "@trunkline/campaigns"
import { Cohort, type CohortOwner, CohortStore, noProgress } from "@trunkline/cohorts"
import { CampaignId, CohortId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
const number = PhoneNumber.make("+919876543210")
const owner: CohortOwner = { kind: "campaign", id: campaign_id }
const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const
const now = DateTime.unsafeMake("2026-01-01T00:00:00Z")

const user = { user_phone_number: number, user_identifier: "user-1", agent_variables: {}, app_overrides: {} }

const cohort = new Cohort({
  name: "June",
  cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
  cohort_category: "cohort",
  progress: noProgress,
  status: "processing",
  source_type: "file_upload",
  created_by: "tests",
  created_at: now,
  updated_at: now,
  result: null,
  updated_by: null,
  failure_reason: null
})

const completed = {
  status: "completed",
  result: { total_records: 1, valid_records: 1, rejected_records: 0 }
} as const

/** The frequent queries of campaigns and cohorts, by name. */
export const campaignQueries: Readonly<Record<string, Effect.Effect<unknown, never, CampaignStore | CohortStore>>> = {
  "a campaign": Effect.flatMap(
    CampaignStore,
    (store) => Effect.all([store.find(scope, campaign_id), store.findOwnedMany([campaign_id])])
  ),
  "the newest campaigns": Effect.flatMap(CampaignStore, (store) => store.list(scope, newest, null)),
  "open campaigns": Effect.flatMap(CampaignStore, (store) => store.open),
  "the life of a cohort": Effect.flatMap(CohortStore, (store) =>
    Effect.all([
      store.expect(cohort.cohort_id),
      store.insert({ scope, owner, cohort, source_url: null }),
      store.unexpect(cohort.cohort_id),
      store.pending,
      store.findPending(scope, cohort.cohort_id),
      store.recordFile(scope, cohort.cohort_id, "comma"),
      store.restart(scope, cohort.cohort_id),
      store.keep(scope, cohort.cohort_id, {
        users: [{ ...user, row: 1 }],
        progress: noProgress
      }),
      store.index(scope, cohort.cohort_id, [{ ...user, row: 1 }]),
      store.finish(scope, cohort.cohort_id, { ...completed, updated_at: cohort.updated_at }),
      store.find(scope, owner, cohort.cohort_id),
      store.usersAfter(scope, owner, { category: "cohort", after: null, limit: 500 }),
      store.findCaller(scope, owner, number),
      store.removeOwner(scope, owner),
      store.sweep
    ])),
  "the progress of cohorts": Effect.flatMap(CohortStore, (store) => store.tally(scope, owner)),
  "a known caller": Effect.flatMap(CohortStore, (store) => store.findCaller(scope, owner, number)),
  "numbers in stop files": Effect.flatMap(CohortStore, (store) => store.filterStopped(scope, owner, [number]))
}

/** A completed cohort or stop file with one number. */
const complete = (cohort_category: "cohort" | "stop_file", id: string) =>
  Effect.flatMap(CohortStore, (store) => {
    const cohort_id = CohortId.make(id)
    const users = [{ ...user, row: 1 }]
    return Effect.all([
      store.insert({ scope, owner, cohort: new Cohort({ ...cohort, cohort_category, cohort_id }), source_url: null }),
      store.keep(scope, cohort_id, { users, progress: noProgress }),
      store.index(scope, cohort_id, users),
      store.finish(scope, cohort_id, { ...completed, updated_at: cohort.updated_at })
    ])
  })

/** Enrols cohorts and applies a stop file in bulk, before and after the stop file is read. */
export const bulkEnrolment: Effect.Effect<unknown, never, CohortStore> = Effect.flatMap(BulkEnrolment, (bulk) => {
  if (bulk === null) return Effect.dieMessage("there is no bulk enrolment")
  const step = { scope, campaign_id, limit: 10 }
  const enrol = bulk.enrol({ ...step, now: 0 })
  return Effect.all([
    complete("cohort", "cohort-1"),
    enrol,
    complete("stop_file", "stops-1"),
    bulk.stop({ ...step, decision: refuse("stopped", 0) }),
    complete("cohort", "cohort-2"),
    enrol
  ])
})
