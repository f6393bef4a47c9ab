import type { McpServer } from "./McpSettings.js"
import type { McpResult } from "./ToolContent.js"
import type { ListedTool } from "./ToolList.js"

/** An open session with an MCP server. */
export interface McpSession {
  readonly listTools: (signal: AbortSignal) => Promise<ReadonlyArray<ListedTool>>
  /** Uses a tool; aborting the signal tells the server to give it up. */
  readonly callTool: (name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<McpResult>
  readonly close: () => Promise<void>
}

/** Events of an open session. */
export interface SessionEvents {
  /** The server has ended it. */
  readonly onClosed: () => void
  /** The tools of the server have changed. */
  readonly onToolsChanged: () => void
}

/** Opens a session with a server whose secrets are filled in. Rejects when the signal aborts. */
export type OpenSession = (server: McpServer, events: SessionEvents, signal: AbortSignal) => Promise<McpSession>
