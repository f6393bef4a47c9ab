import { PhoneNumber } from "@trunkline/kernel"
import {
  dialledNumber,
  type DigestCredentials,
  header,
  parseNameAddr,
  parseUri,
  phoneNumberOf,
  type SipRequest,
  type SipTarget,
  unescapeUri,
  type Uri
} from "@trunkline/sip"
import type { Connection } from "@trunkline/telephony"
import { Either, Redacted } from "effect"
import type { ConnectionSettings } from "../settings/ConnectionSettings.js"
import { fillTemplate } from "../settings/NumberTemplates.js"

/** A connection over SIP with its settings. */
export interface TrunkLine {
  readonly connection: Connection
  readonly settings: ConnectionSettings
}

/** Credentials of a line for its server; null without any. */
export const credentialsOf = ({ settings: { credentials } }: TrunkLine): DigestCredentials | null =>
  credentials && { username: credentials.user, password: Redacted.value(credentials.password) }

/** Where requests of a line are sent. */
export const nextHopOf = ({ settings: { outboundProxy, server } }: TrunkLine): SipTarget => outboundProxy ?? server

/** Settings that an answered call of a line needs. */
export const connectOptions = ({ settings: { options, values } }: TrunkLine) => ({
  natLatch: options.nat_latch,
  refer: options.refer,
  targetOf: (to: string): string => to.startsWith("+") ? fillTemplate(options.to_uri, to, values) : to
})

/** Number that stands for callers who hide theirs: ANONYMOUS on a keypad. */
const anonymousNumber = PhoneNumber.make("+266696687")

const uriIn = (value: string | undefined): Uri | null =>
  Either.getOrNull(Either.flatMap(parseNameAddr(value ?? ""), ({ uri }) => parseUri(uri)))

const userOf = (uri: Uri | null): string | null =>
  uri?._tag === "SipUri" && uri.user !== null ? unescapeUri(uri.user) : null

/** The number of a line that a URI dials: an alias, the number itself, or its last digits, at least seven. */
const numberIn = ({ connection, settings }: TrunkLine, uri: Uri | null): PhoneNumber | null => {
  const alias = settings.inbound?.aliases.get(userOf(uri) ?? "")
  if (alias !== undefined) return alias
  const digits = uri === null ? null : dialledNumber(uri)?.replace(/^\+|^00/, "") ?? null
  if (digits === null) return null
  const { phone_numbers } = connection
  const exact = phone_numbers.find((number) => number === `+${digits}`)
  const ending = phone_numbers.filter((number) => digits.length >= 7 && number.endsWith(digits.replace(/^0/, "")))
  return exact ?? (ending.length === 1 ? ending[0] ?? null : null)
}

/** The number of a line that an INVITE dials, by its Request-URI or else its To header; null when it is not of the line. */
export const dialledOn = (line: TrunkLine, request: SipRequest): PhoneNumber | null =>
  numberIn(line, Either.getOrNull(parseUri(request.uri))) ?? numberIn(line, uriIn(header(request, "to")))

/**
 * The caller of an INVITE: its P-Asserted-Identity, which only allowed addresses may send (RFC 3325), or else its From header;
 * `anonymousNumber` when they name no telephone number.
 */
export const callerOf = (
  { settings: { inbound, options } }: TrunkLine,
  request: SipRequest,
  source: string
): PhoneNumber => {
  for (const name of inbound?.isAllowed(source) === true ? ["p-asserted-identity", "from"] : ["from"]) {
    const uri = uriIn(header(request, name))
    const number = uri === null ? null : Either.getOrNull(phoneNumberOf(uri, options.inbound?.country))
    if (number !== null) return number
  }
  return anonymousNumber
}
