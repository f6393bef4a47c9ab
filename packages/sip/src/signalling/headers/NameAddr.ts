import { Either } from "effect"
import { malformed, type MalformedHeader } from "./MalformedHeader.js"
import { param, type Params, quoteText, readParams, unquote, writeParams } from "./Params.js"

/**
 * An address with an optional name: a value of From, To, Contact, Route, Record-Route, Refer-To or P-Asserted-Identity
 * (RFC 3261, section 20.10).
 */
export interface NameAddr {
  /** Without quotes; empty when there is none. */
  readonly displayName: string
  /** As it was sent, without angle brackets; `parseUri` parses it. */
  readonly uri: string
  /** Parameters of the header field, such as `tag`; those of the URI stay in the URI. */
  readonly params: Params
}

const quotedName = /[ \t]*("(?:[^"\\]|\\[^])*")[ \t]*</y
const bareName = /([\w.!%*+`'~\u0080-\uffff \t-]*)</y
const bareUri = /[ \t]*([^\s;,?<>"]+)/y
const uriShape = /^[a-z][a-z\d+.-]*:[^\s<>"]+$/i

const inBrackets = (text: string, from: number, displayName: string): Either.Either<NameAddr, MalformedHeader> => {
  const end = text.indexOf(">", from)
  if (end < 0) return malformed("An address has no closing bracket")
  const uri = text.slice(from, end).trim()
  if (!uriShape.test(uri)) return malformed("An address has no valid URI")
  const params = readParams(text, end + 1)
  return params === null ? malformed("An address has malformed parameters") : Either.right({ displayName, uri, params })
}

/**
 * Parses an address with its name and parameters. Without angle brackets, parameters belong to the header field, and the
 * URI must have neither commas nor headers (RFC 3261, section 20.10). `Contact: *` is not an address.
 */
export const parseNameAddr = (text: string): Either.Either<NameAddr, MalformedHeader> => {
  quotedName.lastIndex = 0
  const quotedMatch = quotedName.exec(text)
  if (quotedMatch !== null) return inBrackets(text, quotedMatch[0].length, unquote(quotedMatch[1] ?? ""))
  bareName.lastIndex = 0
  const bare = bareName.exec(text)
  if (bare !== null) return inBrackets(text, bare[0].length, (bare[1] ?? "").trim())
  bareUri.lastIndex = 0
  const [uriText = "", uri = ""] = bareUri.exec(text) ?? []
  if (!uriShape.test(uri)) return malformed("An address is malformed")
  const params = readParams(text, uriText.length)
  return params === null ? malformed("An address is malformed") : Either.right({ displayName: "", uri, params })
}

/** Writes an address, always with angle brackets, and its name in quotes. */
export const writeNameAddr = ({ displayName, params, uri }: NameAddr): string =>
  `${displayName === "" ? "" : `${quoteText(displayName)} `}<${uri}>${writeParams(params)}`

/** Tag of a value of From or To (RFC 3261, section 19.3); null if it has none or is malformed. */
export const tagOf = (text: string): string | null =>
  Either.match(parseNameAddr(text), { onLeft: () => null, onRight: ({ params }) => param(params, "tag") ?? null })
