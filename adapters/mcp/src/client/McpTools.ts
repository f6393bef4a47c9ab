import type { AgentTool, ToolHandlers } from "@trunkline/agents"
import { timeoutAfter } from "@trunkline/kernel"
import { Effect, type Scope } from "effect"
import { makeConnection, type McpConnection } from "./McpConnection.js"
import type { OpenSession } from "./McpSession.js"
import type { McpServer } from "./McpSettings.js"
import { openSession } from "./OpenSession.js"

/** Servers, the values of their secrets by name, and how sessions are opened: by the library by default. */
export interface McpOptions {
  readonly servers: ReadonlyArray<McpServer>
  readonly secrets?: Readonly<Record<string, string>>
  readonly open?: OpenSession
}

/** Tools of MCP servers. */
export interface McpTools {
  /** The tools of these servers now, with their handlers; of two with one name, that of the server named first. */
  readonly of: (servers: ReadonlyArray<string>) => {
    readonly tools: ReadonlyArray<AgentTool>
    readonly handlers: ToolHandlers
  }
}

const none: McpTools = { of: () => ({ tools: [], handlers: {} }) }

const offerOf = (connections: ReadonlyArray<McpConnection>, names: ReadonlyArray<string>) => {
  const tools: Array<AgentTool> = []
  const handlers: Record<string, ToolHandlers[string]> = {}
  for (const server of names) {
    const connection = connections.find((connection) => connection.server.name === server)
    for (const tool of connection?.tools() ?? []) {
      if (connection === undefined || Object.hasOwn(handlers, tool.name)) continue
      tools.push(tool)
      handlers[tool.name] = connection.handler(tool.name)
    }
  }
  return { tools, handlers }
}

/** Longest wait for the first answers of all servers together. */
const startTimeout = "5 seconds"

/** Names the servers that have not answered within the longest wait. */
const logLate = (connections: ReadonlyArray<McpConnection>) =>
  Effect.suspend(() => {
    const names = connections.filter(({ isTried }) => !isTried()).map(({ server }) => server.name)
    return names.length === 0 ? Effect.void : Effect.logWarning(
      `MCP servers that are not there after ${startTimeout}: ${
        names.join(", ")
      }. Calls have their tools once they come.`
    )
  })

/**
 * Connects to servers side by side, and completes once each has been tried, or after 5 seconds: a server that is away is tried
 * again in the background, and its agents hold their calls without its tools.
 */
export const makeMcpTools = (
  { open = openSession, secrets = {}, servers }: McpOptions
): Effect.Effect<McpTools, never, Scope.Scope> =>
  servers.length === 0 ? Effect.succeed(none) : Effect.gen(function*() {
    const connections = yield* Effect.forEach(servers, (server) => makeConnection(server, { open, secrets }))
    yield* Effect.forEach(connections, ({ firstTry }) => firstTry, { concurrency: "unbounded", discard: true }).pipe(
      timeoutAfter(startTimeout, logLate(connections))
    )
    return { of: (names) => offerOf(connections, names) }
  })

/** Tools that a server offers, and what is wrong with it. */
export interface McpInspection {
  readonly name: string
  readonly tools: ReadonlyArray<AgentTool>
  readonly problems: ReadonlyArray<string>
}

/** Connects to a server once, lists its tools and leaves it. */
export const inspectServer = (
  server: McpServer,
  { open = openSession, secrets = {} }: Omit<McpOptions, "servers"> = {}
): Promise<McpInspection> =>
  Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const { problem, tools, firstTry, warnings } = yield* makeConnection(server, { open, secrets })
    yield* firstTry
    const reason = problem()
    return { name: server.name, tools: tools(), problems: [...reason === null ? [] : [`it ${reason}`], ...warnings()] }
  })))
