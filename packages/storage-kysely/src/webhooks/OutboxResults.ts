import { scopeKey } from "@trunkline/kernel"
import {
  afterTry,
  type EndpointHealth,
  endpointSignalOf,
  healthy,
  settlementOf,
  type TryResult
} from "@trunkline/webhooks"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { scopeColumns } from "../sql/Rows.js"
import { healthColumns, readHealth, selectHead } from "./OutboxRows.js"

/** Groups results by endpoint, in their order. */
const groupByEndpoint = (
  results: ReadonlyArray<TryResult>
): ReadonlyArray<readonly [TryResult, ...Array<TryResult>]> => {
  const groups = new Map<string, [TryResult, ...Array<TryResult>]>()
  for (const result of results) {
    const key = `${scopeKey(result.row.scope)} ${result.row.endpoint}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [result])
    else group.push(result)
  }
  return [...groups.values()]
}

const isSame = (a: EndpointHealth, b: EndpointHealth) => healthColumns.every((column) => a[column] === b[column])

/** Writes the results of many tries to their webhooks, in one statement. */
const settle = (db: Kysely<Database>, settled: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  sql`
    update outbox set
      state = result.value ->> 'state',
      due_at = result.value ->> 'due_at',
      leased_until = 0,
      finished_at = result.value ->> 'finished_at',
      last_status = result.value ->> 'last_status',
      last_error = result.value ->> 'last_error'
    from json_each(${JSON.stringify(settled)}) as result
    where outbox.webhook_id = result.value ->> 'webhook_id'
      and (result.value ->> 'state' = 'delivered'
        or (outbox.state = 'pending' and outbox.tries = result.value ->> 'tries'))
  `.execute(db)

/** `record` of the outbox, with few statements for any number of results. */
export const recordResults = async (db: Kysely<Database>, results: ReadonlyArray<TryResult>): Promise<void> => {
  const endpoints = []
  const settled = []
  for (const group of groupByEndpoint(results)) {
    const [{ row: { endpoint, scope } }] = group
    const found = await db.selectFrom("webhook_endpoints").select(["endpoint_id", ...healthColumns])
      .where((is) => is.and({ ...scopeColumns(scope), endpoint }))
      .executeTakeFirst()
    const before = found === undefined ? healthy : readHealth(found)
    let health = before
    for (const result of group) {
      const { started_at, tries, webhook_id } = result.row
      health = afterTry(health, { sign: endpointSignalOf(result), started_at, now: result.now })
      settled.push({ webhook_id, tries, ...settlementOf(result, health) })
    }
    if (found !== undefined) endpoints.push({ id: found.endpoint_id, changes: isSame(before, health) ? {} : health })
  }
  await settle(db, settled)
  for (const { changes, id } of endpoints) {
    await db.updateTable("webhook_endpoints").set({ ...changes, head_at: selectHead(id) }).where("endpoint_id", "=", id)
      .execute()
  }
}
