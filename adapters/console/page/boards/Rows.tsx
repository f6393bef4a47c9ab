import type { RunResult } from "../api/types.js"
import { Note } from "../ui/Note.js"
import { numberText } from "../ui/Time.js"

interface Props extends RunResult {
  readonly label: string
}

const cellText = (value: string | number | boolean | null) => (typeof value === "number" ? numberText(value) : String(value ?? "–"))

/** True for a column of figures, which stand at the right edge below their title. */
const isNumber = (rows: RunResult["rows"], column: number) => rows.some((row) => typeof row[column] === "number")

/** Rows of a query as a table. */
export const Rows = ({ columns, label, rows, truncated }: Props) => (
  <div class="stack">
    {truncated && <Note kind="warn"><p>Only the first {numberText(rows.length)} rows are shown: the result is longer than its limit.</p></Note>}
    {rows.length === 0 ? <p class="muted">The query returned no row.</p> : (
      <div class="table-wrap" tabIndex={0} role="region" aria-label={label} style={{ maxHeight: "420px", overflow: "auto" }}>
        <table>
          <thead><tr>{columns.map(({ name }, index) => <th key={index} class={isNumber(rows, index) ? "right" : undefined}>{name}</th>)}</tr></thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((value, column) => <td key={column} class={typeof value === "number" ? "right" : undefined}>{cellText(value)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </div>
)
