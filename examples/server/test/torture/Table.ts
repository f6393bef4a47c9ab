import type { TrialOutcome } from "./Trial.js"

const percentile = (values: ReadonlyArray<number>, share: number): string => {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
  return value === undefined ? "-" : `${Math.round(value)} ms`
}

const columns: ReadonlyArray<readonly [string, (outcome: TrialOutcome) => string | number]> = [
  ["mode", ({ mode }) => mode],
  ["kills", ({ kills }) => kills],
  ["stops", ({ stops }) => stops],
  ["attempts", ({ attempts }) => attempts],
  ["lost", ({ lost }) => lost],
  ["dialled twice", ({ twice }) => twice],
  ["unknown", ({ unknown }) => unknown],
  ["webhooks", ({ webhooks }) => webhooks],
  ["twice or more", ({ duplicates }) => duplicates],
  ["ready p50", ({ ready }) => percentile(ready, 0.5)],
  ["p99", ({ ready }) => percentile(ready, 0.99)],
  ["dials p50", ({ dialling }) => percentile(dialling, 0.5)],
  ["p99", ({ dialling }) => percentile(dialling, 0.99)]
]

/** The outcomes as a table of text, a line for each. */
export const tableOf = (outcomes: ReadonlyArray<TrialOutcome>): string => {
  const rows = [columns.map(([title]) => title), ...outcomes.map((one) => columns.map(([, of]) => String(of(one))))]
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows.map((row) => row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join("  ")).join("\n")
}
