import { LRUCache } from "lru-cache"
import { BlockList, isIP } from "node:net"
import { networkInterfaces } from "node:os"

/** Family of an IP literal. */
export const familyOf = (host: string): "ipv4" | "ipv6" => isIP(host) === 6 ? "ipv6" : "ipv4"

/** An IPv6 address that stands for an IPv4 address, as that address; others as they are, without their zone. */
export const plainAddress = (host: string): string => {
  const mappedMatch = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(host)
  return mappedMatch?.[1] ?? host.replace(/%.*$/, "")
}

/** True for an address that stands for all addresses of the machine. */
export const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::"

interface Interface {
  readonly address: string
  readonly network: BlockList
  readonly isInternal: boolean
}

const interfacesOf = (family: "ipv4" | "ipv6"): ReadonlyArray<Interface> =>
  Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address, cidr, internal }) => {
      if (cidr === null || familyOf(address) !== family) return []
      const network = new BlockList()
      network.addSubnet(address, Number(cidr.split("/")[1]), family)
      return [{ address, network, isInternal: internal }]
    })
  )

/** Addresses of peers that are remembered. */
const maxPeers = 10_000

/** Addresses of this machine, seen from its peers. */
export interface LocalAddresses {
  /** Address at which a peer reaches a socket. */
  readonly towards: (peer: string) => string
}

/**
 * Makes the addresses under which peers reach a socket: `bindAddress`, or where that is a wildcard, the address of the interface
 * in whose network the peer is. Peers outside of all those networks reach it at `advertised`, if there is one.
 */
export const makeLocalAddresses = (
  { advertised, bindAddress }: { readonly bindAddress: string; readonly advertised?: string | undefined }
): LocalAddresses => {
  const cache = new LRUCache<string, string>({ max: maxPeers, memoMethod: (peer) => find(peer) })

  const find = (peer: string): string => {
    const family = familyOf(peer)
    const interfaces = interfacesOf(family)
    const near = interfaces.find(({ network }) => network.check(peer, family))
    const localInterface = near ?? interfaces.find(({ isInternal }) => !isInternal) ?? interfaces[0]
    if (near === undefined && advertised !== undefined) return advertised
    return isWildcard(bindAddress) ? localInterface?.address ?? bindAddress : bindAddress
  }

  return {
    towards: (peer) => cache.memo(peer)
  }
}
