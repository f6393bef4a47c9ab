import {
  AppId,
  CampaignId,
  ConnectionId,
  Description,
  PhoneNumber,
  PublicWebhookConfig,
  publicWebhookConfig,
  ResourceName,
  Timestamp,
  unchecked,
  WebhookConfig,
  WebhookConfigInput,
  withReadOnly
} from "@trunkline/kernel"
import { AnswerHandling } from "@trunkline/telephony"
import { Either, Schema, Struct } from "effect"
import { Canary, CanarySettings } from "../canary/Canary.js"
import { AllowedSchedule } from "./AllowedSchedule.js"
import { CampaignBudget } from "./CampaignBudget.js"
import { RetryConfig } from "./RetryPolicy.js"

/** Lifecycle status of a campaign. `ended` and `cancelled` are final. */
export const CampaignStatus = Schema.Literal("scheduled", "active", "paused", "ended", "cancelled")
export type CampaignStatus = typeof CampaignStatus.Type

/** Default dial rate of a campaign, in attempts per second. */
export const defaultAttemptsPerSecond = 2

/** A connection that a campaign dials from: its caller numbers, and its share of the dials as a relative weight (default 1). */
export const DialLine = Schema.Struct({
  /** Line to call from. */
  connection_id: ConnectionId,
  /** Numbers of the line to call from. */
  phone_numbers: Schema.Array(PhoneNumber).pipe(Schema.minItems(1)),
  /** Share of the dials relative to the other lines; 1 by default. */
  weight: Schema.optionalWith(Schema.Number.pipe(Schema.positive()), { default: () => 1 })
})
export type DialLine = typeof DialLine.Type

const appConfigFields = {
  /** Agent that holds the conversations. */
  app_id: AppId,
  app_type: Schema.optionalWith(Schema.Literal("agent"), { default: () => "agent" as const }),
  /** Version of the agent, which must be committed. */
  app_version: Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)),
  /** Highest rate of dialling, 0.1 to 500 attempts per second; 2 by default. */
  attempts_per_second: Schema.optionalWith(
    Schema.Number.pipe(Schema.greaterThanOrEqualTo(0.1), Schema.lessThanOrEqualTo(500)),
    { default: () => defaultAttemptsPerSecond }
  ),
  /** Lines to call from. */
  connection_configs: Schema.Array(DialLine).pipe(Schema.minItems(1)),
  /** Retry policy; the defaults apply when absent. */
  retry_config: Schema.optionalWith(Schema.NullOr(RetryConfig), { default: () => null }),
  /** Conduct when something other than a person answers; nobody finds out by default. */
  answer_handling: Schema.optionalWith(Schema.NullOr(AnswerHandling), { default: () => null }),
  /** True to record its calls, false not to; null, the default: as its agent and the engine say. */
  record: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { exact: true }),
  /** Money that the campaign may spend on its calls, after which it is paused; without limit by default. */
  budget: Schema.optionalWith(Schema.NullOr(CampaignBudget), { exact: true }),
  /** Webhook that receives the result of every attempt; none by default. */
  webhook_config: Schema.optionalWith(Schema.NullOr(WebhookConfig), { default: () => null }),
  phone_rotation: Schema.optionalWith(
    Schema.Struct({ agent: Schema.optionalWith(Schema.Boolean, { default: () => false }) }),
    { nullable: true, default: () => ({ agent: false }) }
  )
}

const rotationIssue = ({ connection_configs, phone_rotation }: {
  readonly connection_configs: ReadonlyArray<DialLine>
  readonly phone_rotation: { readonly agent: boolean }
}) =>
  phone_rotation.agent && connection_configs.flatMap((line) => line.phone_numbers).length < 2
    ? { path: ["phone_rotation", "agent"], message: "Rotation needs two or more numbers" }
    : undefined

/** Stored configuration of a campaign: its agent, lines, dial rate, retry policy and webhook. */
export const AppConfig = Schema.Struct(appConfigFields).pipe(Schema.filter(rotationIssue))
export type AppConfig = typeof AppConfig.Type

/** Configuration as a request gives it; its webhook is validated more strictly than stored ones. */
const GivenAppConfig = Schema.Struct({
  ...appConfigFields,
  webhook_config: Schema.optionalWith(Schema.NullOr(WebhookConfigInput), { default: () => null })
}).pipe(Schema.filter(rotationIssue))

/** A campaign as it is stored. */
export class Campaign extends Schema.Class<Campaign>("Campaign")({
  campaign_id: CampaignId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  status: CampaignStatus,
  app_id: AppId,
  app_type: Schema.Literal("agent"),
  app_version: Schema.NullOr(Schema.Int),
  app_config: AppConfig,
  start_timestamp: Timestamp,
  end_timestamp: Timestamp,
  allowed_schedule: AllowedSchedule,
  /** The newest canary; null without one, and absent from campaigns of earlier versions. */
  canary: Schema.optionalWith(Schema.NullOr(Canary), { exact: true }),
  created_by: Schema.String,
  created_at: Timestamp,
  updated_by: Schema.NullOr(Schema.String),
  updated_at: Timestamp
}) {}

/** A campaign without its configuration, as lists and writes return it. */
export class CampaignMetadata extends Schema.Class<CampaignMetadata>("CampaignMetadata")({
  campaign_id: CampaignId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  status: CampaignStatus,
  app_id: AppId,
  app_type: Schema.Literal("agent"),
  app_version: Schema.NullOr(Schema.Int),
  created_by: Schema.String,
  created_at: Timestamp,
  updated_by: Schema.NullOr(Schema.String),
  updated_at: Timestamp
}) {}

/** The metadata of a stored campaign. */
export const campaignMetadataOf = (campaign: Campaign): CampaignMetadata => new CampaignMetadata(campaign, unchecked)

/** Request body that creates a campaign. A start in the past starts it at once. */
export const CreateCampaign = Schema.Struct({
  name: ResourceName,
  description: Schema.optionalWith(Schema.NullOr(Description), { default: () => null }),
  app_config: GivenAppConfig,
  start_timestamp: Timestamp,
  end_timestamp: Timestamp,
  allowed_schedule: AllowedSchedule,
  /** Version of the agent to try on a part of the contacts; none by default. */
  canary: Schema.optionalWith(Schema.NullOr(CanarySettings), { exact: true })
})
export type CreateCampaign = typeof CreateCampaign.Type

/**
 * Request body that changes a scheduled or paused campaign. Absent fields keep their value. A campaign that was read can be
 * sent back; its status must then be the present one, which only an action changes.
 */
export const PatchCampaign = withReadOnly(
  Schema.Struct({
    name: Schema.optional(Schema.NullOr(ResourceName)),
    description: Schema.optional(Schema.NullOr(Description)),
    app_config: Schema.optional(Schema.NullOr(GivenAppConfig)),
    end_timestamp: Schema.optional(Schema.NullOr(Timestamp)),
    allowed_schedule: Schema.optional(Schema.NullOr(AllowedSchedule)),
    status: Schema.optional(Schema.NullOr(CampaignStatus))
  }),
  Struct.keys(Campaign.fields)
)
export type PatchCampaign = typeof PatchCampaign.Type

/** Request body that pauses, resumes or cancels a campaign. */
export const CampaignAction = Schema.Struct({
  action: Schema.Literal("pause", "resume", "cancel"),
  /** Stops the calls that ring, with pause and cancel; false by default. Answered calls go on. */
  cancel_ringing: Schema.optionalWith(Schema.Boolean, { default: () => false })
}).pipe(
  Schema.filter(({ action, cancel_ringing }) =>
    action === "resume" && cancel_ringing
      ? { path: ["cancel_ringing"], message: "Goes with pause and cancel only" }
      : undefined
  )
)
export type CampaignAction = typeof CampaignAction.Type["action"]

/** A campaign as readers see it: like the stored one, but without the secret of its webhook. */
export class CampaignDetail extends Schema.Class<CampaignDetail>("CampaignDetail")({
  ...Campaign.fields,
  app_config: Schema.Struct({
    ...AppConfig.from.fields,
    webhook_config: Schema.NullOr(PublicWebhookConfig)
  })
}) {}

/** The readers' view of a stored campaign. */
export const campaignDetailOf = (campaign: Campaign): CampaignDetail => {
  const { webhook_config, ...app_config } = campaign.app_config
  return new CampaignDetail({
    ...campaign,
    app_config: { ...app_config, webhook_config: webhook_config && publicWebhookConfig(webhook_config) }
  }, unchecked)
}

/** Returns true for the final statuses, `ended` and `cancelled`. */
export const isFinalStatus = (status: CampaignStatus): boolean => status === "ended" || status === "cancelled"

/** Returns true while a campaign may be changed: scheduled or paused. */
export const isEditable = (status: CampaignStatus): boolean => status === "scheduled" || status === "paused"

/**
 * The status that an action leads to, or the message of its rejection. `started` is true once the start time has come: a
 * campaign that resumes before it goes back to `scheduled`.
 */
export const actOn = (
  status: CampaignStatus,
  action: CampaignAction,
  isStarted: boolean
): Either.Either<CampaignStatus, string> => {
  if (isFinalStatus(status)) return Either.left(`The campaign is ${status} and cannot be paused, resumed or cancelled`)
  switch (action) {
    case "cancel":
      return Either.right("cancelled")
    case "pause":
      return status === "paused" ? Either.left("The campaign is already paused") : Either.right("paused")
    case "resume":
      return status === "paused"
        ? Either.right(isStarted ? "active" : "scheduled")
        : Either.left(`Only a paused campaign can be resumed; this one is ${status}`)
  }
}
