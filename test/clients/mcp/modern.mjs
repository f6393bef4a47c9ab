// A server of @modelcontextprotocol/server 2, over stdio or streamable HTTP: node modern.mjs stdio|http [port]
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { announce, bodyOf, tools } from "./tools.mjs"

const makeServer = () => {
  const server = new McpServer({ name: "booking", version: "2" }, { capabilities: { tools: { listChanged: true } } })
  const add = (name) => {
    const { description, parameters, run } = tools[name]
    return server.registerTool(
      name,
      { description, inputSchema: fromJsonSchema(parameters) },
      async (args) => run(args)
    )
  }
  for (const name of Object.keys(tools)) add(name)
  server.registerTool("rename", { description: "Replaces a tool" }, async () => {
    setTimeout(() => {
      vanishing.remove()
      server.registerTool(
        "appeared",
        { description: "New" },
        async () => ({ content: [{ type: "text", text: "Hello" }] })
      )
    }, 50)
    return { content: [{ type: "text", text: "Soon" }] }
  })
  const vanishing = server.registerTool("vanishing", { description: "Goes" }, async () => ({ content: [] }))
  return server
}

if (process.argv[2] === "stdio") serveStdio(makeServer)
else {
  const handler = createMcpHandler(makeServer)
  await announce(async (request, response) => {
    const body = request.method === "POST" ? await bodyOf(request) : undefined
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method,
        headers: request.headers,
        body
      })
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) response.end()
    else {
      for await (const chunk of answer.body) response.write(chunk)
      response.end()
    }
  })
}
