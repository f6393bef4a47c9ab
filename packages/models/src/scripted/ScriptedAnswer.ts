import type { FinishReason } from "../answer/Delta.js"

/** A tool to ask for. */
export interface ScriptedTool {
  readonly name: string
  /** Written as JSON; a text is taken for JSON text as it is, even if it is none. `{}` unless told. */
  readonly arguments?: Readonly<Record<string, unknown>> | string
}

/** Words to say and tools to ask for. */
export interface ScriptedAnswer {
  readonly text?: string
  readonly tools?: ReadonlyArray<ScriptedTool>
  /** What is thought before. */
  readonly reasoning?: string
  /** Why there is no answer. */
  readonly refusal?: string
  /** Unless told, `tool_calls` where tools are asked for, and otherwise `stop`. */
  readonly finish?: FinishReason
}
