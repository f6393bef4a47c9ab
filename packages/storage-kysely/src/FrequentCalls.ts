import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  ConnectionId,
  OrgId,
  PhoneNumber,
  Scope,
  WorkspaceId
} from "@trunkline/kernel"
import {
  Attempt,
  type AttemptResult,
  AttemptStore,
  type BlockedNumber,
  BlockedNumbersStore,
  type CallEvent,
  CallEventStore
} from "@trunkline/telephony"
import { DateTime, Effect } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const attempt_id = AttemptId.make("019a0000-0000-7000-8000-000000000001")
const number = PhoneNumber.make("+919876543210")

const attempt = new Attempt({
  ...scope,
  attempt_id,
  kind: "campaign",
  app_id: AppId.make("support"),
  app_version: 1,
  campaign_id: CampaignId.make("camp-a1b2c3d4e5f6"),
  cohort_id: CohortId.make("coh-a1b2c3d4e5f6"),
  deployment_id: null,
  connection_id: ConnectionId.make("sim-1"),
  channel_provider: "simulator",
  channel_protocol: "simulated",
  user_identifier: "user-1",
  user_phone_number: number,
  agent_phone_number: number,
  retry_attempt: 0,
  agent_variables: {},
  app_overrides: {},
  webhook: null,
  attempted_at: 0,
  state: "pending",
  provider_call_id: null,
  result: null
})

const result: AttemptResult = {
  completion_status: "failed",
  connectivity_status: "busy",
  next_action_status: null,
  failure_reason: null,
  interaction: null,
  finished_at: 1
}

const blocked: BlockedNumber = {
  phone_number: number,
  reason: null,
  created_at: DateTime.unsafeMake(0),
  created_by: "tests"
}

const event: CallEvent = {
  event_id: "event-1",
  provider_call_id: "call-1",
  attempt_id,
  news: { _tag: "Ringing" }
}

/** What calls ask all the time, by name and each once. */
export const frequentCalls: Readonly<
  Record<string, Effect.Effect<unknown, never, AttemptStore | BlockedNumbersStore | CallEventStore>>
> = {
  "the life of an attempt": Effect.flatMap(AttemptStore, (store) =>
    Effect.all([
      store.insert(attempt),
      store.find(attempt_id),
      store.claim(attempt_id, 0),
      store.withdraw(AttemptId.make("another")),
      store.accept(attempt_id, "call-1"),
      store.unfinished,
      store.end(attempt_id, result)
    ])),
  "blocked numbers": Effect.flatMap(BlockedNumbersStore, (store) =>
    Effect.all([
      store.add(scope, [blocked]),
      store.find(scope, [number]),
      store.list(scope, { limit: 10, offset: 0 }),
      store.remove(scope, number)
    ])),
  "what a provider tells": Effect.flatMap(CallEventStore, (store) =>
    Effect.all([
      store.insert("simulator", [event], 0),
      store.ofCall("simulator", "call-1"),
      store.callOf("simulator", attempt_id),
      store.removeBefore(1, 500)
    ]))
}
