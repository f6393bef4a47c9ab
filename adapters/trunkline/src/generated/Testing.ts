// Written by docs/types.mjs from packages/agent-testing. Do not edit.

/** Words of the agent. */
export interface AgentTurn {
  readonly role: "agent"
  /** Words that the caller heard; empty when the caller spoke before the first of them. */
  readonly text: string
  /** All words that the agent was about to say. */
  readonly meant: string
  /** The caller cut the words off. */
  readonly interrupted: boolean
  /** English name of the language. */
  readonly language: string
  /** Seconds since the answer of the call. */
  readonly from: number
  readonly to: number
}

/** Kind of a caller's action. */
export type CallerVerb = "says" | "presses" | "holds" | "makes noise" | "hangs up"

/** An action of the caller. */
export interface CallerTurn {
  readonly role: "caller"
  readonly does: CallerVerb
  /** Words or keys, as they reached the agent; empty for other actions. */
  readonly text: string
  /** The caller spoke or pressed while the agent spoke. */
  readonly interrupts: boolean
  readonly from: number
  readonly to: number
}

/** A use of a tool of the host; the agent's own, such as `end_call`, are not among them. */
export interface ToolTurn {
  readonly role: "tool"
  readonly name: string
  /** Arguments as the tool got them. */
  readonly input: unknown
  /** Result for the model; for a failure, its message. */
  readonly result: unknown
  readonly failed: boolean
  /** Variables that the tool set. */
  readonly set: Readonly<Record<string, string | number | boolean | null>>
  readonly from: number
  readonly to: number
}

/** One event of a call: words of the agent, an action of the caller, or a use of a tool. */
export type TestedTurn = AgentTurn | CallerTurn | ToolTurn

/** A turn as the record of the call has it. */
export interface RecordedTurn {
  readonly role: "agent" | "user" | "tool"
  /** In the spoken language. */
  readonly text: string
}

/** A rule that a call broke. */
export interface Violation {
  /** Name of the rule. */
  readonly rule: string
  /** Sentence about the fault. */
  readonly message: string
  /** Index of the turn at which it shows; null for the end of the call. */
  readonly turn: number | null
}

/** A request to the language model. */
export interface ModelExchange {
  /** Instructions of the agent, as the model got them. */
  readonly system: string
  /** Words of the model; null when it failed. */
  readonly text: string | null
  /** Names of the tools that the model asked for, the agent's own among them. */
  readonly tools: ReadonlyArray<string>
  /** Arguments of these, as the model wrote them. */
  readonly toolArguments: ReadonlyArray<string>
  readonly inputTokens: number
  readonly outputTokens: number
  /** Seconds since the answer of the call. */
  readonly at: number
}

/** A call of a test, as plain data. */
export interface TestedCall {
  /** Words, actions and tools, in the order in which they began. */
  readonly turns: ReadonlyArray<TestedTurn>
  /** `completed`, `partial` or `failed`, as the record of a call has it. */
  readonly outcome: "completed" | "partial" | "failed"
  /** Reason of a fault on our side; null without one. */
  readonly fault: string | null
  readonly endedBy: "agent" | "user" | "provider" | "timeout"
  /** Variables at the end, given and set. */
  readonly variables: Readonly<Record<string, string | number | boolean | null>>
  /** Output variables that the agent found out. */
  readonly outputs: Readonly<Record<string, string | number | boolean | null>>
  /** English name of the language of the conversation; null without words. */
  readonly language: string | null
  /** Seconds from the answer to the end. */
  readonly seconds: number
  /** Moment of the answer, as an ISO date. */
  readonly startedAt: string
  /** Turns as the record of the call has them. */
  readonly record: ReadonlyArray<RecordedTurn>
  /** Requests to the language model, in order. */
  readonly model: ReadonlyArray<ModelExchange>
  /** Rules that the call broke; empty for a good call. */
  readonly violations: ReadonlyArray<Violation>
  readonly seed: number
  /** The agent tried to speak or to listen after the end of the call. */
  readonly refusals: number
  /** The agent's side of the line was still open when the conversation was over. */
  readonly leftOpen: boolean
}
