import { PriorityQueue, type QueueEntry, type Scope, scopeKey } from "@trunkline/kernel"
import type { Receiver } from "./ClaimPlan.js"
import type { EndpointHealth } from "./EndpointHealth.js"
import { claimableAt, type OutboxRow } from "./OutboxRow.js"

/** Key of a receiver. */
export const receiverKey = ({ endpoint, scope }: Receiver): string => `${scopeKey(scope)} ${endpoint}`

const byDue = (a: OutboxRow, b: OutboxRow): number =>
  claimableAt(a) - claimableAt(b) || (a.webhook_id === b.webhook_id ? 0 : a.webhook_id < b.webhook_id ? -1 : 1)

interface RowEntry extends QueueEntry {
  readonly row: OutboxRow
}

/** The pending webhooks of an endpoint. */
export interface OutboxQueue {
  readonly scope: Scope
  /** The webhook that has waited longest. */
  readonly first: OutboxRow
  /** Time of the next work: 0 if the endpoint is disabled, because its webhooks are given up at once. */
  readonly at: number
  readonly health: EndpointHealth
}

interface QueueState extends OutboxQueue, QueueEntry {
  readonly rows: PriorityQueue<RowEntry>
}

const isEarlier = (a: QueueState, b: QueueState): boolean =>
  a.at < b.at || (a.at === b.at && byDue(a.first, b.first) < 0)

const visitAt = (first: OutboxRow, { disabled_at, paused_until }: EndpointHealth): number =>
  disabled_at === null ? Math.max(claimableAt(first), paused_until) : 0

/** Takes entries in order while they are wanted and puts them back; returns those that `select` accepts. */
const peekWhile = <A extends QueueEntry>(
  queue: PriorityQueue<A>,
  { isWanted, limit, select = () => true }: {
    readonly isWanted: (entry: A) => boolean
    readonly select?: (entry: A) => boolean
    readonly limit: number
  }
): ReadonlyArray<A> => {
  const rows: Array<A> = []
  const selection: Array<A> = []
  for (let entry = queue.peek(); entry !== undefined && isWanted(entry); entry = queue.peek()) {
    if (selection.length >= limit) break
    queue.remove(entry)
    rows.push(entry)
    if (select(entry)) selection.push(entry)
  }
  for (const entry of rows) queue.add(entry)
  return selection
}

/**
 * Index of the pending webhooks in memory: by endpoint, ordered by waiting time, longest first, as are the endpoints. A
 * change and each webhook that is found cost O(log n).
 */
export class OutboxQueues {
  readonly #queues = new Map<string, QueueState>()
  readonly #order = new PriorityQueue<QueueState>(isEarlier)
  readonly #entries = new Map<string, RowEntry>()
  readonly #healthOf: (key: string) => EndpointHealth

  /** An empty index; `healthOf` returns the health of the receiver of a key. */
  constructor(healthOf: (key: string) => EndpointHealth) {
    this.#healthOf = healthOf
  }

  /** Follows a change of a webhook, which is now `row`; undefined if it is not pending. */
  rowChanged(id: string, row: OutboxRow | undefined): void {
    const before = this.#entries.get(id)
    if (before !== undefined) {
      this.#entries.delete(id)
      this.#change(receiverKey(before.row), (rows) => rows.remove(before))
    }
    if (row !== undefined) {
      const entry = { row, index: -1 }
      this.#entries.set(id, entry)
      this.#change(receiverKey(row), (rows) => rows.add(entry))
    }
  }

  /** Follows a change of the health of an endpoint. */
  healthChanged(key: string): void {
    if (this.#queues.has(key)) this.#change(key, () => {})
  }

  /** The first `limit` queues with work until `now` that `select` accepts. */
  due(now: number, limit: number, select: (queue: OutboxQueue) => boolean): ReadonlyArray<OutboxQueue> {
    return peekWhile(this.#order, { isWanted: ({ at }) => at <= now, select, limit })
  }

  /** The first queue that `select` accepts. */
  find(select: (queue: OutboxQueue) => boolean): OutboxQueue | undefined {
    const [head] = peekWhile(this.#order, { isWanted: () => true, select, limit: 1 })
    return head
  }

  /** The first webhooks of a receiver that can be claimed at a time that `isWanted` accepts. */
  rowsOf(
    receiver: Receiver,
    isWanted: (claimableAt: number) => boolean,
    limit = Infinity
  ): ReadonlyArray<OutboxRow> {
    const queue = this.#queues.get(receiverKey(receiver))
    if (queue === undefined) return []
    return peekWhile(queue.rows, { isWanted: ({ row }) => isWanted(claimableAt(row)), limit }).map(({ row }) => row)
  }

  #change(key: string, change: (rows: PriorityQueue<RowEntry>) => void): void {
    const queue = this.#queues.get(key)
    if (queue !== undefined) this.#order.remove(queue)
    const rows = queue?.rows ?? new PriorityQueue<RowEntry>((a, b) => byDue(a.row, b.row) < 0)
    change(rows)
    const first = rows.peek()?.row
    if (first === undefined) {
      this.#queues.delete(key)
      return
    }
    const health = this.#healthOf(key)
    const state = { scope: first.scope, first, health, at: visitAt(first, health), rows, index: -1 }
    this.#queues.set(key, state)
    this.#order.add(state)
  }
}
