import { type CallQuery, CallRecords } from "@trunkline/analytics"
import { CampaignStore } from "@trunkline/campaigns"
import { Cohort, type CohortOwner, CohortStore, noProgress } from "@trunkline/cohorts"
import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  DeploymentId,
  InteractionId,
  OrgId,
  PhoneNumber,
  Scope,
  WorkspaceId
} from "@trunkline/kernel"
import {
  AccountId,
  AccountStore,
  BucketStore,
  CreditLedger,
  KeyId,
  KeyStore,
  SlotStore,
  type UsageLine
} from "@trunkline/rate-limits"
import { DeploymentStore } from "@trunkline/telephony"
import { DateTime, Effect } from "effect"
import { frequentBoards } from "./FrequentBoards.js"
import { frequentCalls } from "./FrequentCalls.js"
import { frequentDispatch } from "./FrequentDispatch.js"
import { frequentNotifications } from "./FrequentNotifications.js"
import { frequentVoices } from "./FrequentVoices.js"
import { frequentWebhooks } from "./FrequentWebhooks.js"
import type { Limits } from "./LimitsSql.js"
import type { Stores } from "./StoresSql.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const app_id = AppId.make("support")
const campaign_id = CampaignId.make("camp-a1b2c3d4e5f6")
const attempt_id = AttemptId.make("019a0000-0000-7000-8000-000000000001")
const number = PhoneNumber.make("+919876543210")
const owner: CohortOwner = { kind: "campaign", id: campaign_id }
const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

const lastDay: CallQuery = {
  start_datetime: DateTime.unsafeMake("2026-01-01T00:00:00Z"),
  end_datetime: DateTime.unsafeMake("2026-01-02T00:00:00Z"),
  limit: 20,
  offset: 0,
  sort_order: "desc",
  filter_conditions: []
}

const person = { user_phone_number: number, user_identifier: "user-1", agent_variables: {}, app_overrides: {} }

const cohort = new Cohort({
  name: "June",
  cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
  cohort_category: "cohort",
  progress: noProgress,
  status: "processing",
  source_type: "file_upload",
  created_by: "tests",
  created_at: lastDay.start_datetime,
  updated_at: lastDay.start_datetime,
  result: null,
  updated_by: null,
  failure_reason: null
})

const completed = {
  status: "completed",
  result: { total_records: 1, valid_records: 1, rejected_records: 0 }
} as const

const account_id = AccountId.make("acme")
const key_id = KeyId.make("demo")
const request_id = "request"
const bucket = { owner: account_id, name: "chat", interval: 1_000_000, burst: 60 }
const slot = { owner: account_id, name: "calls_live", holder: "call" }

const usage: UsageLine = {
  account_id,
  key_id,
  day: "2026-01-01",
  api: "chat",
  requests: 1,
  units: { input_token: 1 },
  cost: 1,
  charged: 1
}

/**
 * What the engine and the API ask all the time, by name and each once: for checks that a database answers from an
 * index, however much it holds.
 */
export const frequentQueries: Readonly<Record<string, Effect.Effect<unknown, never, Limits | Stores>>> = {
  "a campaign": Effect.flatMap(
    CampaignStore,
    (store) => Effect.all([store.find(scope, campaign_id), store.findOwned(campaign_id)])
  ),
  "the newest campaigns": Effect.flatMap(CampaignStore, (store) => store.list(scope, newest, null)),
  "open campaigns": Effect.flatMap(CampaignStore, (store) => store.open),
  "who answers a number": Effect.flatMap(DeploymentStore, (store) => store.findByNumber(number)),
  "a deployment": Effect.flatMap(DeploymentStore, (store) => store.find(scope, DeploymentId.make("dep-a1b2c3d4e5f6"))),
  "the newest deployments": Effect.flatMap(DeploymentStore, (store) => store.list(scope, newest)),
  "the life of a cohort": Effect.flatMap(CohortStore, (store) =>
    Effect.all([
      store.expect(cohort.cohort_id),
      store.insert({ scope, owner, cohort, source_url: null }),
      store.unexpect(cohort.cohort_id),
      store.pending,
      store.findPending(scope, cohort.cohort_id),
      store.fetched(scope, cohort.cohort_id),
      store.restart(scope, cohort.cohort_id),
      store.keep(scope, cohort.cohort_id, {
        users: [{ ...person, row: 1 }],
        progress: noProgress
      }),
      store.index(scope, cohort.cohort_id, [{ ...person, row: 1 }]),
      store.finish(scope, cohort.cohort_id, { ...completed, updated_at: cohort.updated_at }),
      store.find(scope, owner, cohort.cohort_id),
      store.usersAfter(scope, owner, { category: "cohort", after: null, limit: 500 }),
      store.findCaller(scope, owner, number),
      store.removeOwner(scope, owner),
      store.sweep
    ])),
  "how far cohorts are": Effect.flatMap(CohortStore, (store) => store.tally(scope, owner)),
  "a known caller": Effect.flatMap(CohortStore, (store) => store.findCaller(scope, owner, number)),
  "who is not to be called": Effect.flatMap(CohortStore, (store) => store.isStopped(scope, owner, number)),
  "the calls of a day": Effect.flatMap(
    CallRecords,
    (store) => Effect.orDie(store.query({ scope, app_id, kind: "attempts", query: lastDay }))
  ),
  "the conversations of a day": Effect.flatMap(
    CallRecords,
    (store) => Effect.orDie(store.query({ scope, app_id, kind: "interactions", query: lastDay }))
  ),
  "the calls for a person": Effect.flatMap(
    CallRecords,
    (store) => Effect.zipRight(store.ofUser(scope, "user-1"), store.erase(scope, [attempt_id]))
  ),
  "a transcript": Effect.flatMap(
    CallRecords,
    (store) => store.transcript({ scope, app_id, interaction_id: InteractionId.make(`20260101-${attempt_id}`) })
  ),
  "a key and its account": Effect.flatMap(KeyStore, (store) => store.findByPublicId(key_id)).pipe(
    Effect.zip(Effect.flatMap(AccountStore, (store) => store.findAccount(account_id))),
    Effect.zip(Effect.flatMap(AccountStore, (store) => store.findWorkspace(scope)))
  ),
  "the keys of an account": Effect.flatMap(KeyStore, (store) => store.list(account_id)),
  "the workspaces of an account": Effect.flatMap(AccountStore, (store) => store.workspacesOf(account_id)),
  "a request's allowance": Effect.flatMap(BucketStore, (store) => store.take([bucket], 1)),
  "a request's allowances": Effect.flatMap(
    BucketStore,
    (store) => store.take([bucket, { ...bucket, name: "chat_core" }], 1)
  ),
  "the life of a connection": Effect.flatMap(SlotStore, (store) =>
    Effect.all([
      store.hold(slot, { limit: 20, ttl: 30_000 }),
      store.hold(slot, { limit: 20, ttl: 30_000 }),
      store.held(slot),
      store.release(slot)
    ])),
  "a payment": Effect.flatMap(CreditLedger, (ledger) =>
    Effect.all([
      ledger.deleteExpired(0),
      ledger.balance(account_id),
      ledger.reserved({ account_id }),
      ledger.reserved({ account_id, key_id }),
      ledger.putReservation({ request_id, account_id, key_id, api: "chat", amount: 1, expires_at: 0 }),
      ledger.findReservation(request_id),
      ledger.append({ reference: `usage:${request_id}`, account_id, kind: "usage", amount: -1, at: 0 }),
      ledger.addUsage(usage),
      ledger.addUsage(usage),
      ledger.deleteReservation(request_id)
    ])),
  "the newest entries of a ledger": Effect.flatMap(CreditLedger, (ledger) => ledger.entries(account_id, 100)),
  "the usage of a month": Effect.flatMap(
    CreditLedger,
    (ledger) => ledger.usage({ account_id, from: "2026-01-01", to: "2026-01-31" })
  ),
  ...frequentBoards,
  ...frequentDispatch,
  ...frequentCalls,
  ...frequentNotifications,
  ...frequentVoices,
  ...frequentWebhooks
}
