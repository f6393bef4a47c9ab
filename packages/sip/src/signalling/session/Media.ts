import { Data } from "effect"

/**
 * Speech codec of the telephone network by its name in session descriptions: mu-law, A-law, or G.722 with its wide band. The
 * clock of all is 8,000 hertz, although G.722 has 16,000 samples a second (RFC 3551, section 4.5.2).
 */
export type Codec = "PCMU" | "PCMA" | "G722"

/** Payload types of the codecs, which are fixed (RFC 3551, table 4). */
export const payloadTypes: Readonly<Record<Codec, number>> = { PCMU: 0, PCMA: 8, G722: 9 }

/** The codec with a name, in any case; null for another. */
export const codecNamed = (name: string): Codec | null => codecs.find((codec) => codec === name.toUpperCase()) ?? null

/** The codec with a fixed payload type; null for another. */
export const codecOfType = (payloadType: number): Codec | null =>
  codecs.find((codec) => payloadTypes[codec] === payloadType) ?? null

const codecs: ReadonlyArray<Codec> = ["PCMU", "PCMA", "G722"]

/** Directions in which sound goes, as seen by the one who says so (RFC 3264, section 5.1). */
export type Direction = "sendrecv" | "sendonly" | "recvonly" | "inactive"

/** True if sound is sent in this direction. */
export const sends = (direction: Direction): boolean => direction === "sendrecv" || direction === "sendonly"

/** True if sound is received in this direction. */
export const receives = (direction: Direction): boolean => direction === "sendrecv" || direction === "recvonly"

/** Direction of someone who sends and receives or does not. */
export const directionOf = (does: { readonly send: boolean; readonly receive: boolean }): Direction =>
  does.send ? does.receive ? "sendrecv" : "sendonly" : does.receive ? "recvonly" : "inactive"

/** Address to which packets are sent. */
export interface MediaAddress {
  /** IPv4 or IPv6 address, the latter without brackets. */
  readonly address: string
  readonly port: number
}

/** Stream of sound on which both sides agree, as seen by this side. */
export interface Negotiated {
  /** Where the peer receives sound. It may send from another address. While `direction` does not send, it is of no use. */
  readonly remote: MediaAddress
  /** Where the peer receives RTCP: the next port, unless it names another (RFC 3605); null if there is none. */
  readonly remoteRtcp: MediaAddress | null
  /** Codec that this side sends. */
  readonly codec: Codec
  /** Payload type of the packets that this side sends. */
  readonly payloadType: number
  /** Payload types that the peer may send, with their codecs. */
  readonly received: ReadonlyArray<{ readonly payloadType: number; readonly codec: Codec }>
  /** Payload types of pressed keys (RFC 4733) as this side sends and receives them; null if the peer does not take them. */
  readonly keys: { readonly sent: number; readonly received: number } | null
  /** Duration of the packets that this side sends: 10 to 60 milliseconds, in steps of 10. */
  readonly packetMillis: number
  /** Values of `a=crypto` of both sides (RFC 4568); null for plain sound. */
  readonly crypto: { readonly sent: string; readonly received: string } | null
  /** As seen by this side: `recvonly` or `inactive` while the peer holds the call. */
  readonly direction: Direction
}

/** Session description that cannot be used. */
export class SessionRefused extends Data.TaggedError("SessionRefused")<{
  /** Response to an offer: 400 if it cannot be parsed, 488 if there is nothing in it that this side supports. */
  readonly status: 400 | 488
  /** Code for a Warning header field (RFC 3261, section 20.43). */
  readonly warning: number
  /** The reason, fit for a Warning header field. */
  readonly message: string
}> {}
