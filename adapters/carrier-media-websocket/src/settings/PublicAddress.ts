import { createHmac, timingSafeEqual } from "node:crypto"
import { BlockList, isIPv6 } from "node:net"
import type { CommonSettings } from "./ConnectionOptions.js"

/** Request of a provider, as far as its address matters. */
export interface AddressedRequest {
  /** Path and query below the prefix of the host. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly remoteAddress: string | null
}

const lastOf = (list: string | undefined): string | undefined => list?.split(",").at(-1)?.trim() || undefined

/**
 * Address that a provider has asked for, which its signature covers. It is `public_url`, unless a proxy that is trusted tells
 * another one; what it tells does not count where it is no address.
 */
export const askedAddress = (settings: CommonSettings, { headers, url }: AddressedRequest): string => {
  const host = settings.trust_forwarded ? lastOf(headers["x-forwarded-host"]) : undefined
  const proto = lastOf(headers["x-forwarded-proto"]) ?? "https"
  const toldText = `${proto}://${host}${prefixOf(settings, headers["x-forwarded-prefix"])}${url}`
  return host === undefined || !URL.canParse(toldText) ? `${baseOf(settings)}${url}` : toldText
}

/**
 * Path before that of a request: that of `public_url`, since a host may be mounted below the prefix that a proxy has taken off. It is
 * the prefix alone where `public_url` does not begin with it.
 */
const prefixOf = (settings: CommonSettings, forwardedPrefix = ""): string => {
  const path = new URL(baseOf(settings)).pathname.replace(/\/+$/, "")
  const prefix = forwardedPrefix.replace(/\/+$/, "")
  return `${path}/`.startsWith(`${prefix}/`) ? path : prefix
}

const baseOf = ({ public_url }: CommonSettings): string => public_url.replace(/\/+$/, "")

/** Address of the requests of a provider about the calls of a line. */
export const eventsAddress = (
  settings: CommonSettings,
  connection_id: string,
  query: Readonly<Record<string, string>>
): string =>
  `${baseOf(settings)}/v1/connections/${encodeURIComponent(connection_id)}/events?${new URLSearchParams(query)}`

/** Address of the WebSocket of a call. */
export const streamAddress = (settings: CommonSettings, connection_id: string, token: string): string =>
  `${baseOf(settings).replace(/^http/, "ws")}/v1/connections/${encodeURIComponent(connection_id)}/streams/${token}`

/** True when a request comes from an address that the settings allow. */
export const isAllowedAddress = (
  { allowed_addresses, trust_forwarded }: CommonSettings,
  { headers, remoteAddress }: AddressedRequest
): boolean => {
  if (allowed_addresses === undefined) return true
  const forwardedAddress = trust_forwarded ? lastOf(headers["x-forwarded-for"]) : undefined
  const address = (forwardedAddress ?? remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "")
  const allowList = new BlockList()
  for (const network of allowed_addresses) {
    const [net = "", bits] = network.split("/")
    const family = isIPv6(net) ? "ipv6" : "ipv4"
    if (bits === undefined) allowList.addAddress(net, family)
    else allowList.addSubnet(net, Number(bits), family)
  }
  try {
    return allowList.check(address, isIPv6(address) ? "ipv6" : "ipv4")
  } catch {
    return false
  }
}

/**
 * Makes the token of a call's stream, or of a line's requests: nobody can guess it without the secret, and a process that
 * starts again after a crash makes the same one.
 */
export const tokenFor = (secret: string, about: string): string =>
  createHmac("sha256", secret).update(`trunkline:${about}`).digest("base64url")

/** Compares two texts in a time that does not depend on where they differ. */
export const isSameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
