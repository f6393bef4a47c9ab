import { scopeKey } from "@trunkline/kernel"
import {
  afterTry,
  type EndpointHealth,
  endpointSignalOf,
  healthy,
  settlementOf,
  type TryResult
} from "@trunkline/webhooks"
import { changeRows } from "../sql/ManyRows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement, type Statements } from "../sql/Statement.js"
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
const settleTry = {
  change: "update outbox set state = ?, due_at = ?, leased_until = ?, finished_at = ?, last_status = ?, last_error = ?",
  where: "webhook_id = ? and (? = 'delivered' or (state = 'pending' and tries = ?))",
  types: ["text", "number", "number", "number", "integer", "text", "text", "text", "integer"],
  key: [6]
} as const

/** Makes `record` of the outbox: one statement for the results, or one for each of them, and three for each endpoint. */
export const recordResults = (dialect: SqlDialect) => {
  const settleTries = changeRows(dialect, settleTry)
  const find = findEndpoint(dialect)
  return function*(results: ReadonlyArray<TryResult>): Statements<void> {
    for (const group of groupByEndpoint(results)) {
      const [{ row: { endpoint, scope } }] = group
      const { rows: [found] } = yield* statement<EndpointHealth & { readonly endpoint_id: number }>(
        find,
        [scope.org_id, scope.workspace_id, endpoint]
      )
      const before = found === undefined ? healthy : readHealth(found)
      let health = before
      const settled = group.map((result) => {
        const { started_at, tries, webhook_id } = result.row
        health = afterTry(health, { sign: endpointSignalOf(result), started_at, now: result.now })
        const { due_at, finished_at, last_error, last_status, leased_until, state } = settlementOf(result, health)
        return [state, due_at, leased_until, finished_at, last_status, last_error, webhook_id, state, tries]
      })
      yield* settleTries(settled)
      if (found === undefined) continue
      if (!isSame(before, health)) yield* statement(setHealth, [...healthValues(health), found.endpoint_id])
      yield* statement(setHead, [found.endpoint_id])
    }
  }
}
