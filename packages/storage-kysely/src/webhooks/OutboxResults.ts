import { scopeKey } from "@trunkline/kernel"
import {
  afterTry,
  type EndpointHealth,
  endpointSignalOf,
  healthy,
  settlementOf,
  type TryResult
} from "@trunkline/webhooks"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { type Statement, statement, type Statements, together } from "../sql/Statement.js"
import { healthColumns, healthValues, readHealth, setHead, setHealth } from "./OutboxRows.js"

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

const findEndpoint = ({ forUpdate }: SqlDialect) => `
  select endpoint_id, ${healthColumns.join(", ")} from webhook_endpoints
  where org_id = ? and workspace_id = ? and endpoint = ? ${forUpdate}
`

/** A success always counts; other results only count for the latest try of a pending webhook. */
const settleTry = `
  update outbox set state = ?, due_at = ?, leased_until = ?, finished_at = ?, last_status = ?, last_error = ?
  where webhook_id = ? and (? = 'delivered' or (state = 'pending' and tries = ?))
`

/** `record` of the outbox: one statement for each result, and three for each endpoint. */
export function* recordResults(dialect: SqlDialect, results: ReadonlyArray<TryResult>): Statements<void> {
  for (const group of groupByEndpoint(results)) {
    const [{ row: { endpoint, scope } }] = group
    const { rows: [found] } = yield* statement<EndpointHealth & { readonly endpoint_id: number }>(
      findEndpoint(dialect),
      [scope.org_id, scope.workspace_id, endpoint]
    )
    const before = found === undefined ? healthy : readHealth(found)
    let health = before
    const settled: Array<Statement<unknown>> = []
    for (const result of group) {
      const { started_at, tries, webhook_id } = result.row
      health = afterTry(health, { sign: endpointSignalOf(result), started_at, now: result.now })
      const { due_at, finished_at, last_error, last_status, leased_until, state } = settlementOf(result, health)
      settled.push(statement(settleTry, [
        state,
        due_at,
        leased_until,
        finished_at,
        last_status,
        last_error,
        webhook_id,
        state,
        tries
      ]))
    }
    yield* together(settled)
    if (found === undefined) continue
    if (!isSame(before, health)) yield* statement(setHealth, [...healthValues(health), found.endpoint_id])
    yield* statement(setHead, [found.endpoint_id])
  }
}
