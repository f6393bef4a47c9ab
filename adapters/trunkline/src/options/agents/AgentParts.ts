import { AgentTool as ToolSchema, checking, type ToolCall, ToolFailed, type ToolHandler } from "@trunkline/agents"
import type { AgentTools } from "@trunkline/conversation"
import { issuesOf } from "@trunkline/errors"
import { scopeKey, type VariableValue } from "@trunkline/kernel"
import { Effect, Either, Schema } from "effect"
import type { OfferedFunction } from "../../assembly/AgentToolsLayer.js"
import type { Agent, AgentTool, AgentVersion } from "../../generated/Resources.js"
import {
  type AgentOptions,
  type CallRecording,
  type HttpTool,
  SettingOutput,
  type Tool,
  type Variables,
  type VersionedAgentOptions,
  type VersionOptions
} from "../AgentOptions.js"
import { InvalidOption } from "../InvalidOption.js"
import { isStandardSchema, jsonSchemaOf, readArguments, WrongArguments } from "../ToolSchema.js"

const decodeTool = Schema.decodeUnknownEither(ToolSchema, { errors: "all", onExcessProperty: "error" })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The arguments as the schema of the tool reads them, or as they are where it has none. */
const argumentsOf = async ({ parameters }: Tool, input: unknown) => {
  const read = isStandardSchema(parameters) ? await readArguments(parameters, input) : input
  return isRecord(read) ? read : {}
}

const hasRun = (tool: Tool | HttpTool): tool is Tool => "run" in tool

/** Message of what a tool has thrown: an error without words, or a value that is no text, tells the model nothing. */
const messageOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : typeof error === "string" ? error : ""
  return message.trim() === "" ? "The tool failed." : message
}

const failureOf = (error: unknown): ToolFailed =>
  error instanceof WrongArguments
    ? new ToolFailed({ kind: "arguments", message: error.message })
    : new ToolFailed({ message: messageOf(error), cause: error })

const handlerOf = (tool: Tool): ToolHandler => isStandardSchema(tool.parameters) ? checking(runOf(tool)) : runOf(tool)

const nothing = { consent: Effect.void, pause: Effect.void, resume: Effect.void }

const controlOf = ({ consent, pause, resume }: NonNullable<ToolCall["recording"]> = nothing): CallRecording => ({
  consent: () => Effect.runSync(consent),
  pause: () => Effect.runSync(pause),
  resume: () => Effect.runSync(resume)
})

const runOf = (tool: Tool) => (input: unknown, { recording, scope, variables, ...call }: ToolCall) =>
  Effect.tryPromise({
    try: async (signal) =>
      tool.run(await argumentsOf(tool, input), {
        ...call,
        workspace: scopeKey(scope),
        variables: definedIn(variables),
        recording: controlOf(recording),
        signal
      }),
    catch: failureOf
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
  const schema = jsonSchema ?? jsonSchemaOf(parameters)
  if (typeof schema === "string") throw new InvalidOption(`${path}.parameters`, schema)
  return schema
}

/** Declaration of a tool, as the model is told of it. An instance of a class has further fields, which are its own affair. */
const wireTool = (path: string) => (tool: Tool | HttpTool, index: number): AgentTool => {
  if (!hasRun(tool)) return tool
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
  const definition = toVersioned(agent)
  const [first, ...others] = definition.versions
  const pathOf = (version: number) => "versions" in agent ? `agents.${index}.versions.${version}.` : `agents.${index}.`
  return {
    ...definition,
    versions: [wireVersion(pathOf(0), first), ...others.map((other, at) => wireVersion(pathOf(at + 1), other))]
  }
}

/** Functions that a host offers to agents of workspaces: their declarations and their handlers. Throws `InvalidOption`. */
export const functionParts = (functions: ReadonlyArray<Tool>): ReadonlyArray<OfferedFunction> =>
  functions.map((tool, index) => {
    const declaration = decodeTool(wireTool("workspaceAgents.functions")(tool, index))
    if (Either.isRight(declaration)) return { declaration: declaration.right, handler: handlerOf(tool) }
    const [{ loc, msg }] = issuesOf(declaration.left, "body")
    throw new InvalidOption(["workspaceAgents.functions", index, ...loc.slice(1)].join("."), msg)
  })

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
          Object.fromEntries(tools.flatMap((tool) => hasRun(tool) ? [[tool.name, handlerOf(tool)] as const] : []))
        ] as const
      )
    )
  )
  return {
    agents: options.map(wireAgent),
    tools: { of: ({ app_id, app_version }) => handlers.get(`${app_id} ${app_version}`) ?? {} }
  }
}
