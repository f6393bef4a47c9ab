import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"
import { here } from "./published.js"

/** A line in the table of results. */
export interface Result {
  /** Measured path and unit, such as `list route, CPU µs a request`. */
  readonly path: string
  /** Figure of Trunkline. */
  readonly ours: string
  /** Peers with their figures in the same run. */
  readonly peer: string
  /** Ratio to the peer, such as `0.9 times Express`. */
  readonly ratio: string
  /** Ratio or figure that the project aims for; empty when it has set none. */
  readonly goal: string
}

const results: Array<Result> = []

/** Adds a line to the table of results. */
export const report = (result: Result): void => void results.push(result)

const columns = ["path", "ours", "peer", "ratio", "goal"] as const

const machine = () => {
  const processors = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${processors.length} × ${processors[0]?.model ?? "CPU"}, ${gigabytes} GB, Node.js ${process.version}`
}

/** Formats a table for Markdown and for terminals. */
const tableOf = (lines: ReadonlyArray<Result>): string => {
  const cells = [columns, columns.map(() => "-"), ...lines.map((line) => columns.map((column) => line[column]))]
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row, index) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, index === 1 ? "-" : " ")).join(" | ")} |`
  ).join("\n")
}

const file = here("RESULTS.md")

const title =
  "# Results of the benchmarks\n\nWritten by `npm run bench`. Ratios count: both sides ran in turns on one machine.\n"

/** Sections of the file by bench. */
const readSections = (): Map<string, string> => {
  const text = existsSync(file) ? readFileSync(file, "utf8") : ""
  return new Map(text.split(/^## /m).slice(1).map((section) => [section.split("\n")[0] ?? "", section]))
}

/** Prints the results of a bench since the last call and writes them into bench/RESULTS.md, in place of its former ones. */
export const writeResults = (bench: string): void => {
  const lines = results.splice(0)
  if (lines.length === 0) return
  const table = tableOf(lines)
  console.log(`\n${table}`)
  const sections = readSections()
  sections.set(bench, `${bench}\n\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n\n${table}\n\n`)
  const sorted = [...sections].toSorted(([a], [b]) => a < b ? -1 : 1).map(([, section]) => `## ${section.trimEnd()}\n`)
  writeFileSync(file, [title, ...sorted].join("\n"))
}
