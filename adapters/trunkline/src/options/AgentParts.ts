import { type ToolCall, ToolFailed } from "@trunkline/agents"
import type { AgentTools } from "@trunkline/conversation"
import { scopeKey, type VariableValue } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Agent, AgentTool, AgentVersion } from "../generated/Resources.js"
import {
  type AgentOptions,
  SettingOutput,
  type Tool,
  type Variables,
  type VersionedAgentOptions,
  type VersionOptions
} from "./AgentOptions.js"
import { InvalidOption } from "./InvalidOption.js"
import { isStandardSchema, jsonSchemaOf, readArguments } from "./ToolSchema.js"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The arguments as the schema of the tool reads them, or as they are where it has none. */
const argumentsOf = async ({ parameters }: Tool, input: unknown) => {
  const read = isStandardSchema(parameters) ? await readArguments(parameters, input) : input
  return isRecord(read) ? read : {}
}

const handlerOf = (tool: Tool) => (input: unknown, { scope, variables, ...call }: ToolCall) =>
  Effect.tryPromise({
    try: async (signal) =>
      tool.run(await argumentsOf(tool, input), {
        ...call,
        workspace: scopeKey(scope),
        variables: definedIn(variables),
        signal
      }),
    catch: (error) => new ToolFailed({ message: error instanceof Error ? error.message : String(error), cause: error })
  }).pipe(
    Effect.map((result) =>
      result instanceof SettingOutput ? { content: result.content, set: result.set } : { content: result }
    )
  )

const definedIn = (variables: Readonly<Record<string, VariableValue | undefined>>): Variables =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, VariableValue] => entry[1] !== undefined)
  )

const toVersioned = (agent: AgentOptions): VersionedAgentOptions => {
  if ("versions" in agent) return agent
  const { app_id, ...version } = agent
  return { app_id, versions: [{ app_version: 1, committed: true, ...version }] }
}

/** JSON Schema of the arguments of a tool. Throws `InvalidOption`. */
const jsonSchemaAt = (path: string, { jsonSchema, parameters }: Tool): AgentTool["parameters"] => {
  if (!isStandardSchema(parameters)) return jsonSchema ?? parameters
  const written = jsonSchema ?? jsonSchemaOf(parameters)
  if (typeof written === "string") throw new InvalidOption(`${path}.parameters`, written)
  return written
}

/** Declaration of a tool, as the model is told of it. An instance of a class has further fields, which are its own affair. */
const wireTool = (path: string) => (tool: Tool, index: number): AgentTool => {
  const { description, jsonSchema: _, name, parameters: __, run: ___, ...others } = tool
  const isInstance = !Object.hasOwn(tool, "run")
  const parameters = jsonSchemaAt(`${path}.${index}`, tool)
  return { ...!isInstance && others, name, description, ...(parameters !== undefined && { parameters }) }
}

const wireVersion = (path: string, { tools, ...version }: VersionOptions): AgentVersion => ({
  ...version,
  ...(tools !== undefined && { tools: tools.map(wireTool(`${path}tools`)) })
})

const wireAgent = (agent: AgentOptions, index: number): Agent => {
  const versioned = toVersioned(agent)
  const [first, ...others] = versioned.versions
  const pathOf = (version: number) => "versions" in agent ? `agents.${index}.versions.${version}.` : `agents.${index}.`
  return {
    ...versioned,
    versions: [wireVersion(pathOf(0), first), ...others.map((other, at) => wireVersion(pathOf(at + 1), other))]
  }
}

/** The configuration of agents, and the handlers of their tools, each for its own agent. Throws `InvalidOption`. */
export const agentParts = (
  options: ReadonlyArray<AgentOptions>
): { readonly agents: ReadonlyArray<Agent>; readonly tools: AgentTools.Service } => {
  const agents = options.map(toVersioned)
  const handlers = new Map(
    agents.flatMap(({ app_id, versions }) =>
      versions.map(({ app_version, tools = [] }) =>
        [
          `${app_id} ${app_version}`,
          Object.fromEntries(tools.map((tool) => [tool.name, handlerOf(tool)]))
        ] as const
      )
    )
  )
  return {
    agents: options.map(wireAgent),
    tools: { of: ({ app_id, app_version }) => handlers.get(`${app_id} ${app_version}`) ?? {} }
  }
}
