import type { ToolCall, ToolResult } from "@trunkline/agents"
import { testCallBrief } from "@trunkline/conversation/testing"
import { makeMcpTools, type McpServer, type McpTools } from "@trunkline/mcp"
import { Effect, Logger, Struct } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** Servers of both eras of the protocol. */
export const eras = ["modern", "legacy"] as const
export type Era = typeof eras[number]

const script = (era: Era) => fileURLToPath(new URL(`./${era}.mjs`, import.meta.url))

/** Settings of a server over stdio. */
export const overStdio = (era: Era): McpServer => ({
  name: "booking",
  command: process.execPath,
  args: [script(era), "stdio"],
  connect_seconds: 30
})

/** A server over streamable HTTP in a process of its own. */
export interface HttpPeer {
  readonly server: McpServer
  readonly stop: () => Promise<void>
}

/** Starts a server over HTTP, on a port of its own by default. */
export const startHttp = async (era: Era, env: Readonly<Record<string, string>> = {}, port = 0): Promise<HttpPeer> => {
  const child: ChildProcess = spawn(process.execPath, [script(era), "http", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env }
  })
  const lines = child.stdout === null ? undefined : createInterface({ input: child.stdout })
  const [url] = lines === undefined ? [""] : await once(lines, "line")
  return {
    server: { name: "booking", url: String(url), connect_seconds: 30 },
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
}

const facts = Struct.omit(testCallBrief, "agent_variables", "app_overrides", "maxDuration")
const call: ToolCall = { ...facts, variables: {}, language_name: "English", digits: {} }

/** Uses a tool; a failure is its message. */
export const use = (tools: McpTools, name: string, input: unknown = {}): Effect.Effect<string> => {
  const handler = tools.of(["booking"]).handlers[name]
  return handler === undefined
    ? Effect.succeed(`no tool ${name}`)
    : handler(input, call).pipe(
      Effect.map(({ content }: ToolResult) => String(content)),
      Effect.catchAll(({ message }) => Effect.succeed(`failed: ${message}`))
    )
}

/** Names of the tools that agents may use. */
export const namesOf = (tools: McpTools): ReadonlyArray<string> => tools.of(["booking"]).tools.map(({ name }) => name)

/** Repeats an effect until its value fits. */
export const until = <A>(effect: Effect.Effect<A>, fits: (value: A) => boolean): Effect.Effect<A> =>
  Effect.flatMap(effect, (value) => fits(value) ? Effect.succeed(value) : Effect.delay(until(effect, fits), 50))

/** Runs a test with the tools of a server. */
export const withTools = <A>(
  server: McpServer,
  test: (tools: McpTools) => Effect.Effect<A>,
  secrets: Readonly<Record<string, string>> = {}
): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(Effect.flatMap(makeMcpTools({ servers: [server], secrets }), test)).pipe(
      Effect.provide(Logger.remove(Logger.defaultLogger))
    )
  )
