import type { TrunklineClient, WidgetsCreateBody } from "@trunkline/client"
import { setTimeout as pause } from "node:timers/promises"

interface Table {
  readonly columns: ReadonlyArray<{ readonly name: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<string | number | boolean | null>>
}

/** The demo's board. */
export interface DemoBoard {
  readonly id: string
  readonly name: string
  readonly tabs: ReadonlyArray<{
    readonly id: string
    readonly widgets: ReadonlyArray<{ readonly id: string; readonly name: string; readonly viz_type: string }>
  }>
}

/** The part of the board that the demo prints. */
export interface DemoBoardResult {
  /** The name of the widget that is printed. */
  readonly name: string
  readonly table: Table
}

const boardName = "Payment reminders"

const filters: WidgetsCreateBody["filters"] = [
  { internal_name: "since", display_label: "Since", filter_type: "date", default_value: "today-30d" },
  { internal_name: "campaign", display_label: "Campaign", filter_type: "string" }
]

const facts = `FROM EngagementFactsBoardsView
WHERE effective_datetime >= {{since}} [[AND campaign_id = {{campaign}}]]`

/** The calls in periods that fit them: minutes within an hour, hours within two days, and otherwise days. */
const overTime = `WITH calls AS (
  SELECT effective_datetime AS at, v2v_connectivity_status = 'connected' AS connected
  ${facts}
), span AS (
  SELECT CASE
    WHEN julianday(max(at)) - julianday(min(at)) <= 1.0 / 24 THEN '%Y-%m-%d %H:%M'
    WHEN julianday(max(at)) - julianday(min(at)) <= 2 THEN '%Y-%m-%d %H:00'
    ELSE '%Y-%m-%d'
  END AS period FROM calls
)`

const time = "strftime(period, at, '+330 minutes') AS time"

const printed = "Round by round"

const plain: ReadonlyArray<WidgetsCreateBody> = [
  {
    name: "Calls so far",
    viz_type: "number",
    viz_config: { x_axis: "time", value_column: "calls" },
    sql: `${overTime}
SELECT ${time}, sum(count(*)) OVER (ORDER BY min(at)) AS calls
FROM calls, span GROUP BY time ORDER BY time DESC`
  },
  {
    name: "How calls ended",
    viz_type: "bar",
    viz_config: { x_axis: "outcome", y_axis: ["calls"] },
    sql: `SELECT coalesce(v2v_connectivity_status, 'unknown') AS outcome, count(*) AS calls ${facts}
GROUP BY outcome ORDER BY calls DESC`
  },
  {
    name: "Calls over time",
    viz_type: "line",
    viz_config: { x_axis: "time", y_axis: ["calls", "connected"] },
    sql: `${overTime}
SELECT ${time}, count(*) AS calls, sum(connected) AS connected
FROM calls, span GROUP BY time ORDER BY time`
  },
  {
    name: printed,
    viz_type: "table",
    sql: `SELECT retry_attempt + 1 AS round, count(*) AS calls,
  count(*) FILTER (WHERE v2v_connectivity_status = 'connected') AS connected,
  round(100.0 * count(*) FILTER (WHERE v2v_connectivity_status = 'connected') / count(*), 1) AS "connected %",
  count(*) FILTER (WHERE output_agent_variables ->> 'promise_to_pay' = 'yes') AS promises,
  round(coalesce(sum(audio_duration), 0) / 60, 1) AS "minutes of talk" ${facts}
GROUP BY round ORDER BY round`
  }
]

const widgets = plain.map((widget) => ({ ...widget, filters }))

/** Real milliseconds between two looks at whether the facts have arrived, which takes less than a second. */
const lookEvery = 500
const looks = 6

/** The demo's board of an earlier run, or a new one with its four widgets. */
export const demoBoard = async ({ boards }: TrunklineClient): Promise<DemoBoard> => {
  const { items } = await boards.list({ limit: 100 })
  const match = items.find(({ name }) => name === boardName)
  const { id } = match ?? await boards.create({ name: boardName, tag: "demo" })
  if (match === undefined) {
    for (const widget of widgets) await boards.createWidget(id, widget)
  }
  return boards.get(id)
}

/** Waits until the facts of so many calls can be queried. */
const factsOf = async ({ boards }: TrunklineClient, campaign: string, calls: number): Promise<void> => {
  for (let looked = 0; looked < looks; looked++) {
    const { rows: [[found] = []] } = await boards.preview({
      sql: "SELECT count(*) FROM EngagementFactsBoardsView WHERE campaign_id = {{campaign}}",
      filter_values: { campaign: { filter_type: "string", value: campaign } }
    })
    if (found === calls) return
    await pause(lookEvery)
  }
}

/** The id of a widget of the board that can be drawn. */
export const drawableWidget = ({ tabs: [tab] }: DemoBoard): string =>
  tab?.widgets.find(({ viz_type }) => viz_type === "bar")?.id ?? ""

/** Runs the board over all calls of a campaign, and gives the widget to be printed. */
export const runBoard = async (
  client: TrunklineClient,
  { board, calls, campaign }: {
    readonly board: DemoBoard
    readonly campaign: string
    readonly calls: number
  }
): Promise<DemoBoardResult> => {
  await factsOf(client, campaign, calls)
  const [tab] = board.tabs
  const { results } = await client.boards.runTab(board.id, tab?.id ?? "", {
    filter_values: { campaign: { filter_type: "string", value: campaign } },
    max_age: 0
  })
  const shown = tab?.widgets.find(({ name }) => name === printed)
  const result = results.find(({ widget_id }) => widget_id === shown?.id)
  return {
    name: `${boardName}, ${printed.toLowerCase()}`,
    table: result?.status === "ok" ? result : { columns: [], rows: [] }
  }
}

/** A table as lines of text, its figures to the right. */
export const tableLines = ({ columns, rows }: Table): ReadonlyArray<string> => {
  const cells = [columns.map(({ name }) => name), ...rows.map((row) => row.map((cell) => String(cell ?? "-")))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>) => row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join("  ")
  const [head = [], ...body] = cells
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(line)]
}
