import { type CampaignId, MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { endpointSignalOf, settlementOf, type TryResult } from "../delivery/DeliverySchedule.js"
import { hasRoom, makeQuota, type Receiver } from "./ClaimPlan.js"
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
import { claimableAt, deliveryStatus, type OutboxRow, ownedEndpoint, webhookIdOf } from "./OutboxRow.js"
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

const keyOf = ({ endpoint, scope }: Receiver): string => `${scopeKey(scope)} ${endpoint}`

const makeOutboxMemory = (): OutboxService => {
  const pending = MemoryTable.make<string, OutboxRow>()
  const settled = MemoryTable.make<string, OutboxRow>()
  const endpoints = MemoryTable.make<string, EndpointHealth>()
  const find = (webhookId: string) => pending.get(webhookId) ?? settled.get(webhookId)
  const all = () => [...pending.values(), ...settled.values()]
  const healthOf = (receiver: Receiver) => endpoints.get(keyOf(receiver)) ?? healthy

  const settle = (row: OutboxRow) => Effect.zipRight(pending.delete(row.webhook_id), settled.set(row.webhook_id, row))
  const put = (row: OutboxRow) =>
    row.state === "pending"
      ? Effect.zipRight(settled.delete(row.webhook_id), pending.set(row.webhook_id, row))
      : settle(row)
  const resetHealth = (receiver: Receiver) => Effect.asVoid(endpoints.delete(keyOf(receiver)))
  const giveUp = (rows: ReadonlyArray<OutboxRow>, now: number, last_error: string) =>
    Effect.as(Effect.forEach(rows, (row) => settle({ ...row, ...dead(now), last_error })), rows.length)

  /** Pending webhooks by endpoint; endpoints and their webhooks are ordered by waiting time, longest first. */
  const queues = (): ReadonlyArray<Queue> => {
    const byKey = new Map<string, Array<OutboxRow>>()
    for (const row of pending.values()) {
      const rows = byKey.get(keyOf(row))
      if (rows === undefined) byKey.set(keyOf(row), [row])
      else rows.push(row)
    }
    return [...byKey].flatMap(([key, rows]) => {
      const [first] = rows.sort(byDue)
      const health = endpoints.get(key) ?? healthy
      return first === undefined ? [] : [{ first, rows, health, at: visitAt(first, health) }]
    }).sort((a, b) => a.at - b.at)
  }

  const record = (results: ReadonlyArray<TryResult>) =>
    Effect.forEach(results, (result) =>
      Effect.suspend(() => {
        const { row } = result
        const health = afterTry(healthOf(row), { ...row, sign: endpointSignalOf(result), now: result.now })
        const now = find(row.webhook_id)
        const counts = now !== undefined
          && (result.next.next === "delivered" || (now.state === "pending" && now.tries === row.tries))
        return Effect.zipRight(
          endpoints.set(keyOf(row), health),
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
    enqueue,
    enqueueMany: (rows) => Effect.forEach(rows, enqueue, { discard: true }),
    claimDue: ({ leaseMillis, now, plan }) =>
      Effect.gen(function*() {
        const quota = makeQuota(plan)
        const claimed: Array<OutboxRow> = []
        let givenUp = 0
        for (const { first, health, rows } of queues().filter(({ at }) => at <= now)) {
          if (health.disabled_at !== null) {
            givenUp += yield* giveUp(rows, now, disabledError)
            continue
          }
          const before = overdueBefore(health) ?? -Infinity
          givenUp += yield* giveUp(rows.filter((row) => claimableAt(row) < before), now, overdueError)
          const due = rows.filter((row) => claimableAt(row) >= before && claimableAt(row) <= now)
          const taken = due.slice(0, Math.min(quota.of(first), isPaused(health) ? 1 : Infinity))
          if (taken.length === 0) continue
          quota.took(first, taken.length)
          if (isPaused(health)) yield* endpoints.set(keyOf(first), startProbe(health, now, leaseMillis))
          for (const row of taken) {
            const next = { ...row, tries: row.tries + 1, started_at: now, leased_until: now + leaseMillis }
            yield* pending.set(row.webhook_id, next)
            claimed.push(next)
          }
        }
        return { rows: claimed, givenUp }
      }),
    nextDue: (plan) => Effect.sync(() => Option.fromNullable(queues().find(({ first }) => hasRoom(plan, first))?.at)),
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
    counts: (scope, campaign_id) =>
      Effect.sync(() => {
        const counts = { pending: 0, delivered: 0, dead: 0 }
        for (const row of all()) if (isOf(row, scope, campaign_id)) counts[row.state]++
        return counts
      }),
    listByCampaign: (query) =>
      Effect.sync(() =>
        pageOf(all(), query).map(({ body: _, secret: __, ...row }): ListedWebhook => ({
          ...row,
          health: healthOf(row)
        }))
      )
  }
}

interface Queue {
  readonly first: OutboxRow
  readonly rows: ReadonlyArray<OutboxRow>
  readonly health: EndpointHealth
  readonly at: number
}

/** Time of the next work for an endpoint; the webhooks of a disabled one are given up at once. */
const visitAt = (first: OutboxRow, { disabled_at, paused_until }: EndpointHealth): number =>
  disabled_at === null ? Math.max(claimableAt(first), paused_until) : 0

const byDue = (a: OutboxRow, b: OutboxRow): number => claimableAt(a) - claimableAt(b) || byId(a, b)

const byId = (a: Pick<OutboxRow, "webhook_id">, b: Pick<OutboxRow, "webhook_id">): number =>
  a.webhook_id === b.webhook_id ? 0 : a.webhook_id < b.webhook_id ? -1 : 1

const byPosition = (a: OutboxPosition, b: OutboxPosition): number => a.created_at - b.created_at || byId(a, b)

const dead = (now: number) => ({ state: "dead", leased_until: 0, finished_at: now } as const)

const reset = { state: "pending", tries: 0, leased_until: 0, finished_at: null } as const

const isOf = (row: OutboxRow, scope: Scope, campaign_id: CampaignId | null): boolean =>
  scopeKey(row.scope) === scopeKey(scope) && (campaign_id === null || row.campaign_id === campaign_id)

const pageOf = (rows: ReadonlyArray<OutboxRow>, query: OutboxQuery): ReadonlyArray<OutboxRow> => {
  const { after, before, from = -Infinity, status, to = Infinity } = query
  const matching = rows.filter((row) =>
    isOf(row, query.scope, query.campaign_id) &&
    (after === undefined || byPosition(row, after) < 0) &&
    (before === undefined || byPosition(row, before) > 0) &&
    row.created_at >= from && row.created_at < to &&
    (status === undefined || deliveryStatus(row, status.now) === status.is)
  ).sort(byPosition)
  return before === undefined ? matching.slice(-query.limit).reverse() : matching.slice(0, query.limit).reverse()
}
