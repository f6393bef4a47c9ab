import {
  AppId,
  AttemptId,
  CallAnswer,
  CampaignId,
  CanaryArm,
  CohortId,
  CompletionStatus,
  ConnectionId,
  ConnectivityStatus,
  CostLedger,
  DeploymentId,
  InteractionId,
  NextActionStatus,
  OrgId,
  PhoneNumber,
  Variables,
  WebhookConfig,
  WorkspaceId
} from "@trunkline/kernel"
import { Schema } from "effect"
import { AnswerHandling } from "./AnswerHandling.js"
import { AppOverrides, resultFields } from "./CallHandler.js"
import { RecordingResult } from "./CallRecording.js"

/** The conversation of a connected attempt. Times are epoch milliseconds of business time. */
export const Interaction = Schema.Struct({
  interaction_id: InteractionId,
  started_at: Schema.Number,
  ended_at: Schema.Number,
  ...resultFields,
  /** Moments at which another process went on with the conversation after its own had stopped; absent: none. */
  resumed_at: Schema.optionalWith(Schema.Array(Schema.Number), { exact: true }),
  /** Fate of its recording; absent for a call that was not recorded. */
  recording: Schema.optionalWith(RecordingResult, { exact: true })
})
export type Interaction = typeof Interaction.Type

/** The words by which a caller refused all further calls, and their moment in epoch milliseconds of business time. */
export const OptOut = Schema.Struct({ text: Schema.String, at: Schema.Number })
export type OptOut = typeof OptOut.Type

/** Result of a finished attempt. */
export const AttemptResult = Schema.Struct({
  completion_status: CompletionStatus,
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  next_action_status: Schema.NullOr(NextActionStatus),
  failure_reason: Schema.NullOr(Schema.String),
  /** Null unless the call connected. */
  interaction: Schema.NullOr(Interaction),
  finished_at: Schema.Number,
  /** Absent unless the caller refused all further calls. */
  opt_out: Schema.optionalWith(OptOut, { exact: true }),
  /** Party that answered, and what was done; absent where nobody was to find out, and unless the call connected. */
  answer: Schema.optionalWith(CallAnswer, { exact: true }),
  /** Costs of the call; absent where the engine has no prices. */
  costs: Schema.optionalWith(CostLedger, { exact: true })
})
export type AttemptResult = typeof AttemptResult.Type

/**
 * Progress of an attempt. `pending`: waits for a free slot and has not been dialled. `claimed`: is about to be dialled
 * or was dialled; after a crash the two cannot be told apart. `accepted`: the provider has the call. `ended`: has a
 * result.
 */
export const AttemptState = Schema.Literal("pending", "claimed", "accepted", "ended")
export type AttemptState = typeof AttemptState.Type

/** One attempt to talk to one contact, from the intent to dial to the result. */
export class Attempt extends Schema.Class<Attempt>("Attempt")({
  attempt_id: AttemptId,
  org_id: OrgId,
  workspace_id: WorkspaceId,
  kind: Schema.Literal("campaign", "outbound", "inbound"),
  app_id: AppId,
  app_version: Schema.Int,
  campaign_id: Schema.NullOr(CampaignId),
  cohort_id: Schema.NullOr(CohortId),
  deployment_id: Schema.NullOr(DeploymentId),
  connection_id: ConnectionId,
  channel_provider: Schema.String,
  channel_protocol: Schema.String,
  user_identifier: Schema.String,
  user_phone_number: PhoneNumber,
  agent_phone_number: PhoneNumber,
  /** Number of earlier attempts for this contact in this campaign. */
  retry_attempt: Schema.Int,
  agent_variables: Variables,
  app_overrides: AppOverrides,
  /** Conduct when something other than a person answers; absent where nobody is to find out. */
  answer_handling: Schema.optionalWith(AnswerHandling, { exact: true }),
  /** Canary of its campaign when it was claimed, by its number, and the arm of the contact; absent without one. */
  canary: Schema.optionalWith(Schema.Struct({ number: Schema.Int, arm: CanaryArm }), { exact: true }),
  /** Webhook that receives the result. */
  webhook: Schema.NullOr(WebhookConfig),
  /** Time at which the call was dialled or arrived, in epoch milliseconds of business time. */
  attempted_at: Schema.Number,
  state: AttemptState,
  provider_call_id: Schema.NullOr(Schema.String),
  result: Schema.NullOr(AttemptResult)
}) {}
