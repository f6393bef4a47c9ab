import { Context, Data, type Effect, type Either, type Scope } from "effect"
import type { MalformedMessage } from "../message/MalformedMessage.js"
import type { SipMessage } from "../message/Message.js"

/**
 * Protocol below SIP. Messages over `udp` can be lost, doubled and reordered; `tcp`, and `tls` over it, are reliable (RFC 3261,
 * section 17).
 */
export type TransportProtocol = "udp" | "tcp" | "tls"

/** All protocols. */
const transportProtocols: ReadonlyArray<TransportProtocol> = ["udp", "tcp", "tls"]

/** Returns true for the name of a protocol, in lower case. */
export const isTransportProtocol = (text: string): text is TransportProtocol =>
  transportProtocols.some((protocol) => protocol === text)

/** Port of a protocol where none is named (RFC 3261, section 19.1.2). */
export const defaultPort = (protocol: TransportProtocol): number => protocol === "tls" ? 5061 : 5060

/** Address to which messages are sent, or from which they came. */
export interface SipAddress {
  readonly protocol: TransportProtocol
  /** IPv4 or IPv6 literal, the latter without brackets. */
  readonly host: string
  readonly port: number
  /**
   * Connection over which a message came, as the transport names it. A message to this address goes over it while it is
   * open, and otherwise over a new connection to host and port.
   */
  readonly connection?: string
  /** Name that the certificate of the peer must have over TLS (RFC 5922, section 4); undefined where only an address is known. */
  readonly serverName?: string
}

/** Host and port that a URI names, before they are resolved. */
export interface SipTarget {
  /** Name or literal; an IPv6 literal has no brackets. */
  readonly host: string
  /** Undefined where the URI has none: SRV records decide, and 5060 or 5061 where there are none (RFC 3263, section 4.2). */
  readonly port?: number
  /** Undefined where the URI has no transport parameter. */
  readonly protocol?: TransportProtocol
}

/** A received message. */
export interface Received {
  /** Of a datagram by `parseMessage`, of a stream by `makeMessageFramer`. */
  readonly message: Either.Either<SipMessage, MalformedMessage>
  readonly source: SipAddress
}

/** A target has no address. */
export class Unresolved extends Data.TaggedError("Unresolved")<{
  /** Safe for logs: names no host and no number. */
  readonly reason: string
}> {}

/**
 * Sends and receives SIP messages. Every implementation must pass `sipTransportLaws` of `@trunkline/sip/testing`.
 * Sending is a plain function, since retransmissions are many and nothing waits for them.
 */
export class SipTransport extends Context.Tag("@trunkline/sip/SipTransport")<SipTransport, {
  /**
   * Receives all messages from now on until the scope closes. The listener is called for one message at a time, never
   * within `send`, and does not throw. Keep-alives are not messages.
   */
  readonly listen: (listener: (message: Received) => void) => Effect.Effect<void, never, Scope.Scope>
  /**
   * Sends one message. `failed` is called at most once, never within `send`, when it is known that the message did not
   * leave: no connection, a broken connection, an address that cannot be reached. The reason is safe for logs.
   */
  readonly send: (bytes: Uint8Array, to: SipAddress, failed: (reason: string) => void) => void
  /**
   * Tells the peer of each connection that closes, whoever closed it, until the scope closes. Absent where no transport has
   * connections.
   */
  readonly onClose?: (
    listener: (peer: Pick<SipAddress, "host" | "port">) => void
  ) => Effect.Effect<void, never, Scope.Scope>
  /** Host and port at which peers behind an address reach this transport, for Via and Contact. */
  readonly local: (to: SipAddress) => { readonly host: string; readonly port: number }
  /** Finds the addresses of a target, best first (RFC 3263). A literal is its own address. */
  readonly resolve: (target: SipTarget) => Effect.Effect<readonly [SipAddress, ...Array<SipAddress>], Unresolved>
}>() {}

/** Returns true where messages to an address arrive once and in order, so that none has to be repeated. */
export const isReliable = ({ protocol }: SipAddress): boolean => protocol !== "udp"
