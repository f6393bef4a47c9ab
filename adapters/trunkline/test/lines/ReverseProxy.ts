import { Effect } from "effect"
import { createServer, type IncomingMessage, request as send, type Server } from "node:http"
import { connect } from "node:net"

/** Options of a proxy. */
export interface ProxyOptions {
  /** Address of the peer that it tells; that of the connection by default. */
  readonly from?: string
}

/** Port of a server that listens. */
export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" ? address?.port ?? 0 : 0
}

/** A proxy that takes `/edge` off the path of requests and WebSockets, and tells the host what was asked for; ends with the scope. */
export const reverseProxy = ({ from }: ProxyOptions = {}) =>
  Effect.gen(function*() {
    let target = 1
    const forwarded = ({ headers, rawHeaders, socket, url = "/" }: IncomingMessage) => ({
      path: url.replace(/^\/edge/, ""),
      headers: [
        ...rawHeaders,
        "X-Forwarded-Host",
        headers.host ?? "",
        "X-Forwarded-Proto",
        "http",
        "X-Forwarded-Prefix",
        "/edge",
        "X-Forwarded-For",
        from ?? socket.remoteAddress ?? ""
      ]
    })
    const server = createServer((request, response) => {
      const { headers, path } = forwarded(request)
      const upstream = send({ port: target, host: "127.0.0.1", method: request.method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      upstream.on("error", () => response.writeHead(502).end())
      request.pipe(upstream)
    })
    server.on("upgrade", (request, socket, head) => {
      const { headers, path } = forwarded(request)
      const upstream = connect(target, "127.0.0.1")
      const lines = headers.flatMap((name, index) => index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ""}`] : [])
      upstream.write(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`)
      upstream.write(head)
      for (const [one, other] of [[socket, upstream], [upstream, socket]] as const) {
        one.pipe(other)
        one.on("error", () => other.destroy()).on("close", () => other.destroy())
      }
    })
    yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
    )
    return {
      address: `http://127.0.0.1:${portOf(server)}`,
      /** Leads to a port of this machine. */
      leadTo: (port: number) => {
        target = port
      }
    }
  })
