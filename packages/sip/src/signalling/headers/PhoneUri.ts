import { normalizePhone, type PhoneCountry, type PhoneNumber, type PhoneRejection } from "@trunkline/kernel"
import { Either } from "effect"
import { unescapeUri, type Uri } from "./Uri.js"

const phoneContext = /;phone-context=([^;]*)/i

const withoutSeparators = (text: string): string => text.replace(/[-.()\s]/g, "")

/**
 * Telephone number that a URI names: `+` and digits if it is global, otherwise digits, `*` and `#` as they would be
 * dialled; null if it names none. Both `tel:` URIs and users of SIP URIs are read: without visual separators and
 * parameters such as `;npdi`, and behind a `phone-context` that begins with `+` (RFC 3966, sections 5.1.4 and 5.1.5; RFC
 * 3261, section 19.1.6).
 *
 * @example
 * ```ts
 * Either.map(parseUri("sip:+1-415-555-1212;npdi@example.com"), dialledNumber) // "+14155551212"
 * ```
 */
export const dialledNumber = (uri: Uri): string | null => {
  if (uri._tag === "OtherUri" || uri._tag === "SipUri" && uri.user === null) return null
  const text = uri._tag === "SipUri"
    ? unescapeUri(uri.user ?? "")
    : uri.number + uri.params.map(([name, value]) => `;${name}=${unescapeUri(value ?? "")}`).join("")
  const number = withoutSeparators(text.split(";", 1)[0] ?? "")
  if (!/^(?:\+\d+|[\d*#]+)$/.test(number)) return null
  const context = withoutSeparators(phoneContext.exec(text)?.[1] ?? "")
  return /^\+\d+$/.test(context) && !number.startsWith("+") ? context + number : number
}

/**
 * Telephone number that a URI names in E.164. A number that is not global belongs to the country, and may have its trunk
 * prefix or its country code. Fails with `missing` if the URI names no number.
 */
export const phoneNumberOf = (uri: Uri, country?: PhoneCountry): Either.Either<PhoneNumber, PhoneRejection> => {
  const number = dialledNumber(uri)
  return number === null ? Either.left("missing") : normalizePhone(number, country)
}
