import {
  AppId,
  ConnectionId,
  Days,
  DEFAULT_TIME_ZONE,
  DeploymentId,
  Description,
  GivenWebhookConfig,
  PhoneNumber,
  PublicWebhookConfig,
  publicWebhookConfig,
  ResourceName,
  TimeOfDay,
  Timestamp,
  TimeZone,
  trusted,
  WebhookConfig,
  type WeeklyWindow
} from "@trunkline/kernel"
import { Schema } from "effect"

/** A connection and the numbers of it that a deployment answers (shapes 2.1). */
export const ConnectionConfig = Schema.Struct({
  connection_id: ConnectionId,
  phone_numbers: Schema.Array(PhoneNumber).pipe(Schema.minItems(1))
})
export type ConnectionConfig = typeof ConnectionConfig.Type

/** When inbound calls are taken: `[start_time, end_time)` on the allowed days; an earlier end means overnight (shapes 2.1). */
export const InboundConfig = Schema.Struct({
  start_time: TimeOfDay,
  end_time: TimeOfDay,
  allowed_days: Days,
  timezone: Schema.optionalWith(TimeZone, { default: () => DEFAULT_TIME_ZONE })
}).pipe(
  Schema.filter((config) =>
    config.start_time === config.end_time
      ? { path: ["end_time"], message: "Must differ from start_time" }
      : undefined
  )
)
export type InboundConfig = typeof InboundConfig.Type

/** The weekly window of an inbound schedule. */
export const inboundWindow = (config: InboundConfig): WeeklyWindow => ({
  start: config.start_time,
  end: config.end_time,
  days: config.allowed_days,
  timezone: config.timezone
})

/** Whether a deployment takes calls (shapes 2.4). */
export const DeploymentStatus = Schema.Literal("active", "paused")
export type DeploymentStatus = typeof DeploymentStatus.Type

/** An agent version answering phone numbers, as it is kept: {@link DeploymentDetail} is what is shown. */
export class Deployment extends Schema.Class<Deployment>("Deployment")({
  deployment_id: DeploymentId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  app_id: AppId,
  app_version: Schema.Int,
  connection_configs: Schema.Array(ConnectionConfig),
  channel_direction: Schema.Literal("inbound", "outbound", "both"),
  inbound_config: Schema.NullOr(InboundConfig),
  /** Where each conversation is told of, with its secret (shapes 13); null when nowhere. */
  webhook_config: Schema.optionalWith(Schema.NullOr(WebhookConfig), { default: () => null }),
  status: DeploymentStatus,
  created_by: Schema.String,
  created_at: Timestamp,
  updated_by: Schema.NullOr(Schema.String),
  updated_at: Timestamp
}) {}

/** Every number that a deployment answers. */
export const phoneNumbersOf = (deployment: {
  readonly connection_configs: ReadonlyArray<ConnectionConfig>
}): ReadonlyArray<PhoneNumber> => deployment.connection_configs.flatMap((config) => config.phone_numbers)

const shownFields = {
  ...Deployment.fields,
  webhook_config: Schema.NullOr(PublicWebhookConfig)
}

/** The detail record (shapes 2.2): the webhook's secret, once written, is never shown. */
export class DeploymentDetail extends Schema.Class<DeploymentDetail>("DeploymentDetail")(shownFields) {}

const shown = (deployment: Deployment) => ({
  ...deployment,
  webhook_config: deployment.webhook_config && publicWebhookConfig(deployment.webhook_config)
})

/** A deployment as its readers see it. */
export const detailOf = (deployment: Deployment): DeploymentDetail => new DeploymentDetail(shown(deployment), trusted)

/** A deployment as lists show it: numbers in one flat list (shapes 2.3). */
export class DeploymentSummary extends Schema.Class<DeploymentSummary>("DeploymentSummary")({
  ...omitConnections(shownFields),
  phone_numbers: Schema.Array(PhoneNumber)
}) {}

function omitConnections<F extends { readonly connection_configs: unknown }>(fields: F): Omit<F, "connection_configs"> {
  const { connection_configs: _, ...rest } = fields
  return rest
}

/** The list form of a deployment. */
export const summaryOf = (deployment: Deployment): DeploymentSummary =>
  new DeploymentSummary({ ...shown(deployment), phone_numbers: phoneNumbersOf(deployment) }, trusted)

const AppVersion = Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))

/** What creates a deployment (shapes 2.1). */
export const CreateDeployment = Schema.Struct({
  name: ResourceName,
  description: Schema.optionalWith(Schema.NullOr(Description), { default: () => null }),
  app_id: AppId,
  app_version: AppVersion,
  connection_configs: Schema.Array(ConnectionConfig).pipe(Schema.minItems(1)),
  inbound_config: Schema.optionalWith(Schema.NullOr(InboundConfig), { default: () => null }),
  webhook_config: Schema.optionalWith(Schema.NullOr(GivenWebhookConfig), { default: () => null })
})
export type CreateDeployment = typeof CreateDeployment.Type

/** What changes a deployment: absent is unchanged; null clears what may be empty and leaves the rest (shapes 0.3, 2.5). */
export const PatchDeployment = Schema.Struct({
  name: Schema.optional(Schema.NullOr(ResourceName)),
  description: Schema.optional(Schema.NullOr(Description)),
  app_id: Schema.optional(Schema.NullOr(AppId)),
  app_version: Schema.optional(Schema.NullOr(AppVersion)),
  connection_configs: Schema.optional(Schema.NullOr(Schema.Array(ConnectionConfig).pipe(Schema.minItems(1)))),
  inbound_config: Schema.optional(Schema.NullOr(InboundConfig)),
  webhook_config: Schema.optional(Schema.NullOr(GivenWebhookConfig))
})
export type PatchDeployment = typeof PatchDeployment.Type

/** Stops or takes up inbound calls again (shapes 2.4). */
export const DeploymentAction = Schema.Struct({ action: Schema.Literal("pause", "resume") })
export type DeploymentAction = typeof DeploymentAction.Type["action"]
