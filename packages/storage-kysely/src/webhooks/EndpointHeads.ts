import type { Scope } from "@trunkline/kernel"
import type { Receiver } from "@trunkline/webhooks"
import { Option } from "effect"
import type { Selectable } from "kysely"
import type { Database } from "../schema/Database.js"
import { insertText } from "../sql/Rows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { type SqlValue, statement, type Statements } from "../sql/Statement.js"
import { healthColumns } from "./OutboxRows.js"

/** A receiver, with the time at which its first new webhook is due. */
export type QueuedReceiver = Receiver & { readonly due_at: number }

/** The part of an endpoint that a new webhook needs. */
export type EndpointRow = Pick<Selectable<Database["webhook_endpoints"]>, "endpoint_id" | "disabled_at">

/** Access to the first webhook of each endpoint's queue, by which endpoints with work to do are found. */
export interface EndpointHeads {
  /**
   * Query of the endpoints with work to do that have waited longest, in any order, except in some workspaces. It locks them.
   * Its values are the time, those of `scopeValues`, and a limit.
   */
  readonly due: (except: ReadonlyArray<Scope>) => string
  /** Query of the endpoints with work to do at any time, the earliest first; its values are those of `due` without the time. */
  readonly next: (except: ReadonlyArray<Scope>) => string
  /** The row of a receiver that gets webhooks, inserted if there is none. */
  readonly queue: (receiver: QueuedReceiver) => Statements<EndpointRow>
  /** Follows a change of the queue of an endpoint. */
  readonly followChange: (endpoint_id: number) => Statements<void>
}

/** The values of the condition that excludes workspaces. */
export const scopeValues = (scopes: ReadonlyArray<Scope>): ReadonlyArray<SqlValue> =>
  scopes.flatMap(({ org_id, workspace_id }) => [org_id, workspace_id])

const exceptIn = (scopes: ReadonlyArray<Scope>): string =>
  scopes.length === 0
    ? ""
    : `and (org_id, workspace_id) not in (values ${scopes.map(() => "(?, ?)").join(", ")})`

/** The limit is an expression, because SQLite plans a statement again for every new value bound to a limit itself. */
const inOrder = "order by visit_at limit ? + 0"

const dueColumns = ["endpoint_id", "endpoint", "org_id", "workspace_id", ...healthColumns]
const nextColumns = "endpoint, org_id, workspace_id, visit_at"

const receiverColumns = ["org_id", "workspace_id", "endpoint", "head_at"]
const receiverValues = ({ due_at, endpoint, scope }: QueuedReceiver) => [
  scope.org_id,
  scope.workspace_id,
  endpoint,
  due_at
]

const upsertEndpoint = `
  ${insertText("webhook_endpoints", receiverColumns)}
  on conflict (org_id, workspace_id, endpoint) do update set
    head_at = case
      when webhook_endpoints.disabled_at is not null then webhook_endpoints.head_at
      when webhook_endpoints.head_at < excluded.head_at then webhook_endpoints.head_at
      else excluded.head_at
    end
  returning endpoint_id, disabled_at
`

const setHead = `
  update webhook_endpoints set head_at = (
    select claimable_at from outbox where outbox.endpoint_id = webhook_endpoints.endpoint_id and state = 'pending'
    order by claimable_at limit 1
  ) where endpoint_id = ?
`

/** Where transactions run one at a time: the row of each endpoint holds the head of its queue. */
const headsInRows: EndpointHeads = {
  due: (scopes) => `
    select ${dueColumns.join(", ")}, visit_at from webhook_endpoints where visit_at is not null and visit_at <= ? ${
    exceptIn(scopes)
  } ${inOrder}
  `,
  next: (scopes) => `
    select ${nextColumns} from webhook_endpoints where visit_at is not null ${exceptIn(scopes)} ${inOrder}
  `,
  *queue(receiver) {
    const { rows: [row] } = yield* statement<EndpointRow>(upsertEndpoint, receiverValues(receiver))
    return Option.getOrThrow(Option.fromNullable(row))
  },
  *followChange(endpoint_id) {
    yield* statement(setHead, [endpoint_id])
  }
}

/** Jumps from the first pending webhook of an endpoint to that of the next one, by the index of the queues. */
const visits = `
  with recursive heads(endpoint_id, head_at) as (
    (
      select endpoint_id, claimable_at from outbox where state = 'pending' order by endpoint_id, claimable_at, seq limit 1
    )
    union all
    select following.endpoint_id, following.claimable_at from heads cross join lateral (
      select endpoint_id, claimable_at from outbox where state = 'pending' and outbox.endpoint_id > heads.endpoint_id
      order by endpoint_id, claimable_at, seq limit 1
    ) as following
  ), visits as (
    select
      heads.endpoint_id, endpoint, org_id, workspace_id,
      case when disabled_at is null then greatest(heads.head_at, paused_until) else 0 end as visit_at
    from heads join webhook_endpoints on webhook_endpoints.endpoint_id = heads.endpoint_id
  )
`

const findEndpoint = `
  select endpoint_id, disabled_at from webhook_endpoints where org_id = ? and workspace_id = ? and endpoint = ?
`
const insertEndpoint = `
  ${insertText("webhook_endpoints", receiverColumns)} on conflict (org_id, workspace_id, endpoint) do nothing
`

/**
 * Where they run at the same time: heads are found by the index, so that those who add webhooks do not write, or wait for,
 * the row of a receiver that many get.
 */
const headsByIndex: EndpointHeads = {
  // Locks are taken in the order of the numbers, as by all others who take several.
  due: (scopes) => `
    ${visits} select ${dueColumns.map((column) => `webhook_endpoints.${column}`).join(", ")}, due.visit_at from (
      select endpoint_id, visit_at from visits where visit_at <= ? ${exceptIn(scopes)} ${inOrder}
    ) as due join webhook_endpoints on webhook_endpoints.endpoint_id = due.endpoint_id
    order by webhook_endpoints.endpoint_id for update of webhook_endpoints
  `,
  next: (scopes) => `${visits} select ${nextColumns} from visits where true ${exceptIn(scopes)} ${inOrder}`,
  *queue(receiver) {
    const values = receiverValues(receiver)
    const find = statement<EndpointRow>(findEndpoint, values.slice(0, -1))
    const { rows: [foundRow] } = yield* find
    if (foundRow !== undefined) return foundRow
    yield* statement(insertEndpoint, values)
    const { rows: [insertedRow] } = yield* find
    return Option.getOrThrow(Option.fromNullable(insertedRow))
  },
  // The index has followed it.
  *followChange() {}
}

/** The heads of the queues in a database. */
export const endpointHeads = ({ forUpdate }: SqlDialect): EndpointHeads => forUpdate === "" ? headsInRows : headsByIndex
