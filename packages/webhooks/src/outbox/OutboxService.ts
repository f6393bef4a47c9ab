import type { AttemptId, CampaignId, Scope } from "@trunkline/kernel"
import type { Effect, Option } from "effect"
import type { ClaimPlan } from "./ClaimPlan.js"
import type { TryResult } from "./DeliverySchedule.js"
import type { EndpointHealth } from "./EndpointHealth.js"
import type { DeliveryStatus, OutboxRow } from "./OutboxRow.js"

/** Number of webhooks by state. */
export interface OutboxCounts {
  readonly pending: number
  readonly delivered: number
  readonly dead: number
}

/** Result of a claim: webhooks to try now, and the number of others that were given up. */
export interface Claimed {
  readonly rows: ReadonlyArray<OutboxRow>
  readonly givenUp: number
}

/** Position in a campaign's list of webhooks. */
export type OutboxPosition = Pick<OutboxRow, "created_at" | "webhook_id">

/** Query for a page of a campaign's webhooks that match all conditions. Times are milliseconds since 1970. */
export interface OutboxQuery {
  readonly scope: Scope
  readonly campaign_id: CampaignId
  readonly limit: number
  /** Only webhooks older than this one: the next page. */
  readonly after?: OutboxPosition
  /** Only the closest webhooks newer than this one: the previous page. */
  readonly before?: OutboxPosition
  /** Smallest `created_at`. */
  readonly from?: number
  /** Exclusive upper bound of `created_at`. */
  readonly to?: number
  /** Only webhooks with this status at `now`, in real time. */
  readonly status?: { readonly is: DeliveryStatus; readonly now: number }
  /** Only the webhook of this attempt. */
  readonly attempt_id?: AttemptId
}

/** A webhook in a list: without body and secret, with the health of its endpoint. */
export type ListedWebhook = Omit<OutboxRow, "body" | "secret"> & { readonly health: EndpointHealth }

/** Webhooks that wait for a try or for its end, of all workspaces. */
export interface OutboxBacklog {
  /** Their number; those beyond 100,000 are not counted. */
  readonly pending: number
  /** Time from which the first of them can be claimed, pauses of its endpoint aside; null when there are none. */
  readonly dueSince: number | null
}

/** The body of a webhook that has waited for its content. `now` is real milliseconds since 1970. */
export interface CompleteBody {
  readonly webhook_id: string
  readonly body: Uint8Array
  readonly now: number
}

/** Operations of `Outbox`. */
export interface OutboxService {
  /**
   * Adds webhooks in order, as part of the running transaction, except those whose id exists. A webhook for a disabled
   * endpoint is dead from the start.
   */
  readonly enqueueMany: (rows: ReadonlyArray<OutboxRow>) => Effect.Effect<void>
  /**
   * Gives a webhook that waits for its first try another body, and makes it due: for content that was waited for. Returns false, and
   * changes nothing, once a try has begun. Joins the running transaction.
   */
  readonly completeBody: (webhook: CompleteBody) => Effect.Effect<boolean>
  /**
   * Claims due webhooks within the limits of the plan and counts a try for each. Endpoints and their webhooks are served
   * longest due first. A paused endpoint gets one probe until its result or the end of its lease. Claimed webhooks are
   * exclusive until the lease ends; those that are still pending then can be claimed again.
   *
   * Gives up the webhooks of disabled endpoints, a few hundred at a time, and those that are overdue by more than four
   * days while their endpoint fails.
   */
  readonly claimDue: (options: {
    readonly now: number
    readonly leaseMillis: number
    readonly plan: ClaimPlan
  }) => Effect.Effect<Claimed>
  /** Time of the next work for `claimDue` within the limits of the plan, after leases and pauses; none if nothing waits. */
  readonly nextDue: (plan: ClaimPlan) => Effect.Effect<Option.Option<number>>
  /**
   * Stores results of tries for their webhooks (`settlementOf`) and endpoints (`afterTry`). A success always counts; other
   * results only count for the latest try of a pending webhook.
   */
  readonly record: (results: ReadonlyArray<TryResult>) => Effect.Effect<void>
  /**
   * Makes webhooks of a campaign due at once with the full schedule, whether delivered, dead or pending, and resets the
   * health of their endpoints. Skips webhooks with a running try. Returns the number of replayed webhooks.
   */
  readonly replay: (options: {
    readonly scope: Scope
    readonly campaign_id: CampaignId
    readonly attempt_ids: ReadonlyArray<AttemptId>
    readonly now: number
  }) => Effect.Effect<number>
  /**
   * Resets the health of the endpoint of a workspace's campaigns and deployments at a URL, which enables it, as part of
   * the running transaction.
   */
  readonly enable: (scope: Scope, url: string) => Effect.Effect<void>
  /** The backlog, in few steps however many webhooks there are. */
  readonly backlog: Effect.Effect<OutboxBacklog>
  /** Counts the webhooks of a campaign, or of a workspace if `campaign_id` is null. */
  readonly counts: (scope: Scope, campaign_id: CampaignId | null) => Effect.Effect<OutboxCounts>
  /** Lists a campaign's webhooks by descending `created_at` and then by descending id. */
  readonly listByCampaign: (query: OutboxQuery) => Effect.Effect<ReadonlyArray<ListedWebhook>>
}
