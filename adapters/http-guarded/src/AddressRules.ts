import { isIPv4, isIPv6 } from "node:net"

interface Block {
  readonly base: bigint
  readonly shift: bigint
}

const v4Value = (ip: string): bigint => ip.split(".").reduce((value, part) => value * 256n + BigInt(part), 0n)

const v6Groups = (text: string): ReadonlyArray<string> => text === "" ? [] : text.split(":")

const v6Value = (ip: string): bigint => {
  const dotted = /[^:]*\.[^:]*$/.exec(ip)?.[0]
  const plain = dotted === undefined
    ? ip
    : ip.slice(0, -dotted.length) +
      [v4Value(dotted) >> 16n, v4Value(dotted) & 0xffffn].map((n) => n.toString(16)).join(":")
  const [head = "", tail] = plain.split("::")
  const left = v6Groups(head)
  const right = v6Groups(tail ?? "")
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0")
  return [...left, ...zeros, ...right].reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n)
}

const block = (cidr: string): Block => {
  const [ip = "", bits = ""] = cidr.split("/")
  const v4 = isIPv4(ip)
  const shift = BigInt((v4 ? 32 : 128) - Number(bits))
  return { base: (v4 ? v4Value(ip) : v6Value(ip)) >> shift, shift }
}

const isIn = (value: bigint) => ({ base, shift }: Block): boolean => value >> shift === base

/** IPv4 ranges that lead nowhere public (IANA special-purpose registry), and one cloud's host agent. */
const closedV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4"
].map(block)

/** The only IPv6 range with public hosts (RFC 4291), less its special parts; the first holds Teredo, 2002 is 6to4. */
const globalUnicast = block("2000::/3")
const closedV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(block)

/** IPv6 ranges whose last 32 bits are the IPv4 address that is really meant: mapped, and NAT64 (RFC 6052). */
const carriesV4 = ["::ffff:0:0/96", "64:ff9b::/96"].map(block)

const isPublicV4 = (value: bigint): boolean => !closedV4.some(isIn(value))

const isPublicV6 = (value: bigint): boolean =>
  carriesV4.some(isIn(value))
    ? isPublicV4(value & 0xffffffffn)
    : isIn(value)(globalUnicast) && !closedV6.some(isIn(value))

/**
 * Whether an IP address belongs to the public internet, so that a caller's URL may lead there.
 *
 * Takes the usual text forms of both families. Private, loopback, link-local, shared, multicast,
 * documentation, reserved and metadata addresses are not public; an IPv4-mapped or NAT64 address is what the
 * IPv4 address inside it is; 6to4 and Teredo are refused whole, since no receiver lives behind them. What is
 * no IP address, or names an interface (`%eth0`), is not public.
 */
export const isPublicAddress = (ip: string): boolean =>
  isIPv4(ip) ? isPublicV4(v4Value(ip)) : isIPv6(ip) && !ip.includes("%") && isPublicV6(v6Value(ip))
