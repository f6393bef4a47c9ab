import { Effect } from "effect"
import { lookup as systemLookup } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
// The file and not the package, here and elsewhere: Bun replaces the package with a client that takes no connector.
import { Agent, buildConnector, request } from "undici/index.js"
import { skipInterimResponses } from "../upstream/InterimResponses.js"

/** An IP address of a host name. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves all addresses of a host name; rejects if there are none. */
export type HostLookup = (hostname: string) => Promise<ReadonlyArray<HostAddress>>

/** At least one address of the host is not allowed. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused"
  readonly code = "ERR_ADDRESS_REFUSED"
}

/** Resolves with the operating system, including the hosts file. */
export const lookupHost: HostLookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4
  }))

/**
 * Makes a connector for undici that connects to allowed addresses only.
 *
 * Each connection resolves its host name once. If any address is not allowed, the connection is rejected; otherwise the
 * socket connects to the checked addresses, so that DNS rebinding has no effect. TLS still verifies the host name.
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
  const connect = skipInterimResponses(buildConnector({ lookup, timeout: options.connectTimeoutMillis }))
  return (target, callback) =>
    isIP(target.hostname) !== 0 && !options.isAllowed(target.hostname)
      ? callback(new AddressRefused(), null)
      : connect(target, callback)
}

/** URLs with a name that never resolves (RFC 6761, section 6.4), in case the runtime ignores the lookup. */
const urls = ["http://guard.invalid/", "https://guard.invalid/"]

const isRefused = (url: string, dispatcher: Agent): Promise<boolean> =>
  request(url, { dispatcher }).then(() => false, (error: unknown) => error instanceof AddressRefused)

/**
 * Dies on a runtime that bypasses the guard by resolving names itself or by replacing the HTTP client.
 *
 * Bun 1.2.0 and earlier ignore the lookup of a connection. The check requests a name whose only address is not allowed,
 * with and without TLS. If the guard works, no connection is made.
 */
export const checkRuntime: Effect.Effect<void> = Effect.suspend(() => {
  const connect = guardedConnector({
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    isAllowed: () => false,
    connectTimeoutMillis: 5_000
  })
  // Never closed: it never has a connection, and the replaced client of a runtime may not support closing.
  const agent = new Agent({ connect })
  return Effect.forEach(urls, (url) => Effect.promise(() => isRefused(url, agent)), { concurrency: "unbounded" })
}).pipe(
  Effect.filterOrDieMessage(
    (refusals) => refusals.every((is) => is),
    "This runtime bypasses the guard of @trunkline/http-client, so that URLs could reach private addresses. "
      + "Use Node 20.11 or later, or Bun 1.3 or later."
  ),
  Effect.asVoid
)
