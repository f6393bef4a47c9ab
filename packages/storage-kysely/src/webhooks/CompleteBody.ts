import type { Outbox } from "@trunkline/webhooks"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement, type Statements } from "../sql/Statement.js"
import { endpointHeads } from "./EndpointHeads.js"

type CompleteBody = Parameters<typeof Outbox.Service["completeBody"]>[0]

const makeDue = `
  update outbox set due_at = case when due_at < ? then due_at else ? end
  where webhook_id = ? and state = 'pending' and tries = 0
  returning seq, endpoint_id
`

const setBody = "update outbox_bodies set body = ? where seq = ?"

/**
 * Makes `completeBody` of the outbox. Where transactions run at the same time, it locks the endpoint as claims do, so that none reads
 * the former body meanwhile.
 */
export const completeWebhook = (dialect: SqlDialect) => {
  const heads = endpointHeads(dialect)
  const lockEndpoint = `
    select endpoint_id from webhook_endpoints
    where endpoint_id = (select endpoint_id from outbox where webhook_id = ?) ${dialect.forUpdate}
  `
  return function*({ body, now, webhook_id }: CompleteBody): Statements<boolean> {
    if (dialect.forUpdate !== "") yield* statement(lockEndpoint, [webhook_id])
    const { rows: [row] } = yield* statement<{ readonly seq: number; readonly endpoint_id: number }>(makeDue, [
      now,
      now,
      webhook_id
    ])
    if (row === undefined) return false
    yield* statement(setBody, [body, row.seq])
    yield* heads.followChange(row.endpoint_id)
    return true
  }
}
