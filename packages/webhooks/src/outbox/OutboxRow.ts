import { AttemptId, CampaignId, DeploymentId, Scope } from "@trunkline/kernel"
import { Option, Schema } from "effect"

/** `pending` until a receiver took it (`delivered`) or nobody will (`dead`). */
export const OutboxState = Schema.Literal("pending", "delivered", "dead")
export type OutboxState = typeof OutboxState.Type

/** One webhook on its way: what to send where, frozen when it was put in, and how far it has come. */
export const OutboxRow = Schema.Struct({
  /** `att_` and the attempt id: the same on every try, and what receivers tell duplicates by. */
  webhook_id: Schema.String,
  scope: Scope,
  /** Null for calls outside a campaign. */
  campaign_id: Schema.NullOr(CampaignId),
  /** Null for calls that came in on no deployment. */
  deployment_id: Schema.NullOr(DeploymentId),
  attempt_id: AttemptId,
  url: Schema.String,
  /** Whom it goes to, within the workspace: see {@link endpointOf}. Endpoints share nothing but the outbox. */
  endpoint: Schema.String,
  /** The secret when it was put in; null when there was none. */
  secret: Schema.NullOr(Schema.String),
  /** The exact bytes of every try. */
  body: Schema.Uint8ArrayFromSelf,
  state: OutboxState,
  /** Tries begun. */
  tries: Schema.NonNegativeInt,
  /** When the next try is due, in real milliseconds since 1970. */
  due_at: Schema.Int,
  /** Until when the try that is running keeps the row to itself, in real milliseconds since 1970; 0 when none runs. */
  leased_until: Schema.Int,
  /** When the latest try began, in real milliseconds since 1970. */
  started_at: Schema.NullOr(Schema.Int),
  /** When it was delivered or given up, in real milliseconds since 1970. */
  finished_at: Schema.NullOr(Schema.Int),
  /** The latest status answered; null when none came. */
  last_status: Schema.NullOr(Schema.Int),
  /** Why the latest try failed, without URL or body; null when it did not. */
  last_error: Schema.NullOr(Schema.String),
  /** When the attempt was recorded, in business milliseconds since 1970. */
  created_at: Schema.Int
})
export type OutboxRow = typeof OutboxRow.Type

/** The webhook id of an attempt (decisions 13); it holds no dot, which signatures use as a separator. */
export const webhookIdOf = (attempt: AttemptId): string => `att_${attempt}`

const parseUrl = Option.liftThrowable((url: string) => new URL(url))

/** What is no URL goes nowhere, and all of it to the same place. */
const originOf = (url: string): string =>
  Option.match(parseUrl(url), { onNone: () => "null", onSome: ({ origin }) => origin })

/** Whether a single call asked for the webhook: no campaign or deployment stands behind it. */
export const isOfSingleCall = (row: Pick<OutboxRow, "campaign_id" | "deployment_id">): boolean =>
  row.campaign_id === null && row.deployment_id === null

/** Whom the webhooks of campaigns and deployments with this URL go to. */
export const ownedEndpoint = (url: string): string => url

/**
 * Whom a webhook goes to: the URL of the campaign or deployment. Single calls may name another URL each time, so that
 * all of theirs to one scheme, host and port are one endpoint.
 */
export const endpointOf = (row: Pick<OutboxRow, "campaign_id" | "deployment_id" | "url">): string =>
  isOfSingleCall(row) ? `* ${originOf(row.url)}` : ownedEndpoint(row.url)

/** A webhook that has not been tried, due at `now`: real milliseconds since 1970. */
export const newOutboxRow = (
  { now, ...webhook }:
    & Pick<
      OutboxRow,
      "scope" | "campaign_id" | "deployment_id" | "attempt_id" | "url" | "secret" | "body" | "created_at"
    >
    & { readonly now: number }
): OutboxRow => ({
  ...webhook,
  webhook_id: webhookIdOf(webhook.attempt_id),
  endpoint: endpointOf(webhook),
  state: "pending",
  tries: 0,
  due_at: now,
  leased_until: 0,
  started_at: null,
  finished_at: null,
  last_status: null,
  last_error: null
})

/** How a webhook stands, as the deliveries list names it (shapes 13). */
export const DeliveryStatus = Schema.Literal("pending", "running", "delivered", "failed")
export type DeliveryStatus = typeof DeliveryStatus.Type

/** The status of a row at `now`, in real milliseconds since 1970. */
export const deliveryStatus = (row: Pick<OutboxRow, "state" | "leased_until">, now: number): DeliveryStatus => {
  if (row.state === "pending") return row.leased_until > now ? "running" : "pending"
  return row.state === "delivered" ? "delivered" : "failed"
}

/** When a pending row can be claimed. */
export const claimableAt = (row: Pick<OutboxRow, "due_at" | "leased_until">): number =>
  Math.max(row.due_at, row.leased_until)
