import { Either } from "effect"
import { parseNameAddr } from "../headers/NameAddr.js"
import { param } from "../headers/Params.js"
import { parseUri, type SipUri, writeUri } from "../headers/Uri.js"
import { isTransportProtocol, type SipTarget } from "../transport/SipTransport.js"

/** Way of a request: its Request-URI, its Route headers, and the URI of the next hop. */
export interface SipRoute {
  readonly uri: string
  readonly routes: ReadonlyArray<string>
  readonly hop: string
}

const sipUriOf = (uri: string): SipUri | undefined => {
  const result = parseUri(uri)
  return Either.isRight(result) && result.right._tag === "SipUri" ? result.right : undefined
}

const uriOf = (address: string): string =>
  Either.match(parseNameAddr(address), { onLeft: () => address, onRight: ({ uri }) => uri })

/** A URI as a Request-URI: without what has no place there (RFC 3261, table 1). */
const asRequestUri = (uri: string): string => {
  const sip = sipUriOf(uri)
  if (sip === undefined) return uri
  return writeUri({ ...sip, headers: [], params: sip.params.filter(([name]) => name !== "method") })
}

/**
 * Finds the way to a target along the values of a route set (RFC 3261, sections 12.2.1.1 and 16.12): a loose router (`;lr`)
 * is named in Route; a strict router gets the Request-URI, and the target comes last.
 */
export const routeTo = (target: string, routes: ReadonlyArray<string>): SipRoute => {
  const [first, ...rest] = routes
  if (first === undefined) return { uri: asRequestUri(target), routes: [], hop: target }
  const hop = uriOf(first)
  const isLoose = param(sipUriOf(hop)?.params ?? [], "lr") !== undefined
  return isLoose
    ? { uri: asRequestUri(target), routes, hop }
    : { uri: asRequestUri(hop), routes: [...rest, `<${target}>`], hop }
}

/**
 * Host, port and protocol that a URI names (RFC 3263, section 4); undefined for a URI that cannot be reached, such as `tel:`.
 * `sips:` is reached over TLS.
 */
export const targetOf = (uri: string): SipTarget | undefined => {
  const sip = sipUriOf(uri)
  const transport = param(sip?.params ?? [], "transport")?.toLowerCase()
  if (sip === undefined || (transport !== undefined && !isTransportProtocol(transport))) return undefined
  if (sip.scheme === "sips" && transport === "udp") return undefined
  const protocol = sip.scheme === "sips" ? "tls" : transport
  return {
    host: param(sip.params, "maddr") ?? sip.host,
    ...(sip.port === null ? {} : { port: sip.port }),
    ...(protocol === undefined ? {} : { protocol })
  }
}
