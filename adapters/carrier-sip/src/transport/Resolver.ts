import { defaultPort, type SipAddress, type SipTarget, type TransportProtocol, Unresolved } from "@trunkline/sip"
import { Clock, Duration, Effect } from "effect"
import { LRUCache } from "lru-cache"
import { lookup, resolveSrv } from "node:dns/promises"
import { isIP } from "node:net"

/** A record of type SRV (RFC 2782). */
export interface SrvRecord {
  readonly name: string
  readonly port: number
  /** Lower values come first. */
  readonly priority: number
  /** Share of the requests among records of a priority. */
  readonly weight: number
}

/** Lookups of names; both reject where there are no records. */
export interface NameServer {
  readonly addresses: (name: string, family: 4 | 6 | 0) => Promise<ReadonlyArray<string>>
  readonly services: (name: string) => Promise<ReadonlyArray<SrvRecord>>
}

/** The names that this machine knows. */
const systemNames: NameServer = {
  addresses: async (name, family) => (await lookup(name, { all: true, family })).map(({ address }) => address),
  services: resolveSrv
}

/** Finds the addresses of a target, best first. */
export type Resolve = (target: SipTarget) => Effect.Effect<readonly [SipAddress, ...Array<SipAddress>], Unresolved>

/** Addresses of one target at most; more are of no use within the time of a call. */
const maxAddresses = 8

const keepMillis = Duration.toMillis("30 seconds")
const keepFailureMillis = Duration.toMillis("3 seconds")

/** Names that are kept at most. */
const maxNames = 1_000

/** Records in the order in which they are tried: by priority, then drawn by weight (RFC 2782). */
export const inServiceOrder = (records: ReadonlyArray<SrvRecord>, random: () => number): ReadonlyArray<SrvRecord> => {
  const rest = [...records].sort((one, other) => one.priority - other.priority || one.weight - other.weight)
  const orderedRecords: Array<SrvRecord> = []
  while (rest[0] !== undefined) {
    const { priority } = rest[0]
    const equals = rest.filter((record) => record.priority === priority)
    let draw = random() * equals.reduce((total, { weight }) => total + weight, 0)
    const chosenRecord = equals.find(({ weight }) => (draw -= weight) < 0) ?? equals.at(-1)
    if (chosenRecord === undefined) break
    orderedRecords.push(chosenRecord)
    rest.splice(rest.indexOf(chosenRecord), 1)
  }
  return orderedRecords
}

/** Names of the SRV records of each protocol (RFC 3263, section 4.1). */
const services: Readonly<Record<TransportProtocol, string>> = { udp: "_sip._udp", tcp: "_sip._tcp", tls: "_sips._tcp" }

interface Found {
  readonly addresses: ReadonlyArray<SipAddress>
  readonly until: number
}

/** Options of a resolver. */
export interface ResolverOptions {
  readonly names?: NameServer
  /** Family of addresses that the socket can reach; 0 for both. */
  readonly family?: 4 | 6 | 0
  /** Random numbers from 0 to 1, to draw among services of a priority. */
  readonly random?: () => number
}

/**
 * Makes a resolver for SIP targets, the subset of RFC 3263 without NAPTR: a literal is its own address; a name with a port
 * has A or AAAA records; a name without one has SRV records of its protocol, or else A or AAAA records and port 5060, or 5061
 * over TLS.
 * Without a protocol, SRV records of UDP and then of TCP are asked for. What is found is kept for 30 seconds.
 */
export const makeResolver = (
  { family = 0, names = systemNames, random = Math.random }: ResolverOptions = {}
): Resolve => {
  const cache = new LRUCache<string, Promise<Found>>({ max: maxNames })

  const addressesOf = async (name: string, port: number, protocol: TransportProtocol): Promise<Array<SipAddress>> =>
    (await names.addresses(name, family).catch(() => [])).map((host) => ({ protocol, host, port }))

  const servicesOf = async (host: string, protocol: TransportProtocol): Promise<Array<SipAddress>> => {
    const records = await names.services(`${services[protocol]}.${host}`).catch(() => [])
    const orderedRecords = inServiceOrder(records.filter(({ name }) => name !== "" && name !== "."), random)
    const addressLists = await Promise.all(orderedRecords.map(({ name, port }) => addressesOf(name, port, protocol)))
    return addressLists.flat()
  }

  const searchAddresses = async ({ host, port, protocol }: SipTarget): Promise<Array<SipAddress>> => {
    if (port !== undefined) return await addressesOf(host, port, protocol ?? "udp")
    for (const candidate of protocol === undefined ? (["udp", "tcp"] as const) : [protocol]) {
      const services = await servicesOf(host, candidate)
      if (services.length > 0) return services
    }
    return await addressesOf(host, defaultPort(protocol ?? "udp"), protocol ?? "udp")
  }

  /** Over TLS, the certificate is that of the name that was asked for, whatever the records say (RFC 5922, section 7.3). */
  const search = async (target: SipTarget): Promise<Array<SipAddress>> => {
    const addresses = await searchAddresses(target)
    return target.protocol === "tls" ? addresses.map((address) => ({ ...address, serverName: target.host })) : addresses
  }

  const find = async (target: SipTarget, now: number): Promise<Found> => {
    const key = `${target.protocol ?? ""} ${target.host.toLowerCase()} ${target.port ?? ""}`
    const before = cache.get(key)
    if (before !== undefined && (await before).until > now) return await before
    const searching = search(target).then((addresses) => ({
      addresses: addresses.slice(0, maxAddresses),
      until: now + (addresses.length > 0 ? keepMillis : keepFailureMillis)
    }))
    cache.set(key, searching)
    return await searching
  }

  return (target) => {
    const { host, protocol = "udp" } = target
    const { port = defaultPort(protocol) } = target
    if (isIP(host) !== 0) return Effect.succeed([{ protocol, host, port }])
    return Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const { addresses: [first, ...others] } = yield* Effect.promise(() => find(target, now))
      return first === undefined
        ? yield* new Unresolved({ reason: "the name of the server has no address" })
        : [first, ...others]
    })
  }
}
