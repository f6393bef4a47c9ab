import { scopeKey } from "@trunkline/kernel"
import {
  afterTry,
  type EndpointHealth,
  endpointSignalOf,
  healthy,
  settlementOf,
  type TryResult
} from "@trunkline/webhooks"
import { changeRows } from "../fast/ManyRows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement, type Statements, together } from "../sql/Statement.js"
import { endpointHeads } from "./EndpointHeads.js"
import { healthColumns, healthValues, readHealth, setHealth } from "./OutboxRows.js"

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

type FoundEndpoint = EndpointHealth & { readonly endpoint_id: number }

const columns = `endpoint_id, ${healthColumns.join(", ")}`
const findEndpoint = `
  select ${columns} from webhook_endpoints where org_id = ? and workspace_id = ? and endpoint = ?
`
/** Locks endpoints in one order, so that no transaction waits for another in a circle. */
const lockEndpoints = ({ forUpdate, integerRows }: SqlDialect) => `
  select ${columns} from webhook_endpoints
  where endpoint_id in (select value from ${integerRows("number")}) order by endpoint_id ${forUpdate}
`

/** A success always counts; other results only count for the latest try of a pending webhook. */
const settleTry = {
  change: "update outbox set state = ?, due_at = ?, leased_until = ?, finished_at = ?, last_status = ?, last_error = ?",
  where: "webhook_id = ? and (? = 'delivered' or (state = 'pending' and tries = ?))",
  types: ["text", "number", "number", "number", "integer", "text", "text", "text", "integer"],
  key: [6]
} as const

/** Health of an endpoint after results. */
const afterResults = (health: EndpointHealth, results: ReadonlyArray<TryResult>): EndpointHealth =>
  results.reduce(
    (now, result) =>
      afterTry(now, { sign: endpointSignalOf(result), started_at: result.row.started_at, now: result.now }),
    health
  )

/** The values of `settleTry` for results of an endpoint whose health was this before them. */
const settledValues = (before: EndpointHealth, results: ReadonlyArray<TryResult>) => {
  let health = before
  return results.map((result) => {
    const { tries, webhook_id } = result.row
    health = afterResults(health, [result])
    const { due_at, finished_at, last_error, last_status, leased_until, state } = settlementOf(result, health)
    return [state, due_at, leased_until, finished_at, last_status, last_error, webhook_id, state, tries]
  })
}

/** Makes `record` of the outbox. It writes, and locks, only the endpoints whose health changes. */
export const recordResults = (dialect: SqlDialect) => {
  const settleTries = changeRows(dialect, settleTry)
  const lock = lockEndpoints(dialect)
  const heads = endpointHeads(dialect)

  /** The endpoints of groups of results; those whose health changes are locked, and read again then. */
  function* endpointsOf(
    groups: ReturnType<typeof groupByEndpoint>
  ): Statements<ReadonlyArray<FoundEndpoint | undefined>> {
    const resultGroups = yield* together(
      groups.map(([{ row: { endpoint, scope } }]) =>
        statement<FoundEndpoint>(findEndpoint, [scope.org_id, scope.workspace_id, endpoint])
      )
    )
    const endpoints = resultGroups.map(({ rows: [row] }) => row)
    if (dialect.forUpdate === "") return endpoints
    const changing = endpoints.flatMap((endpoint, index) => {
      const results = groups[index] ?? []
      if (endpoint === undefined) return []
      const before = readHealth(endpoint)
      return isSame(before, afterResults(before, results)) ? [] : [endpoint.endpoint_id]
    })
    if (changing.length === 0) return endpoints
    const { rows } = yield* statement<FoundEndpoint>(lock, [JSON.stringify(changing)])
    const lockedEndpoints = new Map(rows.map((row) => [row.endpoint_id, row]))
    return endpoints.map((endpoint) => endpoint && (lockedEndpoints.get(endpoint.endpoint_id) ?? endpoint))
  }

  return function*(results: ReadonlyArray<TryResult>): Statements<void> {
    const groups = groupByEndpoint(results)
    const endpoints = yield* endpointsOf(groups)
    const healthOf = (index: number) => {
      const endpoint = endpoints[index]
      return endpoint === undefined ? healthy : readHealth(endpoint)
    }
    yield* settleTries(groups.flatMap((group, index) => settledValues(healthOf(index), group)))
    for (const [index, group] of groups.entries()) {
      const endpoint = endpoints[index]
      if (endpoint === undefined) continue
      const before = healthOf(index)
      const after = afterResults(before, group)
      if (!isSame(before, after)) yield* statement(setHealth, [...healthValues(after), endpoint.endpoint_id])
      yield* heads.followChange(endpoint.endpoint_id)
    }
  }
}
