import { createSocket, type Socket } from "node:dgram"

/** Two UDP sockets of a call, for RTP and RTCP. */
export interface PortPair {
  readonly rtp: Socket
  readonly rtcp: Socket
  /** Port of RTP, which is even; RTCP has the next one. */
  readonly port: number
}

/** Outcome of opening ports. */
export type OpenedPorts =
  | PortPair
  | { readonly reason: "no_port" | "bad_address"; readonly detail: string }

/** Range of ports, both ends included. */
export interface PortRange {
  readonly from: number
  readonly to: number
}

/** Code of an error of the operating system. */
const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "Error"

/**
 * Binds a socket. Addresses are literal, so their lookup is left out: the default one delays every packet by a turn of the
 * event loop.
 */
const bind = (address: string, port: number, family: 4 | 6): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createSocket({
      type: family === 4 ? "udp4" : "udp6",
      ipv6Only: family === 6,
      lookup: (host, _options, callback) => callback(null, host, family)
    })
    const onError = (error: Error) => {
      socket.close()
      reject(error)
    }
    socket.once("error", onError)
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off("error", onError)
      // A packet that cannot be sent is a lost packet.
      socket.on("error", () => undefined)
      resolve(socket)
    })
  })

/**
 * Makes a function that opens pairs of ports within a range. It goes through the range from a random place on, so that a
 * port is used again as late as possible: packets of its last call may still arrive.
 */
export const makePortPairs = (
  { from, to }: PortRange,
  random: () => number
): (address: string, family: 4 | 6) => Promise<OpenedPorts> => {
  const first = from + from % 2
  const pairs = Math.floor((to - first + 1) / 2)
  let next = Math.floor(random() * pairs)

  return async (address, family) => {
    for (let attempts = 0; attempts < pairs; attempts++) {
      const port = first + 2 * (next % pairs)
      next = next % pairs + 1
      const boundSockets: Array<Socket> = []
      try {
        const rtp = await bind(address, port, family)
        boundSockets.push(rtp)
        return { rtp, rtcp: await bind(address, port + 1, family), port }
      } catch (error) {
        for (const socket of boundSockets) socket.close()
        const code = codeOf(error)
        if (code !== "EADDRINUSE" && code !== "EACCES") return { reason: "bad_address", detail: code }
      }
    }
    return { reason: "no_port", detail: `${from} to ${to}` }
  }
}
