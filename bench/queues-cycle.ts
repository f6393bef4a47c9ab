import { CallRecord, CallRecords } from "@trunkline/analytics"
import { type Contact, DialQueue, newContact, type Settlement } from "@trunkline/campaigns"
import {
  AppId,
  AttemptId,
  type CampaignId,
  CohortId,
  ConnectionId,
  OrgId,
  PhoneNumber,
  Scope,
  Transactions,
  unchecked,
  uncheckedInstance,
  WorkspaceId
} from "@trunkline/kernel"
import { Attempt, type AttemptResult, AttemptStore } from "@trunkline/telephony"
import { Fact, FactsLog } from "@trunkline/warehouse"
import { factOf, unansweredFact } from "@trunkline/warehouse/fixtures"
import { newOutboxRow, Outbox } from "@trunkline/webhooks"
import { DateTime, Effect } from "effect"

/** Attempts in one batch. */
const batch = 200

const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })
const from = PhoneNumber.make("+911140000001")
const now = 1_767_225_600_000

/** The contact of an attempt. */
export const contactOf = (campaign_id: CampaignId, index: number): Contact =>
  newContact(campaign_id, {
    user_phone_number: PhoneNumber.make(`+91${9_000_000_000 + index}`, unchecked),
    user_identifier: `user-${index}`,
    cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
    agent_variables: { name: "Asha", due: 42.5 },
    app_overrides: {}
  }, now)

const app = { app_id: AppId.make("support"), app_version: 1 }
const channel = { channel_provider: "simulator", channel_protocol: "simulated", retry_attempt: 0 }

const attemptOf = ({ agent_variables, campaign_id, user_identifier, user_phone_number }: Contact): Attempt =>
  uncheckedInstance(Attempt, {
    attempt_id: AttemptId.make(`${campaign_id}-${user_phone_number}`, unchecked),
    kind: "campaign",
    campaign_id,
    cohort_id: null,
    deployment_id: null,
    connection_id: ConnectionId.make("sim-1"),
    user_identifier,
    user_phone_number,
    agent_phone_number: from,
    agent_variables,
    app_overrides: {},
    webhook: { url: "https://receiver.example/attempts", metadata: {} },
    attempted_at: now,
    state: "claimed",
    provider_call_id: null,
    result: null,
    ...scope,
    ...app,
    ...channel
  })

const recordOf = ({ attempt_id, campaign_id, user_identifier, user_phone_number }: Attempt): CallRecord =>
  uncheckedInstance(CallRecord, {
    attempt_id,
    deployment_id: null,
    campaign_id,
    cohort_id: null,
    user_identifier,
    user_contact: user_phone_number,
    user_contact_hashed: "5f".repeat(32),
    channel_direction: "outbound",
    channel_type: "v2v",
    server_retry_attempt: 0,
    is_debug_call: 0,
    has_log_issues: 0,
    job_id: null,
    correlation_id: null,
    attempted_at: DateTime.unsafeMake(now),
    completion_status: "failed",
    connectivity_status: "busy",
    next_action_status: null,
    failure_reason: null,
    conversation: null,
    ...scope,
    ...app,
    ...channel
  })

const fact = factOf(scope, 1, unansweredFact)

/** The body of a webhook, about as long as that of a call without a conversation. */
const body = new TextEncoder().encode(JSON.stringify(fact))

const result: AttemptResult = {
  completion_status: "failed",
  connectivity_status: "busy",
  next_action_status: null,
  failure_reason: null,
  interaction: null,
  finished_at: now
}

const factOfAttempt = ({ attempt_id }: Attempt) => uncheckedInstance(Fact, { ...fact, attempt_id })

const webhookOf = ({ attempt_id, campaign_id }: Attempt) =>
  newOutboxRow({
    scope,
    campaign_id,
    deployment_id: null,
    attempt_id,
    url: "https://receiver.example/attempts",
    secret: null,
    body,
    created_at: now,
    now
  })

const settlementOf = ({ attempt_id, user_phone_number }: Attempt, campaign_id: CampaignId): Settlement => ({
  campaign_id,
  user_phone_number,
  attempt_id,
  outcome: "busy",
  last_outcome: { completion_status: "failed", connectivity_status: "busy", next_action_status: null },
  decision: { verdict: "never", reason: "done", at: now, not_before: null },
  next: null
})

/** Takes a batch of attempts of a campaign through claim, acceptance and end, each durable; returns their number. */
export const carryOut = (campaign_id: CampaignId) =>
  Effect.gen(function*() {
    const attempts = yield* AttemptStore
    const queue = yield* DialQueue
    const records = yield* CallRecords
    const facts = yield* FactsLog
    const outbox = yield* Outbox
    const { runGuarded } = yield* Transactions

    const claimed = yield* runGuarded(Effect.gen(function*() {
      const made = (yield* queue.ready(campaign_id, now, batch)).map(attemptOf)
      if (made.length === 0) return made
      yield* attempts.insertMany(made)
      const claims = made.map(({ attempt_id, user_phone_number }) => ({ attempt_id, user_phone_number, from }))
      yield* queue.claimMany([{ scope, campaign_id, claims, at: now, isDialled: true }])
      return made
    }))
    if (claimed.length === 0) return 0

    yield* runGuarded(attempts.acceptMany(
      claimed.map(({ attempt_id }) => ({ attempt_id, provider_call_id: attempt_id }))
    ))

    yield* runGuarded(Effect.gen(function*() {
      yield* queue.settleMany(claimed.map((attempt) => settlementOf(attempt, campaign_id)))
      yield* attempts.endMany(claimed.map(({ attempt_id }) => ({ attempt_id, result })))
      yield* records.recordMany(claimed.map((attempt) => ({ record: recordOf(attempt), transcript: null })))
      yield* facts.appendMany(claimed.map((attempt) => ({ scope, fact: factOfAttempt(attempt) })))
      yield* outbox.enqueueMany(claimed.map(webhookOf))
    }))
    return claimed.length
  })
