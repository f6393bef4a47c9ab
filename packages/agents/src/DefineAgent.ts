import type { AppId, AttemptId, PhoneNumber, Scope, VariableValue } from "@trunkline/kernel"
import { Array, Effect, Either, JSONSchema, type ParseResult, Schema } from "effect"
import { type Agent, decodeAgent, definitionIssues } from "./Agent.js"
import type { AgentTool, ToolPolicy } from "./AgentTool.js"
import type { AgentVersion } from "./AgentVersion.js"
import type { OutputVariable } from "./OutputVariable.js"

/** A tool failed. The model receives the message and can tell the caller. */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", {
  message: Schema.String,
  /** Kind of the failure, for the record: the arguments are wrong; absent: any other. */
  kind: Schema.optionalWith(Schema.Literal("arguments"), { exact: true }),
  /** Error that a tool has thrown, for the host. */
  cause: Schema.optionalWith(Schema.Unknown, { exact: true })
}) {}

/** Optional values of variables, by name. */
export type PartialVariables<Name extends string> = { readonly [K in Name]?: VariableValue }

/** Control of the recording of a call. All of it does nothing on calls that are not recorded. */
export interface ToolRecording {
  /** Begins to record a call whose agent asks for consent. */
  readonly consent: Effect.Effect<void>
  /** Writes silence from now on, on both sides, until `resume` was called as often as `pause`. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
}

/** The call in which a tool is used. */
export interface ToolCall<Name extends string = string> {
  readonly attempt_id: AttemptId
  /** Workspace of the call. */
  readonly scope: Scope
  readonly app_id: AppId
  readonly app_version: number
  readonly direction: "inbound" | "outbound"
  readonly user_phone_number: PhoneNumber
  readonly agent_phone_number: PhoneNumber
  /** Values now, including those that earlier tools have set. */
  readonly variables: PartialVariables<Name>
  readonly language_name: string
  /** Digits that the caller has entered, by the name of their entry. */
  readonly digits: Readonly<Record<string, string>>
  /** Its recording; absent for talks and calls without one. */
  readonly recording?: ToolRecording
}

/** Result of a tool. */
export interface ToolResult<Name extends string = string> {
  /** Content for the model: a text, or a value that is encoded as JSON. */
  readonly content: unknown
  /** Variables and output variables to set. */
  readonly set?: PartialVariables<Name>
}

/** Executes a tool with the arguments of the model, parsed from JSON, which fit its schema. */
export interface ToolHandler {
  (input: unknown, call: ToolCall): Effect.Effect<ToolResult, ToolFailed>
  /** True for one that checks arguments with a schema of its own, and fails with the kind `arguments`. */
  readonly checksArguments?: true
}

/** Tool handlers by tool name. */
export type ToolHandlers = Readonly<Record<string, ToolHandler>>

/** A tool with its handler. `parameters` is the schema of an object; `handle` receives the decoded arguments. */
export interface ToolDefinition<Input, Encoded, Variable extends string, Output extends string> extends ToolPolicy {
  readonly description: string
  /** True for a tool that may run twice (`AgentTool`). Absent: false. */
  readonly repeatable?: boolean
  readonly parameters: Schema.Schema<Input, Encoded>
  readonly handle: (input: Input, call: ToolCall<Variable>) => Effect.Effect<ToolResult<Variable | Output>, ToolFailed>
}

/** A tool for {@link defineAgent}. */
export interface DefinedTool extends ToolPolicy {
  readonly description: string
  readonly repeatable?: boolean
  readonly parameters: AgentTool["parameters"]
  readonly handler: ToolHandler
}

/** Makes a tool whose handler is typed with the names of the agent's variables. */
export type ToolMaker<Variable extends string, Output extends string> = <Input, Encoded>(
  definition: ToolDefinition<Input, Encoded, Variable, Output>
) => Either.Either<DefinedTool, string>

type WireVersion = typeof AgentVersion.Encoded

/** Definition of an agent of one version in code: the wire form, with handlers for its tools. */
export interface AgentDefinition<Variable extends string, Output extends string>
  extends Omit<WireVersion, "variables" | "output_variables" | "tools">
{
  readonly app_id: string
  readonly name?: string
  readonly variables?: ReadonlyArray<Variable> | null
  readonly output_variables?: ReadonlyArray<Omit<typeof OutputVariable.Encoded, "name"> & { readonly name: Output }>
  readonly tools?: (tool: ToolMaker<Variable, Output>) => Readonly<Record<string, Either.Either<DefinedTool, string>>>
}

/** A definition is invalid; lists all issues. */
export class InvalidAgent extends Schema.TaggedError<InvalidAgent>()("InvalidAgent", {
  issues: Schema.NonEmptyArray(Schema.String)
}) {
  override get message() {
    return this.issues.join("; ")
  }
}

/** An agent of one version with the handlers of its tools. */
export interface DefinedAgent {
  readonly agent: Agent
  readonly handlers: ToolHandlers
}

/** Message to the model about arguments that do not fit, in a line. */
export const wrongArguments = (error: ParseResult.ParseError): string =>
  `The arguments are wrong: ${definitionIssues(error).join("; ")}`

/** A handler that checks the arguments itself. */
export const checking = (handler: (...given: Parameters<ToolHandler>) => ReturnType<ToolHandler>): ToolHandler =>
  Object.assign(handler, { checksArguments: true as const })

const makeTool = <Input, Encoded, Variable extends string, Output extends string>(
  { handle, parameters, ...definition }: ToolDefinition<Input, Encoded, Variable, Output>
): Either.Either<DefinedTool, string> => {
  const decode = Schema.decodeUnknown(parameters)
  return Either.try({
    try: () => ({ ...JSONSchema.make(parameters) }),
    catch: () => "parameters cannot be written as JSON Schema"
  }).pipe(Either.map((parameters) => ({
    ...definition,
    parameters,
    handler: checking((input, call) =>
      decode(input).pipe(
        Effect.mapError((error) => new ToolFailed({ kind: "arguments", message: wrongArguments(error) })),
        Effect.flatMap((decodedInput) => handle(decodedInput, call))
      )
    )
  })))
}

/**
 * Defines an agent of one version in code. Infers the names of variables and outputs, so that a tool's handler can only
 * read and set declared ones. Does not throw: an invalid definition returns all its issues.
 *
 * @example
 * ```ts
 * const agent = defineAgent({
 *   app_id: "reminders",
 *   app_version: 1,
 *   committed: true,
 *   variables: ["amount"],
 *   prompt: "Remind the caller of the {{amount}} rupees that are due."
 * })
 * ```
 */
export const defineAgent = <Variable extends string = string, Output extends string = never>(
  { app_id, name, tools, ...version }: AgentDefinition<Variable, Output>
): Either.Either<DefinedAgent, InvalidAgent> => {
  const definitions = Object.entries(tools?.(makeTool) ?? {})
  const faults = definitions.flatMap(([name, tool]) => Either.isLeft(tool) ? [`tools.${name}: ${tool.left}`] : [])
  const ready = definitions.flatMap(([name, tool]) => Either.isRight(tool) ? [{ name, ...tool.right }] : [])
  const agent = decodeAgent({
    app_id,
    ...(name !== undefined && { name }),
    versions: [{
      ...version,
      tools: ready.map(({ handler: _handler, ...tool }) => tool)
    }]
  })
  const issues = [...faults, ...(Either.isLeft(agent) ? definitionIssues(agent.left) : [])]
  if (Either.isRight(agent) && !Array.isNonEmptyArray(issues)) {
    return Either.right({
      agent: agent.right,
      handlers: Object.fromEntries(ready.map(({ name, handler }) => [name, handler]))
    })
  }
  return Either.left(new InvalidAgent({ issues: Array.isNonEmptyArray(issues) ? issues : ["the definition is empty"] }))
}
