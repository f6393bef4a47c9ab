import type { SipAddress } from "@trunkline/sip"
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { isIP } from "node:net"
import { networkInterfaces } from "node:os"
import { plainAddress } from "../transport/LocalAddresses.js"

/** Keep-alive of RFC 5626, which every SIP peer ignores or answers with an empty line. */
const keepAlive = "\r\n\r\n"

/** True for an address of this machine, whose refusals arrive at once and come from no firewall. */
const isOwnAddress = (host: string): boolean =>
  host.startsWith("127.") || host === "::1" ||
  Object.values(networkInterfaces()).some((addresses = []) => addresses.some(({ address }) => address === host))

/**
 * Returns true when nobody listens at a UDP port of this machine, so that a message to it would certainly be lost; false
 * where that is not known. The system tells a refusal (ICMP port unreachable) to connected sockets only, so another socket
 * than that of SIP asks, with a keep-alive. A refusal is there in the next turn of the event loop.
 */
export const isPortClosed = ({ host, port, protocol }: SipAddress): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    const plain = plainAddress(host)
    return protocol === "udp" && isOwnAddress(plain) ? probe(plain, port) : Effect.succeed(false)
  })

const probe = (host: string, port: number): Effect.Effect<boolean> =>
  Effect.async<boolean>((resume) => {
    const socket = createSocket(isIP(host) === 6 ? "udp6" : "udp4")
    let isSettled = false
    const settle = (isClosed: boolean) => {
      if (isSettled) return
      isSettled = true
      socket.close()
      resume(Effect.succeed(isClosed))
    }
    socket.on("error", (error) => settle("code" in error && error.code === "ECONNREFUSED"))
    // Only a socket that reads hears of a refusal.
    socket.on("message", () => {})
    socket.connect(port, host, () => {
      if (!isSettled) socket.send(keepAlive, () => setImmediate(() => setImmediate(settle, false)))
    })
    return Effect.sync(() => settle(false))
  })
