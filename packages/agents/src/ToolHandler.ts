import type { VariableValue } from "@trunkline/kernel"
import { type Effect, Schema } from "effect"

/** A tool could not do its work. The message is told to the model, so that it can tell the caller. */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", { message: Schema.String }) {}

/** Some variables by name. */
export type SomeVariables<Name extends string> = { readonly [K in Name]?: VariableValue }

/** What a tool is told about the call it is used in. */
export interface ToolCall<Name extends string = string> {
  readonly variables: SomeVariables<Name>
  readonly language_name: string
}

/** What a tool found. */
export interface ToolAnswer<Name extends string = string> {
  /** Told to the model: a text, or a value that is written as JSON. */
  readonly content: unknown
  /** Variables and output variables to keep. */
  readonly set?: SomeVariables<Name>
}

/** Carries out a tool with the arguments that the model gave, already read from JSON. */
export type ToolHandler = (input: unknown, call: ToolCall) => Effect.Effect<ToolAnswer, ToolFailed>

/** The handlers of tools, by tool name. */
export type ToolHandlers = Readonly<Record<string, ToolHandler>>
