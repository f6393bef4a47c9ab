import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

interface Booking {
  readonly people: number
  readonly time: string
}

const booking = fromJsonSchema<Booking>({
  type: "object",
  properties: { people: { type: "integer", minimum: 1, maximum: 8 }, time: { type: "string" } },
  required: ["people", "time"]
})

/** Serves one tool, which books tables, over standard input and output. */
export const serveTables = (): void => {
  let tables = 3
  serveStdio(() => {
    const server = new McpServer({ name: "tables", version: "1" })
    const about = { description: "Books a table for today", inputSchema: booking }
    server.registerTool("book_table", about, async ({ people, time }) => {
      tables += 1
      return { content: [{ type: "text", text: `Table ${tables} for ${people} at ${time}` }] }
    })
    return server
  })
}
