import {
  afterCallFields,
  AppId,
  AttemptId,
  CampaignId,
  CanaryArm,
  CohortId,
  CompletionStatus,
  ConnectivityStatus,
  DeploymentId,
  ExtractionStatus,
  InteractionId,
  NextActionStatus,
  nullableConversationFields,
  type Scope,
  Timestamp,
  Variables
} from "@trunkline/kernel"
import { Context, Effect, Schema } from "effect"

const NullableNumber = Schema.NullOr(Schema.NonNegative)
const NullableTimestamp = Schema.NullOr(Timestamp)
const NullableText = Schema.NullOr(Schema.String)
const Flag = Schema.Literal(0, 1)

/**
 * The record of one finished call attempt: a row behind the analysts' view. Fields of the conversation are null without
 * one. Times are business time.
 */
export class Fact extends Schema.Class<Fact>("Fact")({
  attempt_id: AttemptId,
  interaction_id: Schema.NullOr(InteractionId),
  app_id: AppId,
  app_version: Schema.Int,
  deployment_id: Schema.NullOr(DeploymentId),
  campaign_id: Schema.NullOr(CampaignId),
  cohort_id: Schema.NullOr(CohortId),
  /** Identifier of the contact; erasure selects by it. */
  user_identifier: Schema.String,
  /** Masked except for the last four digits, unless the engine exposes numbers. */
  user_phone_number: Schema.String,
  /** Hash of the phone number; equal for equal numbers. */
  user_contact_hashed: Schema.String,
  agent_phone_number: NullableText,
  /** Origin of the call: the contact, a campaign, or a single outbound call. */
  direction: Schema.Literal("inbound", "campaign", "outbound"),
  channel_type: Schema.String,
  channel_provider: Schema.String,
  channel_protocol: Schema.String,
  completion_status: CompletionStatus,
  connectivity_status: Schema.NullOr(ConnectivityStatus),
  next_action_status: Schema.NullOr(NextActionStatus),
  failure_reason: NullableText,
  /** The words by which the caller refused all further calls; absent in facts of earlier versions. */
  opt_out: Schema.optionalWith(NullableText, { exact: true }),
  /** Party that answered, and what was done; absent in facts of earlier versions. */
  answered_by: Schema.optionalWith(NullableText, { exact: true }),
  answer_action: Schema.optionalWith(NullableText, { exact: true }),
  ended_by: NullableText,
  /** Arm of the contact while its campaign had a canary; absent in facts of earlier versions. */
  canary_arm: Schema.optionalWith(Schema.NullOr(CanaryArm), { exact: true }),
  retry_attempt: Schema.NonNegativeInt,
  num_messages: Schema.NullOr(Schema.NonNegativeInt),
  user_turns: Schema.NullOr(Schema.NonNegativeInt),
  agent_turns: Schema.NullOr(Schema.NonNegativeInt),
  is_debug_call: Flag,
  has_log_issues: Flag,
  /** When the attempt was scheduled. */
  scheduled_at: NullableTimestamp,
  /** When the call was dialled or arrived. */
  executed_at: Timestamp,
  start_datetime: NullableTimestamp,
  end_datetime: NullableTimestamp,
  /** Seconds of conversation. */
  duration: NullableNumber,
  /** Seconds from dialling to the conversation. */
  ring_seconds: NullableNumber,
  average_agent_response_time_in_seconds: NullableNumber,
  average_user_response_time_in_seconds: NullableNumber,
  /** Known cost of the call, when the engine has prices: the least that it costs unless it is complete. */
  cost_amount: NullableNumber,
  /** 1 when every price was known, otherwise 0; null without prices, and absent in facts of earlier versions. */
  cost_complete: Schema.optionalWith(Schema.NullOr(Flag), { exact: true }),
  /** ISO 4217 code; set with every amount. */
  cost_currency: NullableText,
  initial_agent_variables: Schema.NullOr(Variables),
  ...nullableConversationFields,
  /** Summary and typed output variables that were found out after the call; absent in facts of earlier versions. */
  summary: Schema.optionalWith(afterCallFields.summary, { exact: true }),
  output_variables: Schema.optionalWith(afterCallFields.output_variables, { exact: true }),
  /** State of the work after the call; absent in facts of earlier versions, null of agents without `after_call`. */
  extraction_status: Schema.optionalWith(Schema.NullOr(ExtractionStatus), { exact: true }),
  /** Metadata supplied by the API client. */
  metadata: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
}) {}

/** Names of the entities that a fact refers to; null when unknown. Looked up when the fact is projected. */
export interface FactNames {
  readonly app_name: string | null
  readonly campaign_name: string | null
  readonly cohort_name: string | null
}

/** Looks up the current names of a fact's agent, campaign and cohort. Returns null for all of them by default. */
export class FactNameLookup extends Context.Reference<FactNameLookup>()("@trunkline/warehouse/Names", {
  defaultValue: (): {
    readonly of: (
      scope: Scope,
      fact: Pick<Fact, "app_id" | "campaign_id" | "cohort_id" | "deployment_id">
    ) => Effect.Effect<FactNames>
  } => ({ of: () => Effect.succeed({ app_name: null, campaign_name: null, cohort_name: null }) })
}) {}
