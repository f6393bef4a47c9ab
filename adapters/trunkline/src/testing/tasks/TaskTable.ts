import type { Evaluation, VersionResult } from "./TaskTypes.js"

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const runsOf = ({ tasks }: VersionResult) => tasks.flatMap(({ runs }) => runs)

const rowOf = (result: VersionResult): ReadonlyArray<string> => {
  const runs = runsOf(result)
  const seconds = runs.reduce((sum, { call }) => sum + (call?.seconds ?? 0), 0)
  return [
    result.version,
    String(result.tasks.length),
    ...result.passPowers.map(percent),
    `${(seconds / Math.max(1, runs.length)).toFixed(0)} s`,
    String(runs.filter(({ failure }) => failure !== null).length)
  ]
}

/** The lines about what was left out, and the first failure. */
const notesOf = ({ ignored, skipped, versions }: Omit<Evaluation, "table">): ReadonlyArray<string> => {
  const runs = versions.flatMap(runsOf)
  const bases = new Set(
    runs.flatMap(({ checks }) => checks.flatMap(({ basis, isMet }) => isMet === null ? [basis] : []))
  )
  const badRun = runs.find(({ failure }) => failure !== null)
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  return [
    ...[...bases].map((basis) => `Not judged: ${basis}. Give a judge for rules in words.`),
    ...reasons.map((why) => {
      const ids = skipped.filter(({ reason }) => reason === why).map(({ id }) => id)
      return `Left out, ${ids.length} tasks (${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}): ${why}.`
    }),
    ...ignored.length === 0 ? [] : [`Ignored, since the form has no such field: ${ignored.slice(0, 5).join(", ")}.`],
    ...badRun === undefined ? [] : [`First failure: ${badRun.failure}`]
  ]
}

/** The table of an evaluation, one row for each version. */
export const taskTable = (evaluation: Omit<Evaluation, "table">): string => {
  const powers = evaluation.versions[0]?.passPowers ?? []
  const rows = [
    ["version", "tasks", ...powers.map((_, index) => `pass^${index + 1}`), "call", "failures"],
    ...evaluation.versions.map(rowOf)
  ]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const table = rows.map((row) =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)).join(
      "  "
    )
  )
  const notes = notesOf(evaluation)
  return [...table, ...notes.length === 0 ? [] : [""], ...notes].join("\n")
}
