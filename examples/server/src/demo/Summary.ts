import type { DemoAttempt } from "./DemoAttempt.js"
import { type DemoBoardResult, tableLines } from "./DemoBoard.js"
import type { Connectivity } from "./DemoPlan.js"

/** Results of the demo. */
export interface DemoResult {
  readonly rows: Readonly<Record<"total_records" | "valid_records" | "rejected_records", number>>
  /** One line for each rejected row: what it was and why. */
  readonly rejected: ReadonlyArray<string>
  /** Every attempt, oldest first. */
  readonly attempts: ReadonlyArray<DemoAttempt>
  /** Webhooks received; null when none may be sent to this machine. */
  readonly deliveries: number | null
  /** Attempts that call analytics lists. */
  readonly listed: number
  readonly expected: (number: string) => Connectivity
  readonly board: DemoBoardResult
}

/** Last attempt of each contact. */
const lastAttempts = (attempts: ReadonlyArray<DemoAttempt>): ReadonlyArray<DemoAttempt> => {
  const last = new Map<string, DemoAttempt>()
  for (const attempt of attempts) {
    const before = last.get(attempt.user_identifier)
    if (before === undefined || before.retry_attempt <= attempt.retry_attempt) {
      last.set(attempt.user_identifier, attempt)
    }
  }
  return [...last.values()]
}

/** Contacts whose calls did not end as the simulated network was configured to end them. */
export const surprises = ({ attempts, expected, rows }: DemoResult): ReadonlyArray<string> => {
  const last = lastAttempts(attempts)
  const wrong = last.flatMap(
    ({ connectivity_status: status, next_action_status: next, user_identifier, user_phone_number }) => {
      const wanted = user_phone_number === undefined ? status : expected(user_phone_number)
      if (next !== null) return [`${user_identifier}: still waits for a ${next}`]
      return status === wanted ? [] : [`${user_identifier}: ${status ?? "unknown"} instead of ${wanted ?? "unknown"}`]
    }
  )
  return last.length === rows.valid_records
    ? wrong
    : [...wrong, `${rows.valid_records - last.length} people were never called`]
}

const count = <A>(items: ReadonlyArray<A>, of: (item: A) => string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(of(item), (counts.get(of(item)) ?? 0) + 1)
  return new Map([...counts].sort((a, b) => b[1] - a[1]))
}

const bars = (counts: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const longest = Math.max(...[...counts.keys()].map((name) => name.length), 0)
  const most = Math.max(...counts.values(), 1)
  return [...counts].map(([name, number]) =>
    `  ${name.padEnd(longest)}  ${"█".repeat(Math.max(1, Math.round(number / most * 28)))} ${number}`
  )
}

const seconds = (total: number): string => `${Math.floor(total / 60)} min ${Math.round(total % 60)} s`

/** Summary of the demo, as text for a terminal. */
export const summary = (result: DemoResult): string => {
  const { attempts, board, deliveries, listed, rejected, rows } = result
  const people = lastAttempts(attempts)
  const retries = attempts.filter((attempt) => attempt.retry_attempt > 0)
  const talked = attempts.reduce((sum, attempt) => sum + (attempt.duration ?? attempt.duration_in_seconds ?? 0), 0)
  const promises = people.filter((attempt) => attempt.output_agent_variables?.["promise_to_pay"] === "yes").length
  const unexpected = surprises(result)
  return [
    "",
    "What happened",
    `  Rows in the file     ${rows.total_records}: ${rows.valid_records} people to call, ${rows.rejected_records} rejected`,
    ...rejected.map((line) => `    ${line}`),
    `  Calls made           ${attempts.length}, of which ${retries.length} retries; ${seconds(talked)} of talk`,
    `  Promises to pay      ${promises}`,
    deliveries === null
      ? "  Webhooks received    none: the bootstrap file does not allow addresses on this machine"
      : `  Webhooks received    ${deliveries} for ${attempts.length} attempts`,
    `  Attempts listed      ${listed} by call analytics`,
    "",
    "How people were reached in the end",
    ...bars(count(people, (attempt) => outcome(attempt))),
    "",
    `From the board: ${board.name}`,
    ...tableLines(board.table).map((line) => `  ${line}`),
    "",
    ...conversation(attempts),
    unexpected.length === 0
      ? "Every contact ended as expected."
      : `Not as expected: ${unexpected.length}\n${unexpected.map((line) => `  ${line}`).join("\n")}`
  ].join("\n")
}

const outcome = (attempt: DemoAttempt): string =>
  attempt.connectivity_status === "connected"
    ? `talked, ${attempt.completion_status}`
    : attempt.connectivity_status ?? "unknown"

/** One whole conversation, to show what a call was like. */
const conversation = (attempts: ReadonlyArray<DemoAttempt>): ReadonlyArray<string> => {
  const shown = attempts.find((attempt) => attempt.completion_status === "completed")
  if (shown?.interaction_transcript == null) return []
  return [
    `One of the calls (${shown.user_identifier}, ${Math.round(shown.duration ?? 0)} s)`,
    ...shown.interaction_transcript.map((turn) =>
      `  ${turn.role === "agent" ? "Agent " : "Person"}  ${turn.indic_text ?? turn.en_text}`
    ),
    ""
  ]
}
