import type { ToolMock, ToolMocks } from "@trunkline/agent-testing"
import { ToolFailed } from "@trunkline/agents"
import { BusinessTime, scopeKey } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Agent } from "../generated/Resources.js"
import { SettingOutput, type Variables } from "../options/AgentOptions.js"
import { InvalidOption } from "../options/InvalidOption.js"
import { SlowAnswer } from "./SlowTool.js"
import type { MockFunction, TestAgentOptions } from "./TestTypes.js"

const isFunction = (value: unknown): value is MockFunction => typeof value === "function"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const noRecording = { consent: () => undefined, pause: () => undefined, resume: () => undefined }

const valuesOf = (variables: Readonly<Record<string, string | number | boolean | null | undefined>>): Variables =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const])
  )

/** A value, or the result of a function, in place of a tool. */
const mockOf = (answer: unknown): ToolMock => (input, { recording: _, scope, variables, ...call }, pass) => {
  if (answer instanceof SlowAnswer) {
    const mock = mockOf(answer.answer)
    return Effect.zipRight(
      pass(answer.seconds * 1_000),
      Effect.suspend(() => mock(input, { scope, variables, ...call }, pass))
    )
  }
  if (!isFunction(answer)) return Effect.succeed({ content: answer })
  return Effect.flatMap(BusinessTime.now, (now) =>
    Effect.tryPromise({
      try: async (signal) =>
        answer(isRecord(input) ? input : {}, {
          ...call,
          workspace: scopeKey(scope),
          variables: valuesOf(variables),
          recording: noRecording,
          signal,
          now: new Date(now)
        }),
      catch: (error) => new ToolFailed({ message: error instanceof Error ? error.message : String(error) })
    })).pipe(
      Effect.map((result) =>
        result instanceof SettingOutput ? { content: result.content, set: result.set } : { content: result }
      )
    )
}

const listOf = (names: ReadonlyArray<string>): string => names.length === 0 ? "none" : names.join(", ")

/** Mocks of the tools of agents. Throws `InvalidOption` for one that no agent has, and for a tool over HTTP without one. */
export const mocksOf = (tools: NonNullable<TestAgentOptions["tools"]>, agents: ReadonlyArray<Agent>): ToolMocks => {
  const agentTools = agents.flatMap(({ versions }) => versions.flatMap(({ tools = [] }) => tools))
  const names = [...new Set(agentTools.map(({ name }) => name))]
  const hasServers = agents.some(({ versions }) => versions.some(({ mcp_servers = [] }) => mcp_servers.length > 0))
  const unknown = Object.keys(tools).find((name) => !names.includes(name) && !hasServers)
  if (unknown !== undefined) {
    throw new InvalidOption(`tools.${unknown}`, `the agent has no such tool; it has ${listOf(names)}`, "testAgent")
  }
  const real = agentTools.find(({ http, name }) => http !== undefined && !Object.hasOwn(tools, name))
  if (real !== undefined) {
    throw new InvalidOption(
      `tools.${real.name}`,
      "is a request over HTTP: give a function or a result for it",
      "testAgent"
    )
  }
  return Object.fromEntries(Object.entries(tools).map(([name, answer]) => [name, mockOf(answer)]))
}
