import { webAddressIssue } from "@trunkline/kernel"
import { Either, Option } from "effect"
import { isIPv4, isIPv6 } from "node:net"

interface Block {
  readonly base: bigint
  readonly shift: bigint
}

const v4Value = (ip: string): bigint => ip.split(".").reduce((value, part) => value * 256n + BigInt(part), 0n)

const v6Groups = (text: string): ReadonlyArray<string> => text === "" ? [] : text.split(":")

const v6Value = (ip: string): bigint => {
  const v4Part = /[^:]*\.[^:]*$/.exec(ip)?.[0]
  const plain = v4Part === undefined
    ? ip
    : ip.slice(0, -v4Part.length) +
      [v4Value(v4Part) >> 16n, v4Value(v4Part) & 0xffffn].map((n) => n.toString(16)).join(":")
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

/** Non-public IPv4 ranges (IANA IPv4 Special-Purpose Address Registry), and the host agent of Azure. */
const nonPublicV4 = [
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

/** The IPv6 range of public hosts (RFC 4291), and its non-public parts; the first contains Teredo, 2002::/16 is 6to4. */
const globalUnicast = block("2000::/3")
const nonPublicV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(block)

/** IPv6 ranges whose last 32 bits are an IPv4 address: IPv4-mapped, and NAT64 (RFC 6052). */
const embedsV4 = ["::ffff:0:0/96", "64:ff9b::/96"].map(block)

const isPublicV4 = (value: bigint): boolean => !nonPublicV4.some(isIn(value))

const isPublicV6 = (value: bigint): boolean =>
  embedsV4.some(isIn(value))
    ? isPublicV4(value & 0xffffffffn)
    : isIn(value)(globalUnicast) && !nonPublicV6.some(isIn(value))

/**
 * True if an IP address belongs to the public internet, so that URLs from callers may lead to it.
 *
 * Private, loopback, link-local, shared, multicast, documentation, reserved and metadata addresses are not public. An
 * IPv4-mapped or NAT64 address is as public as the IPv4 address in it. All of 6to4 and Teredo is rejected, because no
 * receivers use it. Text that is not an IP address, or names an interface (`%eth0`), is not public.
 */
export const isPublicAddress = (ip: string): boolean =>
  isIPv4(ip) ? isPublicV4(v4Value(ip)) : isIPv6(ip) && !ip.includes("%") && isPublicV6(v6Value(ip))

/** Rules for URLs, checked before the host is resolved. */
export interface UrlRules {
  /** Allows `http:` in addition to `https:`. */
  readonly allowInsecureUrls: boolean
  /** Allows every port. */
  readonly allowPrivateUrls: boolean
  /** Allowed ports below 1024 in addition to the default port of the scheme. */
  readonly allowedPorts: ReadonlyArray<number>
  /** True for allowed hosts, in the form of the URL standard. */
  readonly allow: (host: string) => boolean
}

const rejectionOf = (issue: string): Either.Either<never, string> => Either.left(`rejected URL: ${issue}`)

/** Parses with `new URL`: `URL.canParse` misreads names like "bücher.example" on Node 20 and 22 when it is called often. */
export const parseUrl = Option.liftThrowable((url: string, base?: URL) => new URL(url, base))

/** First port above the system ports (RFC 6335), which belong to mail, remote shells and similar services. */
const firstUserPort = 1024

const isPortAllowed = ({ port }: URL, { allowPrivateUrls, allowedPorts }: UrlRules): boolean =>
  port === "" || allowPrivateUrls || Number(port) >= firstUserPort || allowedPorts.includes(Number(port))

/**
 * Parses a URL and checks it against the rules. A rejection has a reason that does not repeat the URL.
 *
 * In addition to the rules for webhook URLs it checks the port, so that no request reaches a mail server, and the allowed
 * hosts, if there are any.
 */
export const guardedUrl = (url: string, rules: UrlRules): Either.Either<URL, string> => {
  const parsedUrl = Option.getOrNull(parseUrl(url))
  const issue = webAddressIssue(parsedUrl?.href ?? "", rules)
  if (parsedUrl === null || issue !== null) return rejectionOf(issue ?? "Should be an absolute https URL")
  if (!isPortAllowed(parsedUrl, rules)) return rejectionOf("Should have no port, or one that is allowed")
  return rules.allow(parsedUrl.hostname) ? Either.right(parsedUrl) : rejectionOf("Should have a host that is allowed")
}
