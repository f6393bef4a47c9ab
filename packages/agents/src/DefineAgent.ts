import { Array, Effect, Either, JSONSchema, ParseResult, Schema } from "effect"
import { type Agent, decodeAgent, definitionIssues } from "./Agent.js"
import type { AgentTool, AgentVersion } from "./AgentVersion.js"
import { type ToolAnswer, type ToolCall, ToolFailed, type ToolHandler, type ToolHandlers } from "./ToolHandler.js"

/** A tool with its handler: `parameters` is the schema of an object, `handle` gets its decoded arguments. */
export interface ToolDefinition<Input, Encoded, Variable extends string, Output extends string> {
  readonly description: string
  readonly parameters: Schema.Schema<Input, Encoded>
  readonly handle: (input: Input, call: ToolCall<Variable>) => Effect.Effect<ToolAnswer<Variable | Output>, ToolFailed>
}

/** A tool made ready for {@link defineAgent}. */
export interface DefinedTool {
  readonly description: string
  readonly parameters: AgentTool["parameters"]
  readonly handler: ToolHandler
}

/** Makes a tool whose handler knows the names of the agent's variables. */
export type ToolMaker<Variable extends string, Output extends string> = <Input, Encoded>(
  definition: ToolDefinition<Input, Encoded, Variable, Output>
) => Either.Either<DefinedTool, string>

type WireVersion = typeof AgentVersion.Encoded

/** An agent version as it is written in code: the wire form, with handlers for its tools. */
export interface AgentDefinition<Variable extends string, Output extends string>
  extends Omit<WireVersion, "variables" | "output_variables" | "tools">
{
  readonly app_id: string
  readonly name?: string
  readonly variables?: ReadonlyArray<Variable> | null
  readonly output_variables?: ReadonlyArray<
    { readonly name: Output; readonly description?: string; readonly required?: boolean }
  >
  readonly tools?: (tool: ToolMaker<Variable, Output>) => Readonly<Record<string, Either.Either<DefinedTool, string>>>
}

/** A definition was refused; every issue is listed. */
export class InvalidAgent extends Schema.TaggedError<InvalidAgent>()("InvalidAgent", {
  issues: Schema.NonEmptyArray(Schema.String)
}) {
  override get message() {
    return this.issues.join("; ")
  }
}

/** An agent of one version, and the handlers of its tools. */
export interface DefinedAgent {
  readonly agent: Agent
  readonly handlers: ToolHandlers
}

const makeTool = <Input, Encoded, Variable extends string, Output extends string>(
  { description, parameters, handle }: ToolDefinition<Input, Encoded, Variable, Output>
): Either.Either<DefinedTool, string> => {
  const decode = Schema.decodeUnknown(parameters)
  return Either.try({
    try: () => ({ ...JSONSchema.make(parameters) }),
    catch: () => "parameters cannot be written as JSON Schema"
  }).pipe(Either.map((parameters) => ({
    description,
    parameters,
    handler: (input, call) =>
      decode(input).pipe(
        Effect.mapError((error) => new ToolFailed({ message: ParseResult.TreeFormatter.formatErrorSync(error) })),
        Effect.flatMap((decoded) => handle(decoded, call))
      )
  })))
}

/**
 * Defines an agent of one version in code. The names of variables and outputs are inferred, so that a tool's handler
 * can read and set only what is declared. Nothing is thrown: a definition that breaks a rule gives all its issues.
 */
export const defineAgent = <Variable extends string = string, Output extends string = never>(
  { app_id, name, tools, ...version }: AgentDefinition<Variable, Output>
): Either.Either<DefinedAgent, InvalidAgent> => {
  const made = Object.entries(tools?.(makeTool) ?? {})
  const broken = made.flatMap(([name, tool]) => Either.isLeft(tool) ? [`tools.${name}: ${tool.left}`] : [])
  const ready = made.flatMap(([name, tool]) => Either.isRight(tool) ? [{ name, ...tool.right }] : [])
  const agent = decodeAgent({
    app_id,
    ...(name !== undefined && { name }),
    versions: [{
      ...version,
      tools: ready.map(({ name, description, parameters }) => ({ name, description, parameters }))
    }]
  })
  const issues = [...broken, ...(Either.isLeft(agent) ? definitionIssues(agent.left) : [])]
  if (Either.isRight(agent) && !Array.isNonEmptyArray(issues)) {
    return Either.right({
      agent: agent.right,
      handlers: Object.fromEntries(ready.map(({ name, handler }) => [name, handler]))
    })
  }
  return Either.left(new InvalidAgent({ issues: Array.isNonEmptyArray(issues) ? issues : ["the definition is empty"] }))
}
