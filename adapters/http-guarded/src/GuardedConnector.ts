import { lookup as systemLookup } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
// The file and not the package, here and elsewhere: Bun puts a client of its own, which takes no connector, in its place.
import { buildConnector } from "undici/index.js"

/** One address of a host name. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Finds every address of a host name; rejects when there is none. */
export type HostLookup = (hostname: string) => Promise<ReadonlyArray<HostAddress>>

/** The host leads, with at least one of its addresses, to a place that callers may not reach. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused"
  readonly code = "ERR_ADDRESS_REFUSED"
}

/** The operating system's resolver, hosts file included. */
export const lookupHost: HostLookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4
  }))

/**
 * Opens connections for undici, to allowed addresses only.
 *
 * A name is resolved once for each connection; if any of its addresses is not allowed the connection is
 * refused, otherwise the socket goes to those very addresses, so a resolver that changes its answer
 * gains nothing. TLS still asks for, and verifies, the host name.
 */
export const guardedConnector = (options: {
  readonly lookup: HostLookup
  readonly isAllowed: (ip: string) => boolean
  readonly connectTimeoutMillis: number
}): buildConnector.connector => {
  const resolve = async (hostname: string): Promise<readonly [HostAddress, ...ReadonlyArray<HostAddress>]> => {
    const [first, ...others] = (await options.lookup(hostname)).map(({ address, family }) => ({ address, family }))
    if (first !== undefined && [first, ...others].every(({ address }) => options.isAllowed(address))) {
      return [first, ...others]
    }
    throw new AddressRefused()
  }
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) =>
        all === true ? callback(null, [...addresses]) : callback(null, addresses[0].address, addresses[0].family),
      (error) => callback(error, "")
    )
  }
  const connect = buildConnector({ lookup, timeout: options.connectTimeoutMillis })
  return (target, callback) =>
    isIP(target.hostname) !== 0 && !options.isAllowed(target.hostname)
      ? callback(new AddressRefused(), null)
      : connect(target, callback)
}
