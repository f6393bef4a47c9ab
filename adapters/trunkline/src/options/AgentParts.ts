import { type ToolCall, ToolFailed, type ToolHandlers } from "@trunkline/agents"
import type { VariableValue } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Agent, AgentVersion } from "../generated/Resources.js"
import {
  type AgentOptions,
  SettingOutput,
  type Tool,
  type Variables,
  type VersionedAgentOptions,
  type VersionOptions
} from "./AgentOptions.js"
import { InvalidOption } from "./InvalidOption.js"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const handlerOf = ({ run }: Tool) => (input: unknown, { language_name, variables }: ToolCall) =>
  Effect.tryPromise({
    try: async (signal) =>
      run(isRecord(input) ? input : {}, { variables: definedIn(variables), language_name, signal }),
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

const wireVersion = ({ tools, ...version }: VersionOptions): AgentVersion => ({
  ...version,
  ...(tools !== undefined && { tools: tools.map(({ run: _, ...tool }) => tool) })
})

const wireAgent = (agent: VersionedAgentOptions): Agent => {
  const [first, ...others] = agent.versions
  return { ...agent, versions: [wireVersion(first), ...others.map(wireVersion)] }
}

/** Handlers by the names of tools. Tools of one name must share their function, since a call names its tool only. */
const handlersOf = (agents: ReadonlyArray<AgentOptions>): ToolHandlers => {
  const byName = new Map<string, Tool>()
  for (const [index, agent] of agents.entries()) {
    const versions: ReadonlyArray<Pick<VersionOptions, "tools">> = "versions" in agent ? agent.versions : [agent]
    for (const [number, { tools = [] }] of versions.entries()) {
      for (const [position, tool] of tools.entries()) {
        const known = byName.get(tool.name)
        if (known !== undefined && known.run !== tool.run) {
          const version = "versions" in agent ? `versions.${number}.` : ""
          throw new InvalidOption(
            `agents.${index}.${version}tools.${position}.name`,
            `"${tool.name}" is taken by another function: share the function, or give this tool another name`
          )
        }
        byName.set(tool.name, tool)
      }
    }
  }
  return Object.fromEntries(Array.from(byName, ([name, tool]) => [name, handlerOf(tool)]))
}

/** The configuration of agents, and the handlers of their tools. Throws `InvalidOption`. */
export const agentParts = (
  options: ReadonlyArray<AgentOptions>
): { readonly agents: ReadonlyArray<Agent>; readonly tools: ToolHandlers } => {
  const tools = handlersOf(options)
  return { agents: options.map(toVersioned).map(wireAgent), tools }
}
