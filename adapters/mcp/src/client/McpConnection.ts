import { type AgentTool, ToolFailed, type ToolHandler } from "@trunkline/agents"
import { timeoutAfter } from "@trunkline/kernel"
import { Cause, Duration, Effect, Exit, Fiber, Option, type Scope } from "effect"
import { failureOf, type McpFailure } from "./McpFailure.js"
import type { McpSession, OpenSession } from "./McpSession.js"
import type { McpServer } from "./McpSettings.js"
import { contentOf } from "./ToolContent.js"
import { toolsOf } from "./ToolList.js"

/**
 * A connection to a server. One fiber goes round: it connects and lists the tools; waits until the session is lost; pauses, each
 * time twice as long up to a minute, and connects again. A tool that is used while there is no session fails at once and ends
 * the pause. The tools listed last stay while the server is away: it may be back before they are used.
 */
export interface McpConnection {
  readonly server: McpServer
  /** The tools as they were listed last; none before. */
  readonly tools: () => ReadonlyArray<AgentTool>
  /** Why there is no session; null while there is one. */
  readonly problem: () => string | null
  /** Why some tools of the server are left out. */
  readonly warnings: () => ReadonlyArray<string>
  /** Completes when the first try to connect is over, whatever came of it. */
  readonly firstTry: Effect.Effect<void>
  readonly isTried: () => boolean
  /** The handler of a tool. */
  readonly handler: (name: string) => ToolHandler
}

const pauses = { first: 500, max: 60_000 }
/** Time that a session has to end. */
const closing = Duration.seconds(3)
const usualConnect = 5
const notConnected = "is not connected yet"
const usualContent = 8_000

/** Values of a template with `{{secrets.name}}` in it. */
const fill = (text: string, secrets: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{\s*secrets\.([\w-]+)\s*\}\}/g, (whole, name: string) => secrets[name] ?? whole)

/** Names of the secrets that a server's settings use. */
export const secretsIn = ({ args = [], env = {}, headers = {} }: McpServer): ReadonlyArray<string> =>
  [...args, ...Object.values(env), ...Object.values(headers)].flatMap((text) =>
    [...text.matchAll(/\{\{\s*secrets\.([\w-]+)\s*\}\}/g)].map(([, name = ""]) => name)
  )

const fillServer = (server: McpServer, secrets: Readonly<Record<string, string>>): McpServer => {
  const valuesOf = (record: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, fill(text, secrets)]))
  const { args, env, headers } = server
  return {
    ...server,
    ...(args !== undefined && { args: args.map((text) => fill(text, secrets)) }),
    ...(env !== undefined && { env: valuesOf(env) }),
    ...(headers !== undefined && { headers: valuesOf(headers) })
  }
}

/** Opens the sessions with a server, keeps one open, and closes it with the scope. */
export const makeConnection = (
  template: McpServer,
  { open, secrets }: { readonly open: OpenSession; readonly secrets: Readonly<Record<string, string>> }
): Effect.Effect<McpConnection, never, Scope.Scope> =>
  Effect.gen(function*() {
    const server = fillServer(template, secrets)
    const { connect_seconds = usualConnect, max_content = usualContent, name } = server
    let session: McpSession | null = null
    let problem: string | null = notConnected
    let tools: ReadonlyArray<AgentTool> = []
    let warnings: ReadonlyArray<string> = []
    const triedLatch = yield* Effect.makeLatch(false)
    /** Opened when the session is lost, and when somebody needs one. */
    const lostLatch = yield* Effect.makeLatch(false)
    const neededLatch = yield* Effect.makeLatch(false)
    const changedLatch = yield* Effect.makeLatch(false)

    const events = { onClosed: () => lostLatch.unsafeOpen(), onToolsChanged: () => changedLatch.unsafeOpen() }

    const list = (current: McpSession) =>
      Effect.map(
        Effect.tryPromise({ try: (signal) => current.listTools(signal), catch: failureOf }),
        (listedTools) => {
          const selectedToolList = toolsOf(listedTools, server)
          tools = selectedToolList.tools
          warnings = selectedToolList.problems
        }
      )

    const inTime = <A>(effect: Effect.Effect<A, McpFailure>): Effect.Effect<A, McpFailure> =>
      Effect.timeoutFail(Effect.disconnect(effect), {
        duration: Duration.seconds(connect_seconds),
        onTimeout: (): McpFailure => ({ kind: "other", reason: "did not answer in time" })
      })

    const close = (current: McpSession): Effect.Effect<void> =>
      Effect.ignore(Effect.tryPromise(() => current.close())).pipe(timeoutAfter(closing, Effect.void))

    /** Opens a session. One that nobody waits for any more is closed. */
    const openNow = async (signal: AbortSignal): Promise<McpSession> => {
      const current = await open(server, events, signal)
      if (signal.aborted) await current.close()
      return current
    }

    const warn = Effect.suspend(() =>
      Effect.forEach(warnings, (warning) => Effect.logWarning(`MCP server ${name}: ${warning}`), { discard: true })
    )

    /** Lists the tools again when they have changed; ends when the session is lost. */
    const follow = (current: McpSession): Effect.Effect<void> =>
      Effect.raceFirst(Effect.as(lostLatch.await, false), Effect.as(changedLatch.await, true)).pipe(
        Effect.flatMap((isChange) =>
          !isChange ? Effect.void : Effect.zipRight(
            changedLatch.close,
            Effect.zipRight(Effect.ignore(inTime(Effect.zipRight(list(current), warn))), follow(current))
          )
        )
      )

    /** Tells why there is no session, before one that is of no use is closed. */
    const setProblem = (reason: string): void => {
      problem = reason
      triedLatch.unsafeOpen()
    }

    /** One session from its beginning to its end. Fails when there was none. */
    const attend: Effect.Effect<void, McpFailure> = Effect.suspend(() => {
      lostLatch.unsafeClose()
      changedLatch.unsafeClose()
      return Effect.acquireUseRelease(
        Effect.interruptible(inTime(Effect.tryPromise({ try: openNow, catch: failureOf }))),
        (current) =>
          inTime(list(current)).pipe(
            Effect.tapError(({ reason }) => Effect.sync(() => setProblem(reason))),
            Effect.zipRight(warn),
            Effect.zipRight(Effect.suspend(() => {
              session = current
              problem = null
              triedLatch.unsafeOpen()
              return follow(current)
            }))
          ),
        (current) =>
          Effect.suspend(() => {
            session = null
            problem ??= "has ended the connection"
            return close(current)
          })
      )
    })

    const go = (pause: number): Effect.Effect<void> =>
      Effect.flatMap(Effect.exit(attend), (exit) => {
        const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
        if (Option.isSome(failure)) setProblem(failure.value.reason)
        const notice = Effect.logWarning(`MCP server ${name} ${problem ?? "has ended the connection"}`)
        const wait = Exit.isSuccess(exit) ? pauses.first : pause
        return Effect.zipRight(notice, neededLatch.close).pipe(
          Effect.zipRight(Effect.raceFirst(Effect.sleep(wait), Effect.delay(neededLatch.await, pauses.first))),
          Effect.zipRight(Effect.suspend(() => go(Math.min(wait * 2, pauses.max))))
        )
      })

    yield* Effect.acquireRelease(Effect.forkDaemon(Effect.interruptible(go(pauses.first))), Fiber.interrupt)

    const toolFailure = (text: string, error?: unknown) =>
      new ToolFailed({ message: `The server ${name} ${text}.`, ...(error !== undefined && { cause: error }) })

    const explain = (tool: string, error: unknown): ToolFailed => {
      const { kind, reason } = failureOf(error)
      switch (kind) {
        case "arguments":
          return new ToolFailed({ kind: "arguments", message: `The arguments are wrong: ${reason}` })
        case "gone":
          changedLatch.unsafeOpen()
          return toolFailure(`has no tool ${tool} any more`)
        case "away":
          lostLatch.unsafeOpen()
          return toolFailure(reason)
        default:
          return toolFailure(reason)
      }
    }

    const handler = (tool: string): ToolHandler => (input) =>
      Effect.suspend(() => {
        if (session === null) {
          neededLatch.unsafeOpen()
          return toolFailure(`cannot be used now: it ${problem ?? "is away"}`)
        }
        const current = session
        const args = typeof input === "object" && input !== null ? { ...input } : {}
        return Effect.tryPromise({
          try: (signal) => current.callTool(tool, args, signal),
          catch: (error) => explain(tool, error)
        }).pipe(
          Effect.flatMap((result) => {
            const content = contentOf(result, max_content)
            return result.isError === true
              ? new ToolFailed({ message: content, cause: new Error(`the server ${name} reports an error`) })
              : Effect.succeed({ content })
          })
        )
      })

    return {
      server,
      tools: () => tools,
      problem: () => problem,
      warnings: () => warnings,
      firstTry: triedLatch.await,
      isTried: () => problem !== notConnected,
      handler
    }
  })
