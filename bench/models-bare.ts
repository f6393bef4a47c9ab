import { Agent, createServer, request as ask } from "node:http"
import type { AddressInfo } from "node:net"
import "./models-vitals.js"

/** A minimal gateway for comparison: passes bodies through `node:http` unchanged. */
const [, , upstream = ""] = process.argv
const agent = new Agent({ keepAlive: true })

const server = createServer((request, response) => {
  const { pathname } = new URL(upstream)
  const outgoing = ask(
    new URL(`${pathname}/chat/completions`, upstream),
    { agent, method: "POST", headers: { "content-type": "application/json" } },
    (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, { "content-type": incoming.headers["content-type"] ?? "" })
      incoming.pipe(response)
    }
  )
  outgoing.once("error", () => response.destroy())
  response.once("close", () => outgoing.destroy())
  request.pipe(outgoing)
})

server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on("disconnect", () => process.exit(0))
