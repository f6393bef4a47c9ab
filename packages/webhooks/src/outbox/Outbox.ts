import type { AttemptId, CampaignId, Scope } from "@trunkline/kernel"
import { Context, type Effect, Layer, type Option } from "effect"
import type { TryResult } from "../delivery/TryResult.js"
import type { ClaimPlan } from "./ClaimPlan.js"
import type { EndpointHealth } from "./EndpointHealth.js"
import { makeOutboxMemory } from "./OutboxMemory.js"
import type { DeliveryStatus, OutboxRow } from "./OutboxRow.js"

/** How many webhooks are on their way, arrived and given up. */
export interface OutboxCounts {
  readonly pending: number
  readonly delivered: number
  readonly dead: number
}

/** What has been claimed: the webhooks to try now, and how many were given up on the way, unclaimed. */
export interface Claimed {
  readonly rows: ReadonlyArray<OutboxRow>
  readonly givenUp: number
}

/** A place in a campaign's list of webhooks. */
export type OutboxPlace = Pick<OutboxRow, "created_at" | "webhook_id">

/** One page of a campaign's webhooks; all conditions hold together. Times are milliseconds since 1970. */
export interface OutboxQuery {
  readonly scope: Scope
  readonly campaign_id: CampaignId
  readonly limit: number
  /** Only webhooks older than this one: the next page begins after the last of this. */
  readonly after?: OutboxPlace
  /** Only webhooks newer than this one, those nearest to it: the page before ends with the first of this. */
  readonly before?: OutboxPlace
  /** Only those with `created_at` at or after this. */
  readonly from?: number
  /** Only those with `created_at` before this. */
  readonly to?: number
  /** Only those that stand so at `now`, in real time. */
  readonly status?: { readonly is: DeliveryStatus; readonly now: number }
}

/** A webhook as lists need it: without its body and its secret, with the health of its endpoint. */
export type ListedWebhook = Omit<OutboxRow, "body" | "secret"> & { readonly health: EndpointHealth }

/**
 * The webhooks that are to be sent, so that a crash loses none: a webhook is put in by the transaction that
 * records its attempt, and stays until a receiver took it or the schedule is at its end. And how their endpoints are:
 * see {@link EndpointHealth}.
 *
 * `now` and other times are real milliseconds since 1970. Methods that name a webhook id do nothing when there is none.
 */
export class Outbox extends Context.Tag("@trunkline/webhooks/Outbox")<Outbox, {
  /**
   * Puts a webhook in, as part of the running transaction; an id that is already in stays as it is. One for a disabled
   * endpoint is dead from the start.
   */
  readonly enqueue: (row: OutboxRow) => Effect.Effect<void>
  /**
   * Takes the pending webhooks that are due and that the plan has room for, and counts a try for each: the endpoint
   * that waits longest first, and of each the longest due. Of a paused endpoint it takes one, and no other before its
   * result or the end of its lease. Nobody else gets what is taken until the lease ends; what is still pending then can
   * be claimed again.
   *
   * Gives up, a few hundred at a time, the webhooks of disabled endpoints, and those that have been due for more than
   * four days while their endpoint failed.
   */
  readonly claimDue: (options: {
    readonly now: number
    readonly leaseMillis: number
    readonly plan: ClaimPlan
  }) => Effect.Effect<Claimed>
  /**
   * When there is next something for `claimDue`, leases and pauses included; none when nothing is pending that the plan
   * has room for.
   */
  readonly nextDue: (plan: ClaimPlan) => Effect.Effect<Option.Option<number>>
  /**
   * Writes down what came of tries, for their webhooks and their endpoints, as `settledBy` and `afterTry` say. A success
   * always counts; any other result only for a webhook that is pending, and of its latest try.
   */
  readonly record: (results: ReadonlyArray<TryResult>) => Effect.Effect<void>
  /**
   * Makes a campaign's webhooks due at once with all their tries, whether delivered, dead or waiting, and their
   * endpoints healthy; one whose try is running stays as it is. Returns how many it was done to.
   */
  readonly replay: (options: {
    readonly scope: Scope
    readonly campaign_id: CampaignId
    readonly attempt_ids: ReadonlyArray<AttemptId>
    readonly now: number
  }) => Effect.Effect<number>
  /**
   * Forgets whatever is held against the endpoint of a workspace's campaigns and deployments at a URL, as part of the
   * running transaction: it is not disabled any more.
   */
  readonly enable: (scope: Scope, url: string) => Effect.Effect<void>
  /** Counts the webhooks of a campaign, or of a workspace when `campaign_id` is null. */
  readonly counts: (scope: Scope, campaign_id: CampaignId | null) => Effect.Effect<OutboxCounts>
  /** A page of a campaign's webhooks, newest first: by descending `created_at`, equal ones by descending id. */
  readonly listByCampaign: (query: OutboxQuery) => Effect.Effect<ReadonlyArray<ListedWebhook>>
}>() {
  /** Webhooks in memory, gone when the layer is. */
  static readonly layerMemory: Layer.Layer<Outbox> = Layer.sync(Outbox, () => Outbox.of(makeOutboxMemory()))
}
