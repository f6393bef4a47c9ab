import { isIP, SocketAddress } from "node:net"

/** Place where packets come from or go to. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** Terms of accepting sources. */
export interface LatchTerms {
  /** Place of the session description. */
  readonly place: Place
  /** Accepts any host at first. */
  readonly anyHost: boolean
  readonly now: number
}

/** The source that a call listens to and sends to: symmetric RTP (RFC 4961). */
export interface RemoteLatch {
  /** Begins anew when the place differs from that before. Without a valid port there is none. */
  readonly expect: (terms: LatchTerms) => void
  /** Returns true for a packet that belongs to the call. */
  readonly accepts: (host: string, port: number, now: number) => boolean
  /** Place to send to; null before any is known. */
  readonly remote: Place | null
}

/** Time in which any host may be accepted, in milliseconds. */
const openMillis = 5_000

/** Address as the socket reports it, whose text may differ in IPv6. One with a zone stays as it is. */
const normalAddress = (host: string): string =>
  isIP(host) === 6 && !host.includes("%") ? new SocketAddress({ address: host, family: "ipv6" }).address : host

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port <= 65_535

/**
 * Makes a latch. The first source wins: its host must be that of the session description, from any port, unless any host is
 * accepted and five seconds have not passed. A source that is exactly the place of the session description always wins.
 */
export const makeRemoteLatch = (): RemoteLatch => {
  let describedPlace: Place | null = null
  let latchedPlace: Place | null = null
  let anyHost = false
  let since = 0

  return {
    expect: ({ now, place, ...terms }) => {
      anyHost = terms.anyHost
      if (!isPort(place.port)) {
        describedPlace = latchedPlace = null
        return
      }
      const host = normalAddress(place.host)
      if (describedPlace?.host === host && describedPlace.port === place.port) return
      describedPlace = { host, port: place.port }
      latchedPlace = null
      since = now
    },
    accepts: (host, port, now) => {
      if (describedPlace === null) return false
      if (host === latchedPlace?.host && port === latchedPlace.port) return true
      const isDescribed = host === describedPlace.host
      const isExact = isDescribed && port === describedPlace.port
      const isOpen = latchedPlace === null && (isDescribed || anyHost && now - since <= openMillis)
      if (!isExact && !isOpen) return false
      latchedPlace = { host, port }
      return true
    },
    get remote() {
      return latchedPlace ?? describedPlace
    }
  }
}
