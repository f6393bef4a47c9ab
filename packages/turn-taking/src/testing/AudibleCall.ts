import type { CallReport } from "@trunkline/telephony"

/** Words that one side said, in milliseconds since the answer. */
export interface AudibleTurn {
  readonly role: "agent" | "user"
  /** The words that the caller heard; of the caller, the whole words or keys of the line, also when the call ended before. */
  readonly text: string
  readonly from: number
  readonly to: number
}

/** A call as the caller heard it. */
export interface AudibleCall {
  readonly report: CallReport
  /**
   * The turns of both sides in the order in which they began. A turn of the agent ends with a pause of 700 ms, or with any
   * pause in which a line of the caller ends. Sound without words is no turn.
   */
  readonly turns: ReadonlyArray<AudibleTurn>
  /** Milliseconds from the end of each line to the agent's next turn, for the lines that the agent answered. */
  readonly gaps: ReadonlyArray<number>
  /** All the agent's words that the caller heard. */
  readonly heardText: string
}

/** Milliseconds from the end of a line to its answer; null for a line that the agent did not answer. */
export const gapAfter = (line: AudibleTurn, turns: ReadonlyArray<AudibleTurn>): number | null => {
  if (line.role !== "user") return null
  const next = turns.find((turn) => turn !== line && turn.from >= line.to)
  return next?.role === "agent" ? next.from - line.to : null
}
