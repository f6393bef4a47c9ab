import type { Params } from "./Params.js"
import { type SipUri, unescapeUri, type Uri, writeUri } from "./Uri.js"

/** Parameters that make URIs differ when only one of them has it. */
const distinguishing = new Set(["user", "ttl", "method", "maddr", "transport"])

const valuesOf = (entries: ReadonlyArray<readonly [string, string | null]>): ReadonlyMap<string, string> =>
  new Map(entries.map(([name, value]) => [unescapeUri(name).toLowerCase(), unescapeUri(value ?? "").toLowerCase()]))

const sameParams = (left: Params, right: Params): boolean => {
  const [one, other] = [valuesOf(left), valuesOf(right)]
  return [...one.keys(), ...other.keys()].every((name) =>
    one.has(name) && other.has(name) ? one.get(name) === other.get(name) : !distinguishing.has(name)
  )
}

const sameHeaders = (left: SipUri["headers"], right: SipUri["headers"]): boolean => {
  const [one, other] = [valuesOf(left), valuesOf(right)]
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value)
}

const sameText = (left: string | null, right: string | null): boolean =>
  left === right || left !== null && right !== null && unescapeUri(left) === unescapeUri(right)

/**
 * Compares two URIs (RFC 3261, section 19.1.4): the case of users counts, that of hosts and parameters does not; a default
 * port differs from none; a parameter that only one of them has is ignored unless it says where or how to send.
 */
export const sameUri = (left: Uri, right: Uri): boolean => {
  if (left._tag !== "SipUri" || right._tag !== "SipUri") return writeUri(left) === writeUri(right)
  return left.scheme === right.scheme && sameText(left.user, right.user) && sameText(left.password, right.password) &&
    left.host === right.host && left.port === right.port && sameParams(left.params, right.params) &&
    sameHeaders(left.headers, right.headers)
}
