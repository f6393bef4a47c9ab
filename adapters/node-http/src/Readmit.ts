import type { EventEmitter } from "node:events"
import type { IncomingMessage } from "node:http"
import { TLSSocket } from "node:tls"

const ofUpgrade = /^(?:upgrade|http2-settings)$/i

/** The head of a request as it came, without its wish for another protocol. */
const headOf = ({ httpVersion, method, rawHeaders, url }: IncomingMessage) => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index)
    const kept = /^connection$/i.test(name)
      ? value.split(",").filter((token) => !ofUpgrade.test(token.trim())).join(",")
      : value
    if (!ofUpgrade.test(name) && (kept !== "" || value === "")) lines.push(`${name}: ${kept}`)
  }
  return `${lines.join("\r\n")}\r\n\r\n`
}

/**
 * Whether an earlier answer is still under way on the connection. A client that asks for another protocol before it has
 * its answers cannot be given both.
 */
export const isAnswering = ({ socket }: IncomingMessage): boolean => Boolean(Reflect.get(socket, "_httpMessage"))

/**
 * Gives a request that asks for another protocol than WebSocket, as clients of HTTP/2 do, back to the server that it
 * came from, which goes on as if it had not asked (RFC 9110, 7.8). Node leaves such requests and their bodies to
 * whoever listens to `upgrade`.
 */
export const readmit = (request: IncomingMessage, head: Buffer): void => {
  const { socket } = request
  if (isAnswering(request)) return void socket.destroy()
  const server: EventEmitter | null | undefined = Reflect.get(socket, "server")
  if (server == null) return void socket.destroy()
  socket.unshift(Buffer.concat([Buffer.from(headOf(request), "latin1"), head]))
  server.emit(socket instanceof TLSSocket ? "secureConnection" : "connection", socket)
}
