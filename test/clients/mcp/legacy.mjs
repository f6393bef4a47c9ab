// A server of @modelcontextprotocol/sdk 1, over stdio or streamable HTTP with sessions: node legacy.mjs stdio|http [port]
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js"
import { randomUUID } from "node:crypto"
import { announce, bodyOf, tools } from "./tools.mjs"

const makeServer = () => {
  const server = new Server({ name: "booking", version: "1" }, { capabilities: { tools: { listChanged: true } } })
  const names = new Set([...Object.keys(tools), "rename", "vanishing"])
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...names].map((name) => ({
      name,
      description: tools[name]?.description ?? name,
      inputSchema: tools[name]?.parameters ?? { type: "object", properties: {} }
    }))
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { arguments: args, name } }) => {
    if (!names.has(name)) throw new McpError(ErrorCode.InvalidParams, `Tool ${name} not found`)
    if (name !== "rename") return tools[name]?.run(args ?? {}) ?? { content: [{ type: "text", text: "Hello" }] }
    setTimeout(() => {
      names.delete("vanishing")
      names.add("appeared")
      void server.sendToolListChanged()
    }, 50)
    return { content: [{ type: "text", text: "Soon" }] }
  })
  return server
}

if (process.argv[2] === "stdio") await makeServer().connect(new StdioServerTransport())
else {
  const sessions = new Map()
  await announce(async (request, response) => {
    const body = request.method === "POST" ? JSON.parse(await bodyOf(request)) : undefined
    const id = request.headers["mcp-session-id"]
    let transport = sessions.get(id)
    if (transport === undefined) {
      if (id !== undefined) {
        response.writeHead(404).end()
        return
      }
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, transport)
      })
      await makeServer().connect(transport)
    }
    await transport.handleRequest(request, response, body)
  })
}
