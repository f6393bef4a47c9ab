import { type CallQuery, CallRecords } from "@trunkline/analytics"
import { BoardId, BoardStore } from "@trunkline/boards"
import {
  AppId,
  AttemptId,
  CampaignId,
  CohortId,
  ConnectionId,
  DeploymentId,
  InteractionId,
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
  CallEventStore,
  DeploymentStore
} from "@trunkline/telephony"
import { FactsLog } from "@trunkline/warehouse"
import { factOf, factScope } from "@trunkline/warehouse/testing"
import { DateTime, Effect } from "effect"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const attempt_id = AttemptId.make("019a0000-0000-7000-8000-000000000001")
const number = PhoneNumber.make("+919876543210")

const app_id = AppId.make("support")
const newest = { offset: 0, limit: 10, sort_by: "created_at", sort_order: "desc", search: "" } as const

const lastDay: CallQuery = {
  start_datetime: DateTime.unsafeMake("2026-01-01T00:00:00Z"),
  end_datetime: DateTime.unsafeMake("2026-01-02T00:00:00Z"),
  limit: 20,
  offset: 0,
  sort_order: "desc",
  filter_conditions: []
}

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

const factsScope = factScope("frequent")
const fact = factOf(factsScope, 1)
const board_id = BoardId.make("00000000-0000-4000-8000-000000000000")

/** The frequent queries of calls, deployments and analytics, by name. */
export const callQueries: Readonly<
  Record<
    string,
    Effect.Effect<
      unknown,
      never,
      AttemptStore | BlockedNumbersStore | BoardStore | CallEventStore | CallRecords | DeploymentStore | FactsLog
    >
  >
> = {
  "the life of an attempt": Effect.flatMap(AttemptStore, (store) =>
    Effect.all([
      store.insertMany([attempt]),
      store.claim(attempt_id, 0),
      store.withdraw(AttemptId.make("another")),
      store.unfinished,
      store.findMany([attempt_id]),
      store.acceptMany([{ attempt_id, provider_call_id: "call-1" }]),
      store.endMany([{ attempt_id, result }])
    ])),
  "blocked numbers": Effect.flatMap(BlockedNumbersStore, (store) =>
    Effect.all([
      store.add(scope, [blocked]),
      store.find(scope, [number]),
      store.list(scope, { limit: 10, offset: 0 }),
      store.remove(scope, number)
    ])),
  "events of a provider": Effect.flatMap(CallEventStore, (store) =>
    Effect.all([
      store.insert("simulator", [event], 0),
      store.ofCall("simulator", "call-1"),
      store.callOf("simulator", attempt_id),
      store.removeBefore(1, 500)
    ])),
  "the deployment of a number": Effect.flatMap(DeploymentStore, (store) => store.findByNumber(number)),
  "a deployment": Effect.flatMap(DeploymentStore, (store) => store.find(scope, DeploymentId.make("dep-a1b2c3d4e5f6"))),
  "the newest deployments": Effect.flatMap(DeploymentStore, (store) => store.list(scope, newest)),
  "the calls of a day": Effect.flatMap(
    CallRecords,
    (store) => Effect.orDie(store.query({ scope, app_id, kind: "attempts", query: lastDay }))
  ),
  "the conversations of a day": Effect.flatMap(
    CallRecords,
    (store) => Effect.orDie(store.query({ scope, app_id, kind: "interactions", query: lastDay }))
  ),
  "the calls for a user": Effect.flatMap(
    CallRecords,
    (store) => Effect.zipRight(store.ofUser(scope, "user-1"), store.erase(scope, [attempt_id]))
  ),
  "a transcript": Effect.flatMap(
    CallRecords,
    (store) => store.transcript({ scope, app_id, interaction_id: InteractionId.make(`20260101-${attempt_id}`) })
  ),
  "a board": Effect.flatMap(
    BoardStore,
    (store) =>
      Effect.all([
        store.find(factsScope, board_id),
        store.findByName(factsScope, "Calls"),
        store.remove(factsScope, board_id)
      ])
  ),
  "the newest boards": Effect.flatMap(BoardStore, (store) => store.list(factsScope, { limit: 50, offset: 0 })),
  "facts for a warehouse": Effect.flatMap(FactsLog, (log) =>
    Effect.all([
      log.appendMany([{ scope: factsScope, fact }]),
      log.find(factsScope, fact.attempt_id),
      log.read(factsScope, { after: 0, limit: 500 }),
      log.end(factsScope),
      log.workspaces,
      log.erase(factsScope, fact.user_identifier)
    ]))
}
