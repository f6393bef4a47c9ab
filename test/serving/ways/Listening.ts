import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Listens on a free port, and returns the URL. */
export const listening = async (server: Server): Promise<string> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Closes the server of a host: it stops accepting connections, then the engine closes, then the rest is cut. */
export const closing = (server: Server, closeEngine: () => Promise<void>) => async (): Promise<void> => {
  server.close()
  await closeEngine()
  server.closeAllConnections()
}
