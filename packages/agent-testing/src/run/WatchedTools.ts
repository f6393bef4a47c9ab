import type { ToolCall, ToolFailed, ToolHandler, ToolHandlers, ToolResult } from "@trunkline/agents"
import { AgentTools } from "@trunkline/conversation"
import { BusinessTime } from "@trunkline/kernel"
import { Cause, Effect, Layer } from "effect"
import type { OpenTurnOf, TestCallLog } from "../line/CallLog.js"

/** A tool in place of that of the agent; `pass` waits in virtual time. */
export type ToolMock = (
  input: unknown,
  call: ToolCall,
  pass: (millis: number) => Effect.Effect<void>
) => Effect.Effect<ToolResult, ToolFailed>

/** Tools in place of those of agents, by name. */
export type ToolMocks = Readonly<Record<string, ToolMock>>

/** The log of a call; none for one of another test. */
type LogOf = (call: ToolCall) => TestCallLog | undefined

const noteResult = (turn: OpenTurnOf<"tool">, { content, set = {} }: ToolResult): void => {
  turn.result = content
  turn.set = Object.fromEntries(
    Object.entries(set).flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const])
  )
}

/** A handler whose uses are turns of the log. */
const watch = (name: string, handler: ToolHandler, logOf: LogOf): ToolHandler => {
  const use: ToolHandler = (input, call) =>
    Effect.flatMap(BusinessTime.now, (at) => {
      const log = logOf(call)
      if (log === undefined) return handler(input, call)
      const turn = log.tool(name, input, at)
      return handler(input, call).pipe(
        Effect.tap((result) => noteResult(turn, result)),
        Effect.tapErrorCause((cause) =>
          Effect.sync(() => {
            const error = Cause.squash(cause)
            turn.failed = true
            turn.result = error instanceof Error ? error.message : String(error)
          })
        ),
        Effect.ensuring(Effect.map(BusinessTime.now, (now) => {
          turn.to = log.second(now)
        }))
      )
    })
  return handler.checksArguments === true ? Object.assign(use, { checksArguments: true as const }) : use
}

/** Tools of calls: those of the agents, with mocks in place of some, each use of which is noted. */
export const watchTools = (
  { logOf, mocks, pass, tools }: {
    readonly tools: AgentTools.Service
    readonly mocks: ToolMocks
    readonly logOf: LogOf
    readonly pass: (millis: number) => Effect.Effect<void>
  }
): Layer.Layer<never> => {
  const mockHandlers = Object.fromEntries(
    Object.entries(mocks).map(([name, mock]): [string, ToolHandler] => [name, (input, call) => mock(input, call, pass)])
  )
  const handlersOf: AgentTools.Service["of"] = (brief, version): ToolHandlers =>
    Object.fromEntries(
      Object.entries({ ...tools.of(brief, version), ...mockHandlers }).map(([name, handler]) =>
        [name, watch(name, handler, logOf)] as const
      )
    )
  return Layer.succeed(AgentTools, {
    of: handlersOf,
    ...(tools.beside !== undefined && { beside: tools.beside })
  })
}
