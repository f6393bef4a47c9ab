import {
  AppId,
  ConnectionId,
  Days,
  defaultTimeZone,
  DeploymentId,
  Description,
  EndTimeOfDay,
  PhoneNumber,
  PublicWebhookConfig,
  publicWebhookConfig,
  ResourceName,
  TimeOfDay,
  Timestamp,
  TimeZone,
  unchecked,
  WebhookConfig,
  WebhookConfigInput,
  type WeeklyWindow,
  withReadOnly
} from "@trunkline/kernel"
import { Schema, Struct } from "effect"

/** A connection and those of its numbers that a deployment answers. */
export const ConnectionConfig = Schema.Struct({
  connection_id: ConnectionId,
  phone_numbers: Schema.Array(PhoneNumber).pipe(Schema.minItems(1))
})
export type ConnectionConfig = typeof ConnectionConfig.Type

/** Schedule of inbound calls: `[start_time, end_time)` on the allowed days. An end before the start means overnight. */
export const InboundConfig = Schema.Struct({
  start_time: TimeOfDay,
  end_time: EndTimeOfDay,
  allowed_days: Days,
  timezone: Schema.optionalWith(TimeZone, { default: () => defaultTimeZone })
}).pipe(
  Schema.filter((config) =>
    config.start_time === config.end_time
      ? { path: ["end_time"], message: "Must differ from start_time; 00:00 to 24:00 is all day" }
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

/** A paused deployment rejects calls. */
export const DeploymentStatus = Schema.Literal("active", "paused")
export type DeploymentStatus = typeof DeploymentStatus.Type

/** An agent version that answers phone numbers, as stored. The API returns it as {@link DeploymentDetail}. */
export class Deployment extends Schema.Class<Deployment>("Deployment")({
  deployment_id: DeploymentId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  app_id: AppId,
  app_version: Schema.Int,
  connection_configs: Schema.Array(ConnectionConfig),
  channel_direction: Schema.Literal("inbound", "outbound", "both"),
  inbound_config: Schema.NullOr(InboundConfig),
  /** Webhook that receives each conversation, with its secret; null for none. */
  webhook_config: Schema.optionalWith(Schema.NullOr(WebhookConfig), { default: () => null }),
  /** True to record its calls, false not to; null or absent: as its agent and the engine say. */
  record: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { exact: true }),
  status: DeploymentStatus,
  created_by: Schema.String,
  created_at: Timestamp,
  updated_by: Schema.NullOr(Schema.String),
  updated_at: Timestamp
}) {}

/** All numbers that a deployment answers. */
export const phoneNumbersOf = (deployment: {
  readonly connection_configs: ReadonlyArray<ConnectionConfig>
}): ReadonlyArray<PhoneNumber> => deployment.connection_configs.flatMap((config) => config.phone_numbers)

const publicFields = {
  ...Deployment.fields,
  webhook_config: Schema.NullOr(PublicWebhookConfig)
}

/** A deployment in API responses. The webhook's secret is write-only and not included. */
export class DeploymentDetail extends Schema.Class<DeploymentDetail>("DeploymentDetail")(publicFields) {}

const publicOf = (deployment: Deployment) => ({
  ...deployment,
  webhook_config: deployment.webhook_config && publicWebhookConfig(deployment.webhook_config)
})

/** Converts a deployment for API responses. */
export const deploymentDetailOf = (deployment: Deployment): DeploymentDetail =>
  new DeploymentDetail(publicOf(deployment), unchecked)

/** A deployment in lists: its numbers are one flat list. A struct, since lists make many of them. */
export const DeploymentSummary = Schema.Struct({
  ...omitConnections(publicFields),
  phone_numbers: Schema.Array(PhoneNumber)
}).annotations({ identifier: "DeploymentSummary" })
export type DeploymentSummary = typeof DeploymentSummary.Type

function omitConnections<F extends { readonly connection_configs: unknown }>(fields: F): Omit<F, "connection_configs"> {
  const { connection_configs: _, ...rest } = fields
  return rest
}

/** Converts a deployment for lists. */
export const deploymentSummaryOf = (deployment: Deployment): DeploymentSummary => ({
  ...publicOf(deployment),
  phone_numbers: phoneNumbersOf(deployment)
})

const AppVersion = Schema.Int.pipe(Schema.greaterThanOrEqualTo(1))

/** Request body that creates a deployment. */
export const CreateDeployment = Schema.Struct({
  name: ResourceName,
  description: Schema.optionalWith(Schema.NullOr(Description), { default: () => null }),
  app_id: AppId,
  app_version: AppVersion,
  connection_configs: Schema.Array(ConnectionConfig).pipe(Schema.minItems(1)),
  inbound_config: Schema.optionalWith(Schema.NullOr(InboundConfig), { default: () => null }),
  webhook_config: Schema.optionalWith(Schema.NullOr(WebhookConfigInput), { default: () => null }),
  /** True to record its calls, false not to; by default as its agent and the engine say. */
  record: Schema.optionalWith(Schema.NullOr(Schema.Boolean), { exact: true })
})
export type CreateDeployment = typeof CreateDeployment.Type

/**
 * Request body that changes a deployment. Absent fields are unchanged; null clears optional fields and is ignored otherwise.
 * A deployment that was read can be sent back; its agent and status must then be the present ones.
 */
export const PatchDeployment = withReadOnly(
  Schema.Struct({
    name: Schema.optional(Schema.NullOr(ResourceName)),
    description: Schema.optional(Schema.NullOr(Description)),
    app_id: Schema.optional(Schema.NullOr(AppId)),
    app_version: Schema.optional(Schema.NullOr(AppVersion)),
    connection_configs: Schema.optional(Schema.NullOr(Schema.Array(ConnectionConfig).pipe(Schema.minItems(1)))),
    inbound_config: Schema.optional(Schema.NullOr(InboundConfig)),
    webhook_config: Schema.optional(Schema.NullOr(WebhookConfigInput)),
    record: Schema.optional(Schema.NullOr(Schema.Boolean)),
    status: Schema.optional(Schema.NullOr(DeploymentStatus))
  }),
  Struct.keys(Deployment.fields)
)
export type PatchDeployment = typeof PatchDeployment.Type

/** Request body that pauses or resumes inbound calls. */
export const DeploymentAction = Schema.Struct({ action: Schema.Literal("pause", "resume") })
export type DeploymentAction = typeof DeploymentAction.Type["action"]
