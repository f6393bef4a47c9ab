import { AttemptId, CampaignId, DeploymentId, Scope } from "@trunkline/kernel"
import { Option, Schema } from "effect"

/** `pending` until a receiver accepts the webhook (`delivered`) or it is given up (`dead`). */
export const OutboxState = Schema.Literal("pending", "delivered", "dead")
export type OutboxState = typeof OutboxState.Type

/** A webhook in the outbox: its content, which does not change once a try has begun, and the progress of its delivery. */
export const OutboxRow = Schema.Struct({
  /** `att_` and the attempt id: the same on every try, so that receivers can detect duplicates. */
  webhook_id: Schema.String,
  scope: Scope,
  /** Null for calls outside a campaign. */
  campaign_id: Schema.NullOr(CampaignId),
  /** Null for calls without a deployment. */
  deployment_id: Schema.NullOr(DeploymentId),
  attempt_id: AttemptId,
  url: Schema.String,
  /** Destination within the workspace: see {@link endpointOf}. Endpoints are independent of each other. */
  endpoint: Schema.String,
  /** Secret at the time of enqueueing; null if there was none. */
  secret: Schema.NullOr(Schema.String),
  /** Exact bytes of every try. */
  body: Schema.Uint8ArrayFromSelf,
  state: OutboxState,
  /** Number of tries. */
  tries: Schema.NonNegativeInt,
  /** Time of the next try, in real milliseconds since 1970. */
  due_at: Schema.Int,
  /** End of the lease of the running try, in real milliseconds since 1970; 0 if none runs. */
  leased_until: Schema.Int,
  /** Start of the latest try, in real milliseconds since 1970. */
  started_at: Schema.NullOr(Schema.Int),
  /** Time of delivery or of giving up, in real milliseconds since 1970. */
  finished_at: Schema.NullOr(Schema.Int),
  /** Status of the latest response; null if there was none. */
  last_status: Schema.NullOr(Schema.Int),
  /** Reason for the failure of the latest try, without URL or body; null after a success. */
  last_error: Schema.NullOr(Schema.String),
  /** Time of recording the attempt, in business milliseconds since 1970. */
  created_at: Schema.Int
})
export type OutboxRow = typeof OutboxRow.Type

/** Webhook id of an attempt. It contains no dot, which separates the parts of a signed message. */
export const webhookIdOf = (attempt: AttemptId): string => `att_${attempt}`

const parseUrl = Option.liftThrowable((url: string) => new URL(url))

/** Origin of a URL; invalid URLs share the origin `null`. */
const originOf = (url: string): string =>
  Option.match(parseUrl(url), { onNone: () => "null", onSome: ({ origin }) => origin })

/** True for a webhook of a single call, without a campaign or deployment. */
export const isOfSingleCall = (row: Pick<OutboxRow, "campaign_id" | "deployment_id">): boolean =>
  row.campaign_id === null && row.deployment_id === null

/** Endpoint of campaigns and deployments with this URL. */
export const ownedEndpoint = (url: string): string => url

/**
 * Endpoint of a webhook: the URL of its campaign or deployment. Single calls may use a different URL each time, so all of
 * their webhooks to one scheme, host and port share an endpoint.
 */
const endpointOf = (row: Pick<OutboxRow, "campaign_id" | "deployment_id" | "url">): string =>
  isOfSingleCall(row) ? `* ${originOf(row.url)}` : ownedEndpoint(row.url)

/** Makes a new webhook that is due at `now`, in real milliseconds since 1970, or after a wait in milliseconds. */
export const newOutboxRow = (
  { now, wait = 0, ...webhook }:
    & Pick<
      OutboxRow,
      "scope" | "campaign_id" | "deployment_id" | "attempt_id" | "url" | "secret" | "body" | "created_at"
    >
    & { readonly now: number; readonly wait?: number }
): OutboxRow => ({
  webhook_id: webhookIdOf(webhook.attempt_id),
  endpoint: endpointOf(webhook),
  state: "pending",
  tries: 0,
  due_at: now + wait,
  leased_until: 0,
  started_at: null,
  finished_at: null,
  last_status: null,
  last_error: null,
  ...webhook
})

/** Status of a webhook in the list of deliveries. */
export const DeliveryStatus = Schema.Literal("pending", "running", "delivered", "failed")
export type DeliveryStatus = typeof DeliveryStatus.Type

/** Status of a row at `now`, in real milliseconds since 1970. */
export const deliveryStatus = (row: Pick<OutboxRow, "state" | "leased_until">, now: number): DeliveryStatus => {
  if (row.state === "pending") return row.leased_until > now ? "running" : "pending"
  return row.state === "delivered" ? "delivered" : "failed"
}

/** Earliest time at which a pending row can be claimed. */
export const claimableAt = (row: Pick<OutboxRow, "due_at" | "leased_until">): number =>
  Math.max(row.due_at, row.leased_until)
