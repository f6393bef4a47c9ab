import { type CampaignId, MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { hasRoom, makeQuota, type Receiver } from "./ClaimPlan.js"
import { endpointSignalOf, settlementOf, type TryResult } from "./DeliverySchedule.js"
import {
  afterTry,
  disabledError,
  type EndpointHealth,
  healthy,
  isPaused,
  overdueBefore,
  overdueError,
  startProbe
} from "./EndpointHealth.js"
import { OutboxQueues, receiverKey } from "./OutboxQueues.js"
import { deliveryStatus, type OutboxRow, ownedEndpoint, webhookIdOf } from "./OutboxRow.js"
import type { ListedWebhook, OutboxPosition, OutboxQuery, OutboxService } from "./OutboxService.js"

/**
 * Transactional outbox of webhooks: the transaction that records an attempt adds its webhook, so that a crash loses none.
 * A webhook stays until its receiver accepts it or the schedule ends. The outbox also stores the health of endpoints: see
 * {@link EndpointHealth}.
 *
 * Times such as `now` are real milliseconds since 1970. Methods ignore webhook ids that do not exist.
 */
export class Outbox extends Context.Tag("@trunkline/webhooks/Outbox")<Outbox, OutboxService>() {
  /** Stores webhooks in memory. */
  static readonly layerMemory: Layer.Layer<Outbox> = Layer.sync(Outbox, () => makeOutboxMemory())
}

const makeOutboxMemory = (): OutboxService => {
  const queues = new OutboxQueues((key) => endpoints.get(key) ?? healthy)
  const pending = MemoryTable.make<string, OutboxRow>((id, row) => queues.rowChanged(id, row))
  const settledTable = MemoryTable.make<string, OutboxRow>()
  const endpoints = MemoryTable.make<string, EndpointHealth>((key) => queues.healthChanged(key))
  const find = (webhookId: string) => pending.get(webhookId) ?? settledTable.get(webhookId)
  const allRows = () => [...pending.values(), ...settledTable.values()]
  const healthOf = (receiver: Receiver) => endpoints.get(receiverKey(receiver)) ?? healthy

  const settle = (row: OutboxRow) =>
    Effect.zipRight(pending.delete(row.webhook_id), settledTable.set(row.webhook_id, row))
  const put = (row: OutboxRow) =>
    row.state === "pending"
      ? Effect.zipRight(settledTable.delete(row.webhook_id), pending.set(row.webhook_id, row))
      : settle(row)
  const resetHealth = (receiver: Receiver) => Effect.asVoid(endpoints.delete(receiverKey(receiver)))
  const giveUp = (rows: ReadonlyArray<OutboxRow>, now: number, last_error: string) =>
    Effect.as(Effect.forEach(rows, (row) => settle({ ...row, ...dead(now), last_error })), rows.length)

  const record = (results: ReadonlyArray<TryResult>) =>
    Effect.forEach(results, (result) =>
      Effect.suspend(() => {
        const { row } = result
        const health = afterTry(healthOf(row), { ...row, sign: endpointSignalOf(result), now: result.now })
        const now = find(row.webhook_id)
        const counts = now !== undefined
          && (result.next.next === "delivered" || (now.state === "pending" && now.tries === row.tries))
        return Effect.zipRight(
          endpoints.set(receiverKey(row), health),
          counts ? put({ ...now, ...settlementOf(result, health) }) : Effect.void
        )
      }), { discard: true })

  const enqueue = (row: OutboxRow) =>
    Effect.suspend(() => {
      if (find(row.webhook_id) !== undefined) return Effect.void
      return healthOf(row).disabled_at === null
        ? pending.set(row.webhook_id, row)
        : settle({ ...row, ...dead(row.due_at), last_error: disabledError })
    })

  return {
    enqueueMany: (rows) => Effect.forEach(rows, enqueue, { discard: true }),
    completeBody: ({ body, now, webhook_id }) =>
      Effect.suspend(() => {
        const row = pending.get(webhook_id)
        return row === undefined || row.tries > 0
          ? Effect.succeed(false)
          : Effect.as(pending.set(webhook_id, { ...row, body, due_at: Math.min(row.due_at, now) }), true)
      }),
    claimDue: ({ leaseMillis, now, plan }) =>
      Effect.gen(function*() {
        const quota = makeQuota(plan)
        const claims: Array<OutboxRow> = []
        let givenUp = 0
        const exceptions = new Set(plan.exceptScopes.map(scopeKey))
        const due = queues.due(now, plan.limit + plan.full, ({ scope }) => !exceptions.has(scopeKey(scope)))
        for (const { first, health } of due) {
          if (health.disabled_at !== null) {
            givenUp += yield* giveUp(queues.rowsOf(first, () => true), now, disabledError)
            continue
          }
          const before = overdueBefore(health) ?? -Infinity
          givenUp += yield* giveUp(queues.rowsOf(first, (at) => at < before), now, overdueError)
          const limit = Math.min(quota.of(first), isPaused(health) ? 1 : Infinity)
          const rows = queues.rowsOf(first, (at) => at <= now, limit)
          if (rows.length === 0) continue
          quota.took(first, rows.length)
          if (isPaused(health)) yield* endpoints.set(receiverKey(first), startProbe(health, now, leaseMillis))
          for (const row of rows) {
            const next = { ...row, tries: row.tries + 1, started_at: now, leased_until: now + leaseMillis }
            yield* pending.set(row.webhook_id, next)
            claims.push(next)
          }
        }
        return { rows: claims, givenUp }
      }),
    nextDue: (plan) => Effect.sync(() => Option.fromNullable(queues.find(({ first }) => hasRoom(plan, first))?.at)),
    record,
    replay: ({ attempt_ids, campaign_id, now, scope }) =>
      Effect.suspend(() => {
        const rows = [...new Set(attempt_ids)]
          .flatMap((attempt) => find(webhookIdOf(attempt)) ?? [])
          .filter((row) => isOf(row, scope, campaign_id) && deliveryStatus(row, now) !== "running")
        return Effect.as(
          Effect.forEach(rows, (row) => Effect.zipRight(resetHealth(row), put({ ...row, ...reset, due_at: now }))),
          rows.length
        )
      }),
    enable: (scope, url) => resetHealth({ scope, endpoint: ownedEndpoint(url) }),
    backlog: Effect.sync(() => {
      let dueSince: number | null = null
      for (const { due_at, leased_until } of pending.values()) {
        dueSince = Math.min(dueSince ?? Infinity, Math.max(due_at, leased_until))
      }
      return { pending: pending.size, dueSince }
    }),
    counts: (scope, campaign_id) =>
      Effect.sync(() => {
        const counts = { pending: 0, delivered: 0, dead: 0 }
        for (const row of allRows()) if (isOf(row, scope, campaign_id)) counts[row.state]++
        return counts
      }),
    listByCampaign: (query) =>
      Effect.sync(() =>
        pageOf(allRows(), query).map(({ body: _, secret: __, ...row }): ListedWebhook => ({
          ...row,
          health: healthOf(row)
        }))
      )
  }
}

const byId = (a: Pick<OutboxRow, "webhook_id">, b: Pick<OutboxRow, "webhook_id">): number =>
  a.webhook_id === b.webhook_id ? 0 : a.webhook_id < b.webhook_id ? -1 : 1

const byPosition = (a: OutboxPosition, b: OutboxPosition): number => a.created_at - b.created_at || byId(a, b)

const dead = (now: number) => ({ state: "dead", leased_until: 0, finished_at: now } as const)

const reset = { state: "pending", tries: 0, leased_until: 0, finished_at: null } as const

const isOf = (row: OutboxRow, scope: Scope, campaign_id: CampaignId | null): boolean =>
  scopeKey(row.scope) === scopeKey(scope) && (campaign_id === null || row.campaign_id === campaign_id)

const pageOf = (rows: ReadonlyArray<OutboxRow>, query: OutboxQuery): ReadonlyArray<OutboxRow> => {
  const { after, attempt_id, before, from = -Infinity, status, to = Infinity } = query
  const matching = rows.filter((row) =>
    isOf(row, query.scope, query.campaign_id) &&
    (after === undefined || byPosition(row, after) < 0) &&
    (before === undefined || byPosition(row, before) > 0) &&
    (attempt_id === undefined || row.webhook_id === webhookIdOf(attempt_id)) &&
    row.created_at >= from && row.created_at < to &&
    (status === undefined || deliveryStatus(row, status.now) === status.is)
  ).sort(byPosition)
  return before === undefined ? matching.slice(-query.limit).reverse() : matching.slice(0, query.limit).reverse()
}
