import type { Settlement } from "@trunkline/campaigns"
import type { Effect } from "effect"
import { changeRows, insertRows } from "../sql/ManyRows.js"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import type { Statements } from "../sql/Statement.js"
import { retriesToJson } from "./ContactRows.js"
import { addSettled, type SettledCount } from "./DispatchCounts.js"

/** The changes of many contacts. */
const changesOf = (dialect: SqlDialect) => ({
  enterQueue: insertRows(dialect, "ready", {
    columns: { campaign_id: "text", due_at: "number", seat: "integer" }
  }),
  settle: changeRows<{ readonly seat: number }>(dialect, {
    change: `
      update contacts set
        state = ?, attempt_id = null, verdict = ?, reason = ?, decided_at = ?, not_before = ?,
        completion_status = ?, connectivity_status = ?, next_action_status = ?
    `,
    where: "campaign_id = ? and user_phone_number = ? and attempt_id = ?",
    returning: "seat",
    types: ["text", "text", "text", "number", "number", "text", "text", "text", "text", "text", "text"],
    key: [8, 9]
  }),
  schedule: changeRows(dialect, {
    change: "update contacts set due_at = ?, retries = ?",
    where: "campaign_id = ? and seat = ?",
    types: ["number", "text", "text", "integer"],
    key: [2, 3]
  })
})

/** The order in which transactions change the counts of campaigns, so that none waits for another in a circle. */
const byCampaign = (a: SettledCount, b: SettledCount): number =>
  a.campaign_id === b.campaign_id ? (a.outcome < b.outcome ? -1 : 1) : a.campaign_id < b.campaign_id ? -1 : 1

/** The given values of `settle`. */
const settledValues = (settlement: Settlement) => {
  const { attempt_id, campaign_id, decision, last_outcome, next, user_phone_number } = settlement
  return [
    next === null ? "finished" : "waiting",
    decision.verdict,
    decision.reason,
    decision.at,
    decision.not_before,
    last_outcome.completion_status,
    last_outcome.connectivity_status,
    last_outcome.next_action_status,
    campaign_id,
    user_phone_number,
    attempt_id
  ]
}

/** Settles contacts; returns the settlements of those that were calling with their attempts. */
function* settleEach(
  { enterQueue, schedule, settle }: ReturnType<typeof changesOf>,
  settlements: ReadonlyArray<Settlement>
): Statements<ReadonlyArray<Settlement>> {
  const rows = yield* settle(settlements.map(settledValues))
  const settled = settlements.flatMap((settlement, index) => {
    const row = rows[index]
    return row === undefined ? [] : [{ settlement, seat: row.seat }]
  })
  const queued = settled.flatMap(({ seat, settlement: { campaign_id, next } }) =>
    next === null ? [] : [{ campaign_id, next, seat }]
  )
  yield* schedule(
    queued.map(({ campaign_id, next, seat }) => [next.due_at, retriesToJson(next.counters), campaign_id, seat])
  )
  yield* enterQueue(queued.map(({ campaign_id, next, seat }) => [campaign_id, next.due_at, seat]))
  return settled.map(({ settlement }) => settlement)
}

/** Makes a function that moves contacts from `calling` with their attempts to their next states. */
export const settleContacts = (
  { dialect, statements }: Pick<typeof Sql.Service, "dialect" | "statements">,
  process: number | null
) => {
  const changes = changesOf(dialect)
  const count = addSettled(dialect, process)
  return (settlements: ReadonlyArray<Settlement>): Effect.Effect<void> =>
    statements(function*() {
      const counts = new Map<string, SettledCount>()
      for (const { campaign_id, next, outcome } of yield* settleEach(changes, settlements)) {
        const key = `${campaign_id} ${outcome}`
        const { finished, waiting } = counts.get(key) ?? { waiting: 0, finished: 0 }
        counts.set(key, {
          campaign_id,
          outcome,
          waiting: next === null ? waiting : waiting + 1,
          finished: next === null ? finished + 1 : finished
        })
      }
      yield* count([...counts.values()].sort(byCampaign))
    })
}
