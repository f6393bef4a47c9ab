import { type DispatchTotals, noOutcomes } from "@trunkline/campaigns"
import type { CampaignId } from "@trunkline/kernel"
import { changeRows, insertRows } from "../fast/ManyRows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement, type Statements } from "../sql/Statement.js"
import { noContacts } from "./DispatchQueue.js"

/** Contacts of a campaign whose attempts had the same outcome: those that wait again, and those that are finished. */
export interface SettledCount {
  readonly campaign_id: CampaignId
  readonly outcome: string
  readonly waiting: number
  readonly finished: number
}

/** The counts of a campaign, with those of one outcome that processes have counted apart. */
interface CountsRow {
  readonly waiting: number
  readonly calling: number
  readonly finished: number
  readonly taken: number
  readonly outcomes: string
  readonly outcome: string | null
  readonly waiting_again: number
  readonly settled: number
}

const countsOf = "select waiting, calling, finished, taken, outcomes"

const ownCounts = `${countsOf}, null as outcome, 0 as waiting_again, 0 as settled from dispatch where campaign_id = ?`

/** One statement, so that no contact is counted twice or not at all. */
const sharedCounts = `
  ${countsOf}, apart.outcome, coalesce(apart.waiting_again, 0) as waiting_again, coalesce(apart.settled, 0) as settled
  from dispatch left join (
    select outcome, cast(sum(waiting) as bigint) as waiting_again, cast(sum(waiting + finished) as bigint) as settled
    from settled_counts where campaign_id = ? group by outcome
  ) as apart on true
  where campaign_id = ?
`

const readTotals = (rows: ReadonlyArray<CountsRow>): DispatchTotals => {
  const [first] = rows
  if (first === undefined) return { contacts: noContacts, outcomes: noOutcomes, taken: 0 }
  let { calling, finished, waiting } = first
  const outcomes: Record<string, number> = JSON.parse(first.outcomes)
  for (const { outcome, settled, waiting_again } of rows) {
    if (outcome === null) continue
    calling -= settled
    waiting += waiting_again
    finished += settled - waiting_again
    outcomes[outcome] = (outcomes[outcome] ?? 0) + settled
  }
  return { contacts: { waiting, calling, finished }, outcomes: { ...noOutcomes, ...outcomes }, taken: first.taken }
}

/** Where no other process counts: in the row of the campaign. */
const inRowOfCampaign = (dialect: SqlDialect) => {
  const change = changeRows(dialect, {
    change: `
      update dispatch set
        calling = calling - ?, waiting = waiting + ?, finished = finished + ?,
        outcomes = ${dialect.addToField("outcomes")}
    `,
    where: "campaign_id = ?",
    types: ["integer", "integer", "integer", "text", "text", "integer", "text"],
    key: [6]
  })
  return (counts: ReadonlyArray<SettledCount>) =>
    change(counts.map(({ campaign_id, finished, outcome, waiting }) => {
      const total = waiting + finished
      return [total, waiting, finished, outcome, outcome, total, campaign_id]
    }))
}

/** Where several do: in rows of this process, so that none waits for another. */
const inRowsOfProcess = (dialect: SqlDialect, process: number) => {
  const add = insertRows(dialect, "settled_counts", {
    columns: { campaign_id: "text", process_id: "integer", outcome: "text", waiting: "integer", finished: "integer" },
    end: `
      on conflict (campaign_id, process_id, outcome) do update set
        waiting = settled_counts.waiting + excluded.waiting, finished = settled_counts.finished + excluded.finished
    `
  })
  return (counts: ReadonlyArray<SettledCount>) =>
    add(counts.map(({ campaign_id, finished, outcome, waiting }) => [campaign_id, process, outcome, waiting, finished]))
}

/** Makes a function that counts settled contacts, those of a campaign and outcome once. */
export const addSettled = (dialect: SqlDialect, process: number | null) =>
  process === null ? inRowOfCampaign(dialect) : inRowsOfProcess(dialect, process)

/** Reads the totals of a campaign. */
export function* totalsOf(campaign: CampaignId, process: number | null): Statements<DispatchTotals> {
  const { rows } = process === null
    ? yield* statement<CountsRow>(ownCounts, [campaign])
    : yield* statement<CountsRow>(sharedCounts, [campaign, campaign])
  return readTotals(rows)
}
