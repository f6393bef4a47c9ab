/** Words of the agent. */
export interface AgentWords {
  readonly role: "agent"
  /** Words that the caller heard. */
  readonly text: string
  /** All words that the agent was about to say. */
  readonly meant: string
  /** The caller cut the words off. */
  readonly interrupted: boolean
  /** Seconds since the answer of the call. */
  readonly from: number
  readonly to: number
}

/** An action of the caller. */
export interface CallerAction {
  readonly role: "caller"
  readonly does: "says" | "presses" | "holds" | "makes noise" | "hangs up"
  /** Words or keys; empty for other actions. */
  readonly text: string
  readonly from: number
  readonly to: number
}

/** A use of a tool of the host. */
export interface ToolRun {
  readonly role: "tool"
  readonly name: string
  readonly input: unknown
  /** The tool did not run, or has failed. */
  readonly failed: boolean
  readonly from: number
  readonly to: number
}

/** One event of a call: words of the agent, an action of the caller, or a use of a tool. */
export type CallFactTurn = AgentWords | CallerAction | ToolRun

/** Facts of an ended call by which its rules are checked. */
export interface CallFacts {
  /** Words, actions and tools, in the order in which they began. */
  readonly turns: ReadonlyArray<CallFactTurn>
  /** Reason of a fault on our side; null without one. */
  readonly fault: string | null
  readonly endedBy: "agent" | "user" | "provider" | "timeout"
  /** Seconds from the answer to the end. */
  readonly seconds: number
  /** Turns as the record of the call has them. */
  readonly record: ReadonlyArray<{ readonly role: "agent" | "user" | "tool"; readonly text: string }>
  /** Times that the agent tried to speak or to listen after the end of the call. */
  readonly refusals: number
  /** The agent's side of the line was still open when the conversation was over. */
  readonly leftOpen: boolean
}

/** Difference between a call and a rule. */
export interface RuleFault {
  /** Sentence about the fault. */
  readonly message: string
  /** Index of the turn at which it shows; null for the end of the call. */
  readonly turn: number | null
}
