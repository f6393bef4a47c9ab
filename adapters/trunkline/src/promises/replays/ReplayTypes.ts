import type { AgentOptions } from "../../options/AgentOptions.js"
import type { Model } from "../../options/ModelOptions.js"
import type { CallOptions } from "../../Results.js"

/** Mocks of tools by name: each returns the content for the model, or `toolOutput(content, set)`. */
export type ToolMocks = Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => unknown>>

/** The agent of a replay, and what answers it where the trace holds no more. */
export interface ReplayOptions extends CallOptions {
  /** Id of an agent of the engine, or a definition; the agent of the trace by default. */
  readonly agent?: string | AgentOptions
  /** Number of its version; the latest by default. */
  readonly version?: number
  /** True asks the model of the engine, or another one is asked. By default none is: a replay stops where the trace holds no more. */
  readonly model?: boolean | Model
  /** Answers for tools that the trace does not answer. No tool is run. */
  readonly tools?: ToolMocks
}

/** Use of a tool in a call. */
export interface ReplayedTool {
  readonly name: string
  /** JSON as the model wrote it. */
  readonly arguments: string
  readonly outcome: string
}

/** Outcome of a call. */
export interface ReplayedCall {
  readonly completion_status: "completed" | "partial" | "failed"
  readonly ended_by: "agent" | "user" | "provider" | "timeout"
  readonly fault: string | null
  readonly business_retry: boolean
  /** Epoch milliseconds; null without a promised callback. */
  readonly reschedule_at: number | null
  readonly variables: Readonly<Record<string, string | number | boolean | null>>
  readonly tools: ReadonlyArray<ReplayedTool>
  readonly words: ReadonlyArray<{ readonly role: "agent" | "user"; readonly text: string }>
}

/** Difference between a call and its replay; null stands for nothing on that side. */
export interface ReplayDifference {
  readonly kind: "outcome" | "variable" | "tool" | "words"
  /** Name of the field of the outcome, of the variable or of the tool; of words, `agent`. */
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** Result of the replay of a call. */
export interface CallReplay {
  readonly attempt_id: string
  readonly from: { readonly app_id: string; readonly app_version: number }
  readonly to: { readonly app_id: string; readonly app_version: number }
  /** `same` and `changed` were led to the end of the call; `open` stopped where the trace and no model had an answer. */
  readonly status: "same" | "changed" | "open"
  /** Place from which the trace holds no more, and why: turns before it, and epoch milliseconds. Null where it held to the end. */
  readonly divergence: { readonly turn: number; readonly at: number; readonly reason: string } | null
  /** Answers of the model, by where they came from. */
  readonly answers: { readonly trace: number; readonly model: number }
  /** Tokens of the answers that are new. */
  readonly tokens: { readonly input: number; readonly output: number }
  /** Tokens that the call took after the place: what a model is likely to take. 0 where the model has not counted. */
  readonly tokens_expected: { readonly input: number; readonly output: number }
  /** Tools that would have been called, and were not. */
  readonly tools_not_run: ReadonlyArray<{ readonly name: string; readonly arguments: string }>
  /** True when the agent listened after the last words of the caller: what follows in a real call is not known. */
  readonly caller_ran_out: boolean
  readonly before: ReplayedCall
  /** Null while the replay is open. */
  readonly after: ReplayedCall | null
  readonly differences: ReadonlyArray<ReplayDifference>
}

/** A call that could not be replayed, such as one without a trace. */
export interface SkippedReplay {
  readonly attempt_id: string
  readonly status: "skipped"
  readonly reason: string
}

/** Sum of many replays. Records count calls by name. */
export interface ReplaySummary {
  readonly calls: number
  readonly same: number
  readonly changed: number
  readonly open: number
  readonly skipped: number
  /** Calls whose completion status changes, such as `completed to partial`. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly variables: Readonly<Record<string, number>>
  readonly tools: Readonly<Record<string, number>>
  /** Calls in which the agent says something else. */
  readonly words: number
  /** Calls by the reason why their trace held no more. */
  readonly divergences: Readonly<Record<string, number>>
  /** Calls by the reason why they were not replayed. */
  readonly reasons: Readonly<Record<string, number>>
  readonly tools_not_run: Readonly<Record<string, number>>
  readonly caller_ran_out: number
  readonly answers: { readonly trace: number; readonly model: number }
  readonly tokens: { readonly input: number; readonly output: number }
  readonly tokens_expected: { readonly input: number; readonly output: number }
}

/** Calls to replay: those of a campaign, of an agent, of a time, or of a list. */
export interface ReplayedCalls {
  readonly campaign?: string
  /** Id of the agent that had the calls; every agent of the engine by default. */
  readonly agent?: string
  /** Time of dialling or arrival: from this moment, and before the other one. */
  readonly from?: Date
  readonly to?: Date
  /** Ids of attempts, in place of all others. */
  readonly attempts?: ReadonlyArray<string>
}

/** Replays of calls whose traces were kept (`traces` of the options). Nobody is called, and no tool is run. */
export interface Replays {
  /** Reads the trace of a call, a text of JSON lines. Rejects with `NotFound` where there is none. */
  trace(attempt_id: string, options?: CallOptions): Promise<string>
  /** Leads an agent through the trace of a call, and compares. Rejects with `NotFound` where there is none. */
  call(attempt_id: string, options?: ReplayOptions): Promise<CallReplay>
  /**
   * Replays many calls, 8 at a time unless `concurrency` says otherwise, and adds them up. `onResult` is told of each one. Without a model it is quick,
   * and `tokens_expected` tells what a model would take.
   */
  calls(
    calls: ReplayedCalls,
    options?: ReplayOptions & {
      readonly concurrency?: number
      readonly onResult?: (result: CallReplay | SkippedReplay) => void
    }
  ): Promise<ReplaySummary>
}
