import { ModelUnavailable } from "@trunkline/errors"
import { networkUpstreamError, type UpstreamError } from "@trunkline/http-client"
import { type HostLookup, isPublicAddress } from "@trunkline/http-client/guarded"
import { Effect } from "effect"
import { lookup as systemLookup } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"

/** Rules for the address of a server, with the names that `@trunkline/http-client` gives them. */
export interface AddressRules {
  /** Allows `ws:` in addition to `wss:`. Default: false. */
  readonly allowInsecureUrls?: boolean
  /** Allows private, loopback and other non-public addresses. Default: false. */
  readonly allowPrivateUrls?: boolean
  /** Resolver of host names. Default: the operating system. */
  readonly lookup?: HostLookup
}

/** Parses the address of a server. The error it throws does not repeat the URL, which may hold a key. */
export const addressOf = (url: string, { allowInsecureUrls = false }: AddressRules, serverName: string): URL => {
  const schemes = allowInsecureUrls ? /^wss?:$/ : /^wss:$/
  try {
    const parsedUrl = new URL(url)
    if (schemes.test(parsedUrl.protocol) && parsedUrl.username === "" && parsedUrl.password === "") return parsedUrl
  } catch {
    // Reported below.
  }
  const allowedText = allowInsecureUrls ? "wss:// or ws:// URL" : "wss:// URL (allowInsecureUrls permits ws://)"
  throw new Error(`The URL of the ${serverName} should be a ${allowedText} without user and password`)
}

const lookupHost: HostLookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4
  }))

const refusalOf = (serverName: string): UpstreamError => ({
  failure: new ModelUnavailable({ message: `The address of the ${serverName} is not public`, lasting: true }),
  note: "address refused",
  retryDelay: null
})

/**
 * Resolves the host of an address and checks that all its addresses are allowed. Returns a lookup that yields exactly the
 * checked addresses.
 */
export const checkHost = (
  { hostname }: URL,
  { allowPrivateUrls = false, lookup = lookupHost }: AddressRules,
  serverName: string
): Effect.Effect<LookupFunction, UpstreamError> =>
  Effect.gen(function*() {
    const host = hostname.replace(/^\[|\]$/g, "")
    const family = isIP(host)
    const addresses = family === 0
      ? yield* Effect.tryPromise({
        try: () => lookup(host),
        catch: (error) => networkUpstreamError(serverName, error, false)
      })
      : [{ address: host, family: family === 6 ? 6 : 4 }]
    const [first] = addresses
    if (first === undefined || !(allowPrivateUrls || addresses.every(({ address }) => isPublicAddress(address)))) {
      return yield* Effect.fail(refusalOf(serverName))
    }
    return (_, { all }, callback) =>
      all === true ? callback(null, [...addresses]) : callback(null, first.address, first.family)
  })
