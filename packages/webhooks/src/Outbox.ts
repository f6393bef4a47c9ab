import { type AttemptId, type CampaignId, MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { type DeliveryStatus, deliveryStatus, type OutboxRow, webhookIdOf } from "./OutboxRow.js"

/** How many webhooks are on their way, arrived and given up. */
export interface OutboxCounts {
  readonly pending: number
  readonly delivered: number
  readonly dead: number
}

/** One page of a campaign's webhooks; all conditions hold together. Times are milliseconds since 1970. */
export interface OutboxQuery {
  readonly scope: Scope
  readonly campaign_id: CampaignId
  readonly limit: number
  /** Only webhooks older than this one: the next page begins after the last of this. */
  readonly after?: string
  /** Only webhooks newer than this one, those nearest to it: the page before ends with the first of this. */
  readonly before?: string
  /** Only those with `created_at` at or after this. */
  readonly from?: number
  /** Only those with `created_at` before this. */
  readonly to?: number
  /** Only those that stand so at `now`, in real time. */
  readonly status?: { readonly is: DeliveryStatus; readonly now: number }
}

/**
 * The webhooks that are to be sent, so that a crash loses none: a webhook is put in by the transaction that
 * records its attempt, and stays until a receiver took it or the schedule is at its end.
 *
 * `now` and other times are real milliseconds since 1970. Methods that name a webhook id do nothing when there is none.
 */
export class Outbox extends Context.Tag("@trunkline/webhooks/Outbox")<Outbox, {
  /** Puts a webhook in, as part of the running transaction; an id that is already in stays as it is. */
  readonly enqueue: (row: OutboxRow) => Effect.Effect<void>
  /**
   * Takes the pending webhooks that are due, longest due first, and counts a try for each. Nobody else gets them until
   * the lease ends; those still pending then can be claimed again. Of `exceptOrigins` none are taken.
   */
  readonly claimDue: (options: {
    readonly now: number
    readonly limit: number
    readonly leaseMillis: number
    readonly exceptOrigins: ReadonlyArray<string>
  }) => Effect.Effect<ReadonlyArray<OutboxRow>>
  /** When the next pending webhook can be claimed, leases included; none when nothing is pending. */
  readonly nextDue: (options: { readonly exceptOrigins: ReadonlyArray<string> }) => Effect.Effect<Option.Option<number>>
  /** A receiver took it. */
  readonly delivered: (
    webhookId: string,
    result: { readonly now: number; readonly status: number }
  ) => Effect.Effect<void>
  /** It failed and is due again at `at`; nothing happens to one that is no longer pending. */
  readonly retryAt: (webhookId: string, result: {
    readonly at: number
    readonly status: number | null
    readonly error: string
  }) => Effect.Effect<void>
  /** It failed for good; nothing happens to one that is no longer pending. */
  readonly dead: (webhookId: string, result: {
    readonly now: number
    readonly status: number | null
    readonly error: string
  }) => Effect.Effect<void>
  /**
   * Makes a campaign's webhooks due at once with all their tries, whether delivered, dead or waiting; one whose try is
   * running stays as it is. Returns how many it was done to.
   */
  readonly replay: (options: {
    readonly scope: Scope
    readonly campaign_id: CampaignId
    readonly attempt_ids: ReadonlyArray<AttemptId>
    readonly now: number
  }) => Effect.Effect<number>
  /** Counts the webhooks of a campaign, or of a workspace when `campaign_id` is null. */
  readonly counts: (scope: Scope, campaign_id: CampaignId | null) => Effect.Effect<OutboxCounts>
  /** A page of a campaign's webhooks, newest attempt first: by descending `webhook_id`, whose UUIDv7 holds the time. */
  readonly listByCampaign: (query: OutboxQuery) => Effect.Effect<ReadonlyArray<OutboxRow>>
}>() {
  /** Webhooks in memory, gone when the layer is. */
  static readonly layerMemory: Layer.Layer<Outbox> = Layer.sync(Outbox, () => {
    const pending = MemoryTable.make<string, OutboxRow>()
    const settled = MemoryTable.make<string, OutboxRow>()
    const find = (webhookId: string) => pending.get(webhookId) ?? settled.get(webhookId)
    const all = () => [...pending.values(), ...settled.values()]

    const settle = (row: OutboxRow) => Effect.zipRight(pending.delete(row.webhook_id), settled.set(row.webhook_id, row))
    const reopen = (row: OutboxRow) => Effect.zipRight(settled.delete(row.webhook_id), pending.set(row.webhook_id, row))
    const whenPending = (webhookId: string, change: (row: OutboxRow) => Effect.Effect<void>) =>
      Effect.suspend(() => {
        const row = pending.get(webhookId)
        return row === undefined ? Effect.void : change(row)
      })

    return Outbox.of({
      enqueue: (row) =>
        Effect.suspend(() => find(row.webhook_id) === undefined ? pending.set(row.webhook_id, row) : Effect.void),
      claimDue: ({ exceptOrigins, leaseMillis, limit, now }) =>
        Effect.suspend(() => {
          const due = [...pending.values()]
            .filter((row) => claimableAt(row) <= now && !exceptOrigins.includes(row.origin))
            .sort(byDue)
            .slice(0, limit)
          return Effect.forEach(due, (row) => {
            const claimed = { ...row, tries: row.tries + 1, started_at: now, leased_until: now + leaseMillis }
            return Effect.as(pending.set(row.webhook_id, claimed), claimed)
          })
        }),
      nextDue: ({ exceptOrigins }) =>
        Effect.sync(() => {
          const times = [...pending.values()].filter((row) => !exceptOrigins.includes(row.origin)).map(claimableAt)
          return times.length === 0 ? Option.none() : Option.some(times.reduce((a, b) => Math.min(a, b)))
        }),
      delivered: (webhookId, { now, status }) =>
        Effect.suspend(() => {
          const row = find(webhookId)
          return row === undefined
            ? Effect.void
            : settle({ ...row, ...ended(now), state: "delivered", last_status: status, last_error: null })
        }),
      retryAt: (webhookId, { at, error, status }) =>
        whenPending(
          webhookId,
          (row) =>
            pending.set(webhookId, { ...row, due_at: at, leased_until: 0, last_status: status, last_error: error })
        ),
      dead: (webhookId, { error, now, status }) =>
        whenPending(
          webhookId,
          (row) => settle({ ...row, ...ended(now), state: "dead", last_status: status, last_error: error })
        ),
      replay: ({ attempt_ids, campaign_id, now, scope }) =>
        Effect.suspend(() => {
          const rows = [...new Set(attempt_ids)]
            .flatMap((attempt) => find(webhookIdOf(attempt)) ?? [])
            .filter((row) => isOf(row, scope, campaign_id) && deliveryStatus(row, now) !== "running")
          return Effect.as(Effect.forEach(rows, (row) => reopen({ ...row, ...afresh })), rows.length)
        }),
      counts: (scope, campaign_id) =>
        Effect.sync(() => {
          const counts = { pending: 0, delivered: 0, dead: 0 }
          for (const row of all()) if (isOf(row, scope, campaign_id)) counts[row.state]++
          return counts
        }),
      listByCampaign: (query) => Effect.sync(() => pageOf(all(), query))
    })
  })
}

const claimableAt = (row: OutboxRow): number => Math.max(row.due_at, row.leased_until)

const byDue = (a: OutboxRow, b: OutboxRow): number => a.due_at - b.due_at || byId(a, b)

const byId = (a: OutboxRow, b: OutboxRow): number => a.webhook_id < b.webhook_id ? -1 : 1

const ended = (now: number) => ({ leased_until: 0, finished_at: now })

const afresh = { state: "pending", tries: 0, due_at: 0, leased_until: 0, finished_at: null } as const

const isOf = (row: OutboxRow, scope: Scope, campaign_id: CampaignId | null): boolean =>
  scopeKey(row.scope) === scopeKey(scope) && (campaign_id === null || row.campaign_id === campaign_id)

const pageOf = (rows: ReadonlyArray<OutboxRow>, query: OutboxQuery): ReadonlyArray<OutboxRow> => {
  const { after, before, from = -Infinity, status, to = Infinity } = query
  const matching = rows.filter((row) =>
    isOf(row, query.scope, query.campaign_id) &&
    (after === undefined || row.webhook_id < after) &&
    (before === undefined || row.webhook_id > before) &&
    row.created_at >= from && row.created_at < to &&
    (status === undefined || deliveryStatus(row, status.now) === status.is)
  ).sort(byId)
  return before === undefined ? matching.slice(-query.limit).reverse() : matching.slice(0, query.limit).reverse()
}
