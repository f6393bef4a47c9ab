import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Listens on a free port; gives the URL. */
export const listening = async (server: Server): Promise<string> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Closes a host's server as hosts do: it takes no more connections, then the engine closes, then the rest is cut. */
export const closing = (server: Server, closeEngine: () => Promise<void>) => async (): Promise<void> => {
  server.close()
  await closeEngine()
  server.closeAllConnections()
}
