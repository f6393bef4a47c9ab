import type { Socket } from "node:net"
import { plainAddress } from "./LocalAddresses.js"

/** Sockets that a server has accepted, also those whose TLS handshake goes on. */
export interface AcceptedSockets {
  /** Counts a socket until its end; destroys it beyond the limits. */
  readonly admit: (socket: Socket) => void
  readonly destroyAll: () => void
}

/** Makes the count of accepted sockets, with limits of all of them and of those of one address. */
export const makeAcceptedSockets = (
  { accepted, acceptedOfAddress }: { readonly accepted: number; readonly acceptedOfAddress: number }
): AcceptedSockets => {
  const sockets = new Set<Socket>()
  const ofAddress = new Map<string, number>()
  return {
    admit: (socket) => {
      const host = plainAddress(socket.remoteAddress ?? "")
      const count = ofAddress.get(host) ?? 0
      if (sockets.size >= accepted || count >= acceptedOfAddress) return void socket.destroy()
      sockets.add(socket)
      ofAddress.set(host, count + 1)
      socket.once("close", () => {
        sockets.delete(socket)
        const remaining = (ofAddress.get(host) ?? 1) - 1
        if (remaining <= 0) ofAddress.delete(host)
        else ofAddress.set(host, remaining)
      })
    },
    destroyAll: () => sockets.forEach((socket) => socket.destroy())
  }
}
