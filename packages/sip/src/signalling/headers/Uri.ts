import { Either } from "effect"
import { type HostPort, readHostPort, writeHostPort } from "./Host.js"
import { malformed, type MalformedHeader } from "./MalformedHeader.js"
import { type Params, readUriParams, writeParams } from "./Params.js"

/** SIP or SIPS URI (RFC 3261, section 19.1). Escapes such as `%20` are as they were sent; `unescapeUri` decodes them. */
export interface SipUri extends HostPort {
  readonly _tag: "SipUri"
  readonly scheme: "sip" | "sips"
  /** With its own parameters, such as `+14155551212;npdi`; null when there is none. */
  readonly user: string | null
  readonly password: string | null
  readonly params: Params
  /** Header fields of the request that the URI describes. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
}

/** Telephone number as a URI (RFC 3966). */
export interface TelUri {
  readonly _tag: "TelUri"
  /** With the visual separators that it had. */
  readonly number: string
  readonly params: Params
}

/** URI of a scheme that is not for telephony. */
export interface OtherUri {
  readonly _tag: "OtherUri"
  /** In lower case. */
  readonly scheme: string
  /** Everything behind the scheme and its colon. */
  readonly rest: string
}

export type Uri = SipUri | TelUri | OtherUri

const shape = /^([a-z][a-z\d+.-]*):([^\s<>"]+)$/i
/** Characters of a user or a password; `#`, which dial strings have, is tolerated. */
const userinfo = /^((?:[\w.!~*'()&=+$,;?/#-]|%[\da-f]{2})+)(?::((?:[\w.!~*'()&=+$,-]|%[\da-f]{2})*))?$/i
const telNumber = /([+\da-f().*#-]+)/iy

const readHeaders = (text: string): SipUri["headers"] | null => {
  const headers = text.split("&").map((entry) => entry.split("=", 2))
  return headers.every(([name, value]) => name !== "" && value !== undefined)
    ? headers.map(([name = "", value = ""]) => [name, value] as const)
    : null
}

const parseSip = (scheme: "sip" | "sips", text: string): Either.Either<SipUri, MalformedHeader> => {
  const at = text.indexOf("@")
  const [userinfoText, user = null, password = null] = at < 0 ? [""] : userinfo.exec(text.slice(0, at)) ?? []
  if (userinfoText === undefined) return malformed("A URI has a malformed user")
  const host = readHostPort(text, at + 1)
  if (host === null) return malformed("A URI has no valid host")
  const { end, params } = readUriParams(text, host.end)
  const headers = text.charAt(end) === "?" ? readHeaders(text.slice(end + 1)) : end === text.length ? [] : null
  return headers === null
    ? malformed("A URI is malformed behind its host")
    : Either.right({ _tag: "SipUri", scheme, user, password, ...host.value, params, headers })
}

const parseTel = (text: string): Either.Either<TelUri, MalformedHeader> => {
  telNumber.lastIndex = 0
  const [number = ""] = telNumber.exec(text) ?? []
  const { end, params } = readUriParams(text, number.length)
  return /\d|[*#]/.test(number) && end === text.length
    ? Either.right({ _tag: "TelUri", number, params })
    : malformed("A telephone number is malformed")
}

/**
 * Parses a URI without angle brackets. A URI of any other scheme than `sip`, `sips` and `tel` is returned unread.
 *
 * @example
 * ```ts
 * parseUri("sip:+919876543210@[2001:db8::1]:5070;transport=tcp")
 * ```
 */
export const parseUri = (text: string): Either.Either<Uri, MalformedHeader> => {
  const [, schemeText = "", rest = ""] = shape.exec(text) ?? []
  const scheme = schemeText.toLowerCase()
  if (scheme === "") return malformed("A URI is malformed")
  if (scheme === "sip" || scheme === "sips") return parseSip(scheme, rest)
  return scheme === "tel" ? parseTel(rest) : Either.right({ _tag: "OtherUri", scheme, rest })
}

/** Writes a URI without angle brackets. */
export const writeUri = (uri: Uri): string => {
  if (uri._tag === "OtherUri") return `${uri.scheme}:${uri.rest}`
  if (uri._tag === "TelUri") return `tel:${uri.number}${writeParams(uri.params)}`
  const { headers, params, password, scheme, user } = uri
  const userinfo = user === null ? "" : `${user}${password === null ? "" : `:${password}`}@`
  const writtenText = headers.map(([name, value]) => `${name}=${value}`).join("&")
  return `${scheme}:${userinfo}${writeHostPort(uri)}${writeParams(params)}${
    writtenText === "" ? "" : `?${writtenText}`
  }`
}

/** Decodes escapes such as `%40`. Bytes that are not UTF-8 stay escaped. */
export const unescapeUri = (text: string): string => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
