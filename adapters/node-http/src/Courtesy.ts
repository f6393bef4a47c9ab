import type { IncomingMessage } from "node:http"

/** How many bytes of a body are still taken after its answer, so that a client that is busy sending hears it. */
const courtesyBytes = 16_777_216

/** How often it is looked how many came, in milliseconds. */
const lookEvery = 250

/** Cuts a client that goes on sending a body which was answered without having been read. */
export const endCourtesy = (request: IncomingMessage): void => {
  const { socket } = request
  if (request.complete || socket.destroyed) return
  const before = socket.bytesRead
  const look = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(look)
    if (socket.bytesRead - before > courtesyBytes) socket.destroy()
  }, lookEvery)
  look.unref()
}
