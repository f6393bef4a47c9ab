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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const handlerOf = (tool: Tool) => (input: unknown, { scope, variables, ...call }: ToolCall) =>
  Effect.tryPromise({
    try: async (signal) =>
      tool.run(isRecord(input) ? input : {}, {
        ...call,
        workspace: scopeKey(scope),
        variables: definedIn(variables),
        signal
      }),
    catch: (error) => new ToolFailed({ message: error instanceof Error ? error.message : String(error) })
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

/** Declaration of a tool, as the model is told of it. An instance of a class has further fields, which are its own affair. */
const wireTool = (tool: Tool): AgentTool => {
  const { description, name, parameters, run: _, ...others } = tool
  const isInstance = !Object.hasOwn(tool, "run")
  return { ...!isInstance && others, name, description, ...(parameters !== undefined && { parameters }) }
}

const wireVersion = ({ tools, ...version }: VersionOptions): AgentVersion => ({
  ...version,
  ...(tools !== undefined && { tools: tools.map(wireTool) })
})

const wireAgent = (agent: VersionedAgentOptions): Agent => {
  const [first, ...others] = agent.versions
  return { ...agent, versions: [wireVersion(first), ...others.map(wireVersion)] }
}

/** The configuration of agents, and the handlers of their tools, each for its own agent. */
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
    agents: agents.map(wireAgent),
    tools: { of: ({ app_id, app_version }) => handlers.get(`${app_id} ${app_version}`) ?? {} }
  }
}
