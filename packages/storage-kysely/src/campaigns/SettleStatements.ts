import type { Settlement } from "@trunkline/campaigns"
import type { Effect } from "effect"
import { changeRows, insertRows } from "../fast/ManyRows.js"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { sideBySide } from "../sql/Statement.js"
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

/** Counts settled contacts by campaign and outcome, in the order in which transactions change the counts. */
const countsOf = (settlements: ReadonlyArray<Settlement>): ReadonlyArray<SettledCount> => {
  const counts = new Map<string, SettledCount>()
  for (const { campaign_id, next, outcome } of settlements) {
    const key = `${campaign_id} ${outcome}`
    const { finished, waiting } = counts.get(key) ?? { waiting: 0, finished: 0 }
    counts.set(key, {
      campaign_id,
      outcome,
      waiting: next === null ? waiting : waiting + 1,
      finished: next === null ? finished + 1 : finished
    })
  }
  return [...counts.values()].sort(byCampaign)
}

/** Makes a function that moves contacts from `calling` with their attempts to their next states. */
export const settleContacts = (
  { dialect, statements }: Pick<typeof Sql.Service, "dialect" | "statements">,
  process: number | null
) => {
  const { enterQueue, schedule, settle } = changesOf(dialect)
  const count = addSettled(dialect, process)
  return (settlements: ReadonlyArray<Settlement>): Effect.Effect<void> =>
    statements(function*() {
      const rows = yield* settle(settlements.map(settledValues))
      const changes = settlements.filter((_, index) => rows[index] !== undefined)
      const retries = settlements.flatMap(({ campaign_id, next }, index) => {
        const row = rows[index]
        return row === undefined || next === null ? [] : [{ campaign_id, next, seat: row.seat }]
      })
      yield* sideBySide<unknown>([
        schedule(
          retries.map(({ campaign_id, next, seat }) => [next.due_at, retriesToJson(next.counters), campaign_id, seat])
        ),
        enterQueue(retries.map(({ campaign_id, next, seat }) => [campaign_id, next.due_at, seat])),
        count(countsOf(changes))
      ])
    })
}
