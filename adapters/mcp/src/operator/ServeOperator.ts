import type { TrunklineClient } from "@trunkline/client"
import { operatorTools } from "./OperatorTools.js"

/** Parts that the server over standard input needs. */
export interface OperatorOptions {
  readonly client: TrunklineClient
  /** Leaves out the tools that change something. */
  readonly isReadOnly: boolean
  /** Version of the software, which clients show. */
  readonly version: string
}

const instructions =
  "Operates a Trunkline server: campaigns of phone calls, why people are not called, and records of calls. "
  + "Records hold personal data of the people who were called."

/**
 * Serves the tools over standard input and output, by the protocol of 2026-07-28 and that of 2025, until the input ends. Nothing
 * else may write to standard output meanwhile.
 */
export const serveOperator = async ({ client, isReadOnly, version }: OperatorOptions): Promise<void> => {
  const { fromJsonSchema, McpServer } = await import("@modelcontextprotocol/server")
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio")
  const tools = operatorTools.filter((tool) => tool.isReadOnly || !isReadOnly)
  serveStdio(() => {
    const server = new McpServer({ name: "trunkline", version }, { instructions })
    for (const { description, isReadOnly, name, parameters, run } of tools) {
      server.registerTool(name, {
        description,
        inputSchema: fromJsonSchema(parameters),
        annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false }
      }, async (input) => {
        const { isError, text } = await run(client, input)
        return { content: [{ type: "text", text }], ...(isError && { isError }) }
      })
    }
    return server
  })
}
