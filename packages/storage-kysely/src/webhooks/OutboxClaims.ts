import {
  type ClaimPlan,
  disabledError,
  type EndpointHealth,
  hasRoom,
  isPaused,
  makeQuota,
  type Outbox,
  type OutboxRow,
  overdueBefore,
  overdueError,
  type Receiver,
  startProbe
} from "@trunkline/webhooks"
import { type Context, Effect, Option } from "effect"
import type { Kysely, Selectable } from "kysely"
import { changeRows } from "../fast/ManyRows.js"
import type { Database } from "../schema/Database.js"
import { scopeColumns, scopeOf } from "../sql/Rows.js"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement, type Statements } from "../sql/Statement.js"
import { endpointHeads, scopeValues } from "./EndpointHeads.js"
import { healthValues, narrowColumns, type NarrowRow, readHealth, readWebhook, setHealth } from "./OutboxRows.js"

type Methods = Context.Tag.Service<typeof Outbox>
type Claim = Parameters<Methods["claimDue"]>[0]
type Claimed = { readonly rows: ReadonlyArray<OutboxRow>; readonly givenUp: number }
type EndpointsRow = Selectable<Database["webhook_endpoints"]>

/** Most webhooks of one endpoint that one claim gives up, so that none blocks the event loop for long. */
const maxGivenUp = 500

const giveUpBefore = `
  update outbox set state = 'dead', leased_until = 0, finished_at = ?, last_error = ?
  where seq in (
    select seq from outbox where endpoint_id = ? and state = 'pending' and claimable_at < ?
    order by claimable_at limit ${maxGivenUp}
  )
`

const findClaimable = `
  select ${narrowColumns.join(", ")}, outbox.secret, outbox_bodies.body
  from outbox join outbox_bodies on outbox_bodies.seq = outbox.seq
  where endpoint_id = ? and state = 'pending' and claimable_at <= ?
  order by claimable_at, outbox.seq limit ? + 0
`

const beginTry = {
  change: "update outbox set started_at = ?, leased_until = ?, tries = tries + 1",
  where: "seq = ?",
  types: ["number", "number", "integer"],
  key: [2]
} as const

/** Gives up webhooks of an endpoint; returns how many. */
function* giveUp(
  endpoint_id: number,
  { before, error, now }: { readonly before: number; readonly error: string; readonly now: number }
): Statements<number> {
  const { numAffectedRows = 0n } = yield* statement(giveUpBefore, [now, error, endpoint_id, before])
  return Number(numAffectedRows)
}

type ClaimableRow = NarrowRow & Pick<Selectable<Database["outbox"]>, "secret"> & { readonly body: Uint8Array }

function* claimFrom(
  endpoint_id: number,
  receiver: Receiver,
  { begin, leaseMillis, limit, now }: Pick<Claim, "leaseMillis" | "now"> & {
    readonly limit: number
    /** Begins a try of each webhook. */
    readonly begin: ReturnType<typeof changeRows>
  }
): Statements<ReadonlyArray<OutboxRow>> {
  const { rows: due } = yield* statement<ClaimableRow>(findClaimable, [endpoint_id, now, limit])
  const leased_until = now + leaseMillis
  yield* begin(due.map(({ seq }) => [now, leased_until, seq]))
  return due.map((row) => ({
    secret: row.secret,
    body: new Uint8Array(row.body),
    ...readWebhook(row, receiver.endpoint, receiver.scope),
    started_at: now,
    leased_until,
    tries: row.tries + 1
  }))
}

/** Time before which the webhooks of an endpoint are given up, and why; null if none are. */
const expiryOf = (health: EndpointHealth): { readonly before: number; readonly error: string } | null => {
  if (health.disabled_at !== null) return { before: Infinity, error: disabledError }
  const before = overdueBefore(health)
  return before === null ? null : { before, error: overdueError }
}

/** Makes `claimDue` of the outbox. Each endpoint is found by the head of its queue, however long the queue is. */
export const claimWebhooks = (dialect: SqlDialect) => {
  const begin = changeRows(dialect, beginTry)
  const heads = endpointHeads(dialect)
  return function*({ leaseMillis, now, plan }: Claim): Statements<Claimed> {
    const { rows: endpoints } = yield* statement<EndpointsRow>(
      heads.due(plan.exceptScopes),
      [now, ...scopeValues(plan.exceptScopes), plan.limit + plan.full]
    )
    const due = endpoints.toSorted((one, other) => (one.visit_at ?? 0) - (other.visit_at ?? 0))
    const quota = makeQuota(plan)
    const rows: Array<OutboxRow> = []
    let givenUp = 0
    for (const { endpoint, endpoint_id, ...row } of due) {
      const receiver = { endpoint, scope: scopeOf(row) }
      const health = readHealth(row)
      const expiry = expiryOf(health)
      const count = expiry === null ? 0 : yield* giveUp(endpoint_id, { ...expiry, now })
      givenUp += count
      const capacity = health.disabled_at === null && count < maxGivenUp ? quota.of(receiver) : 0
      const limit = Math.min(capacity, isPaused(health) ? 1 : capacity)
      const batch = limit === 0 ? [] : yield* claimFrom(endpoint_id, receiver, { begin, limit, now, leaseMillis })
      quota.took(receiver, batch.length)
      rows.push(...batch)
      if (limit === 0 && count === 0) continue
      if (isPaused(health) && batch.length > 0) {
        yield* statement(setHealth, [...healthValues(startProbe(health, now, leaseMillis)), endpoint_id])
      }
      yield* heads.followChange(endpoint_id)
    }
    return { rows, givenUp }
  }
}

/** `nextDue` of the outbox. */
export const nextDueTime = (
  { dialect, execute }: typeof Sql.Service,
  plan: ClaimPlan
): Effect.Effect<Option.Option<number>> =>
  Effect.map(
    execute<EndpointsRow>(endpointHeads(dialect).next(plan.exceptScopes), [
      ...scopeValues(plan.exceptScopes),
      plan.full + 1
    ]),
    ({ rows }) => {
      const next = rows.find(({ endpoint, ...row }) => hasRoom(plan, { endpoint, scope: scopeOf(row) }))
      return Option.fromNullable(next?.visit_at)
    }
  )

/** `enable` of the outbox. */
export const enableEndpoint = (db: Kysely<Database>, { endpoint, scope }: Receiver) =>
  db.updateTable("webhook_endpoints")
    .set({ failures: 0, failed_at: null, pauses: 0, paused_until: 0, probe_at: null, disabled_at: null })
    .where((eb) => eb.and({ ...scopeColumns(scope), endpoint }))
    .execute()
