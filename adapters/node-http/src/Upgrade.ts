import type { EventEmitter } from "node:events"
import { type IncomingMessage, ServerResponse } from "node:http"
import { TLSSocket } from "node:tls"

/** True for a request that asks for a WebSocket. */
export const isWebSocketRequest = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket"

/** Creates a response for a request whose socket Node's HTTP parser has released. */
export const makeUpgradeResponse = (request: IncomingMessage): ServerResponse => {
  const { socket } = request
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  socket.on("error", () => socket.destroy())
  socket.on("drain", () => response.emit("drain"))
  response.once("finish", () => socket.destroySoon())
  return response
}

/** Releases the socket of a response to a WebSocket; what is still written to the response is discarded. */
export const detachResponse = (response: ServerResponse, { socket }: IncomingMessage): void => {
  response.detachSocket(socket)
  response.removeAllListeners("finish")
  response.end()
  response.emit("close")
}

/**
 * True while an earlier response is in flight on the connection. A client that asks for another protocol before it has
 * received its responses cannot be given both.
 */
export const hasResponseInFlight = ({ socket }: IncomingMessage): boolean =>
  Boolean(Reflect.get(socket, "_httpMessage"))

const upgradeHeaders = /^(?:upgrade|http2-settings)$/i

/** Renders the head of a request as it was received, without its request for another protocol. */
const headWithoutUpgrade = ({ httpVersion, method, rawHeaders, url }: IncomingMessage) => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index)
    const rest = /^connection$/i.test(name)
      ? value.split(",").filter((token) => !upgradeHeaders.test(token.trim())).join(",")
      : value
    if (!upgradeHeaders.test(name) && (rest !== "" || value === "")) lines.push(`${name}: ${rest}`)
  }
  return `${lines.join("\r\n")}\r\n\r\n`
}

/**
 * Returns a request for another protocol than WebSocket, such as h2c, to its server, which then handles it as a plain
 * HTTP/1.1 request (RFC 9110, section 7.8). Node leaves such requests and their bodies to the `upgrade` listener.
 */
export const retryWithoutUpgrade = (request: IncomingMessage, head: Buffer): void => {
  const { socket } = request
  if (hasResponseInFlight(request)) return void socket.destroy()
  const server: EventEmitter | null | undefined = Reflect.get(socket, "server")
  if (server == null) return void socket.destroy()
  socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), "latin1"), head]))
  server.emit(socket instanceof TLSSocket ? "secureConnection" : "connection", socket)
}
