import {
  AppId,
  CampaignId,
  ConnectionId,
  Days,
  DEFAULT_TIME_ZONE,
  Description,
  GivenWebhookConfig,
  PhoneNumber,
  ResourceName,
  TimeOfDay,
  Timestamp,
  TimeZone,
  trusted,
  WebhookConfig,
  type WeeklyWindow
} from "@trunkline/kernel"
import { Schema } from "effect"
import { RetryConfig } from "../retry/RetryPolicy.js"

/** Where a campaign is in its life (shapes 3.7). `ended` and `cancelled` are final. */
export const CampaignStatus = Schema.Literal("scheduled", "active", "paused", "ended", "cancelled")
export type CampaignStatus = typeof CampaignStatus.Type

/** Dials per second when a campaign does not say (shapes 3.2). */
export const DEFAULT_ATTEMPTS_PER_SECOND = 2

/** A connection that a campaign dials from: its numbers, and its share of the dials (shapes 3.2). */
export const DialLine = Schema.Struct({
  connection_id: ConnectionId,
  phone_numbers: Schema.Array(PhoneNumber).pipe(Schema.minItems(1)),
  weight: Schema.optionalWith(Schema.Number.pipe(Schema.positive()), { default: () => 1 })
})
export type DialLine = typeof DialLine.Type

const appConfigFields = {
  app_id: AppId,
  app_type: Schema.optionalWith(Schema.Literal("agent"), { default: () => "agent" as const }),
  app_version: Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)),
  attempts_per_second: Schema.optionalWith(
    Schema.Number.pipe(Schema.greaterThanOrEqualTo(0.1), Schema.lessThanOrEqualTo(500)),
    { default: () => DEFAULT_ATTEMPTS_PER_SECOND }
  ),
  connection_configs: Schema.Array(DialLine).pipe(Schema.minItems(1)),
  retry_config: Schema.optionalWith(Schema.NullOr(RetryConfig), { default: () => null }),
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

/** Which agent calls, from which numbers, how fast and how persistently (shapes 3.2), as it is kept. */
export const AppConfig = Schema.Struct(appConfigFields).pipe(Schema.filter(rotationIssue))
export type AppConfig = typeof AppConfig.Type

/** An agent configuration as a request gives it: stricter than what may have been kept before. */
const GivenAppConfig = Schema.Struct({
  ...appConfigFields,
  webhook_config: Schema.optionalWith(Schema.NullOr(GivenWebhookConfig), { default: () => null })
}).pipe(Schema.filter(rotationIssue))

/** The hours in which a campaign dials: `[start, end)` on the allowed days; an earlier end means overnight (shapes 3.4). */
export const AllowedSchedule = Schema.Struct({
  allowed_start_time: TimeOfDay,
  allowed_end_time: TimeOfDay,
  allowed_days: Days,
  timezone: Schema.optionalWith(TimeZone, { default: () => DEFAULT_TIME_ZONE })
}).pipe(
  Schema.filter((schedule) =>
    schedule.allowed_start_time === schedule.allowed_end_time
      ? { path: ["allowed_end_time"], message: "Must differ from allowed_start_time" }
      : undefined
  )
)
export type AllowedSchedule = typeof AllowedSchedule.Type

const windows = new WeakMap<AllowedSchedule, WeeklyWindow>()

/** The weekly window of a campaign's schedule; the same one each time, since windows are read faster again. */
export const dialWindow = (schedule: AllowedSchedule): WeeklyWindow => {
  const known = windows.get(schedule)
  if (known !== undefined) return known
  const window = {
    start: schedule.allowed_start_time,
    end: schedule.allowed_end_time,
    days: schedule.allowed_days,
    timezone: schedule.timezone
  }
  windows.set(schedule, window)
  return window
}

/** A campaign with all that is known of it, as it is kept. */
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
  created_by: Schema.String,
  created_at: Timestamp,
  updated_by: Schema.NullOr(Schema.String),
  updated_at: Timestamp
}) {}

/** What lists and writes answer (shapes 3.5). */
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

/** A campaign without its configuration. */
export const metadataOf = (campaign: Campaign): CampaignMetadata => new CampaignMetadata(campaign, trusted)

/** What creates a campaign (shapes 3.1). A start in the past means at once. */
export const CreateCampaign = Schema.Struct({
  name: ResourceName,
  description: Schema.optionalWith(Schema.NullOr(Description), { default: () => null }),
  app_config: GivenAppConfig,
  start_timestamp: Timestamp,
  end_timestamp: Timestamp,
  allowed_schedule: AllowedSchedule
})
export type CreateCampaign = typeof CreateCampaign.Type

/** What changes a campaign while it is scheduled or paused (shapes 3.8, 0.3). */
export const PatchCampaign = Schema.Struct({
  name: Schema.optional(Schema.NullOr(ResourceName)),
  description: Schema.optional(Schema.NullOr(Description)),
  app_config: Schema.optional(Schema.NullOr(GivenAppConfig)),
  end_timestamp: Schema.optional(Schema.NullOr(Timestamp)),
  allowed_schedule: Schema.optional(Schema.NullOr(AllowedSchedule))
})
export type PatchCampaign = typeof PatchCampaign.Type

/** What can be asked of a campaign (shapes 3.7). */
export const CampaignAction = Schema.Struct({ action: Schema.Literal("pause", "resume", "cancel") })
export type CampaignAction = typeof CampaignAction.Type["action"]
