import type { Variables } from "@trunkline/kernel"
import type { CallReport, TranscriptTurn } from "@trunkline/telephony"

/** A use of a tool in a call. */
export interface ToolUsed {
  readonly name: string
  /** JSON as the model wrote it. */
  readonly arguments: string
  readonly outcome: string
}

/** Outcome of a call, as a replay compares it. */
export interface CallSummary {
  readonly completion_status: "completed" | "partial" | "failed"
  readonly ended_by: CallReport["ended_by"]
  readonly fault: string | null
  readonly business_retry: boolean
  /** Time of a promised callback, in epoch milliseconds; null without one. */
  readonly reschedule_at: number | null
  readonly variables: Variables
  readonly tools: ReadonlyArray<ToolUsed>
  /** Words that were said and heard, in the spoken language. */
  readonly words: ReadonlyArray<{ readonly role: "agent" | "user"; readonly text: string }>
}

const wordsOf = ({ en_text, indic_text, role }: TranscriptTurn): CallSummary["words"] =>
  role === "tool" ? [] : [{ role, text: indic_text ?? en_text }]

const toolOf = (
  { role, tool_arguments = "", tool_name, tool_outcome = "done" }: TranscriptTurn
): ReadonlyArray<ToolUsed> =>
  role === "tool" && tool_name !== undefined
    ? [{ name: tool_name, arguments: tool_arguments, outcome: tool_outcome }]
    : []

/** Sums up the report of a call. */
export const summaryOf = (report: CallReport): CallSummary => ({
  completion_status: report.fault !== null ? "failed" : report.agent_done ? "completed" : "partial",
  ended_by: report.ended_by,
  fault: report.fault,
  business_retry: report.business_retry,
  reschedule_at: report.reschedule_at,
  variables: report.final_agent_variables,
  tools: report.transcript.flatMap(toolOf),
  words: report.transcript.flatMap(wordsOf)
})
