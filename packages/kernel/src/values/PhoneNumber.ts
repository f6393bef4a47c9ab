import { Either, Schema } from "effect"
import { type CountryCode, isSupportedCountry, Metadata, parsePhoneNumberFromString } from "libphonenumber-js/max"

/** A phone number in E.164: `+` and 7 to 15 digits, country code first. */
export const PhoneNumber = Schema.String.pipe(
  Schema.pattern(/^\+[1-9]\d{6,14}$/, { message: () => "Must be a phone number in E.164, such as +919876543210" }),
  Schema.brand("PhoneNumber")
)
export type PhoneNumber = typeof PhoneNumber.Type

/** Two-letter ISO 3166 code of the country to which a number without a country code belongs. */
export type PhoneCountry = CountryCode

/** True for the upper-case code of a country with a numbering plan. */
export const isPhoneCountry = (text: string): text is PhoneCountry => isSupportedCountry(text)

/**
 * Reason for which text is not a phone number: `missing` (empty), `invalid` (not assignable by the numbering plan) or
 * `scientific_notation` (a spreadsheet wrote it as `9.1987E+11` and lost the last digits).
 */
export type PhoneRejection = "missing" | "invalid" | "scientific_notation"

const isPhoneNumber = Schema.is(PhoneNumber)

/** Kinds of UTF-16 code units in a written number: 0 to 9 are the digits, these are the others. */
const separator = 10
const plusSign = 11
const point = 12
const apostrophe = 13
const other = 14

/** Zero digits of the Indian scripts, of Arabic, Persian and full-width digits; digits 1 to 9 follow each of them. */
const zeros = "0٠۰०০੦૦୦௦౦೦൦෦᱀᱐꯰０"

/**
 * Ranges of characters that are ignored between digits: spaces, brackets, dashes, and the invisible marks that
 * spreadsheets and chat exports leave (joiners, direction marks, soft hyphens, byte order marks).
 */
const separators =
  "\t\r  ()--\u00a0\u00a0\u00ad\u00ad\u061c\u061c\u1680\u1680\u180e\u180e\u2000\u2015\u2028\u202f\u205f\u2069" +
  "\u2212\u2212\u3000\u3000\ufe58\ufe58\ufe63\ufe63\ufeff\ufeff（）\uff0d\uff0d"

const kinds = new Uint8Array(0x10000).fill(other)
for (let pair = 0; pair < separators.length; pair += 2) {
  kinds.fill(separator, separators.charCodeAt(pair), separators.charCodeAt(pair + 1) + 1)
}
for (const zero of zeros) {
  for (let digit = 0; digit < 10; digit += 1) kinds[zero.charCodeAt(0) + digit] = digit
}
for (const [kind, characters] of [[plusSign, "+＋﹢"], [point, ".．"], [apostrophe, "'‘’"]] as const) {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind
}

/**
 * Fast path for the common case, some fifty times as fast as numbering plans: an Indian mobile number of ten digits,
 * alone or after `0`, `91`, `091`, `+91` or `0091`. Null means undecided.
 */
const parseIndianMobile = (raw: string, country: PhoneCountry): string | null => {
  let value = 0
  let digits = 0
  let leadingZeros = 0
  let plus = false
  let asDigits = true
  let digitsBeforePoint = -1
  let valueBeforePoint = 0
  for (let index = 0; index < raw.length; index += 1) {
    const code = raw.charCodeAt(index)
    const kind = kinds[code] ?? other
    if (kind < separator) {
      value = value * 10 + kind
      digits += 1
      if (value === 0) leadingZeros += 1
      if (code > 0x7f) asDigits = false
      continue
    }
    if (kind === plusSign && digits === 0 && !plus) {
      plus = true
      continue
    }
    asDigits = false
    if (kind === point && digitsBeforePoint < 0) {
      digitsBeforePoint = digits
      valueBeforePoint = value
    } else if (kind !== separator && !(kind === apostrophe && index === 0)) return null
  }
  const decimals = digitsBeforePoint < 0 ? 0 : digits - digitsBeforePoint
  if ((decimals === 1 || decimals === 2) && value === valueBeforePoint * 10 ** decimals) value = valueBeforePoint
  const local = country === "IN" && !plus && leadingZeros < 2
  const abroad = leadingZeros === (plus ? 0 : 2)
  const mobile = value >= 916e9 && value < 920e9 && (local || abroad) ? value - 910e9 : local ? value : 0
  if (mobile < 6e9 || mobile >= 1e10) return null
  return `+91${asDigits ? raw.slice(-10) : mobile}`
}

/** Longest number with every prefix, in characters. */
const maxLength = 40

const scientific = /^\+?\d+(?:[.,]\d+)?e\+?\d+$/i
const decimal = /^(\+?\d+)\.0{1,2}$/

/** Rewrites a number in ASCII and without separators; stops once it is too long to be one. */
const toAscii = (raw: string): string => {
  let text = ""
  for (let index = 0; index < raw.length && text.length <= maxLength; index += 1) {
    const kind = kinds[raw.charCodeAt(index)] ?? other
    if (kind < separator) text += kind
    else if (kind === plusSign) text += "+"
    else if (kind === point) text += "."
    else if (kind === other || (kind === apostrophe && text !== "")) text += raw.charAt(index)
  }
  return text
}

/**
 * True if parsing the result again does not change it, as it would for a number with two trunk prefixes. India's trunk
 * prefix is `0`, so most numbers need no second parse.
 */
const isStable = (number: string): boolean =>
  /^\+91[1-9]/.test(number) || parsePhoneNumberFromString(number)?.number === number

/** Length of the shortest number of each country, in digits. */
const minLengths = new Map<PhoneCountry, number>()

const minLengthOf = (country: PhoneCountry): number => {
  const cachedLength = minLengths.get(country)
  if (cachedLength !== undefined) return cachedLength
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country)
  const digits = Math.min(...metadata.numberingPlan?.possibleLengths() ?? [0])
  minLengths.set(country, digits)
  return digits
}

/**
 * Country code whose numbers are checked as those without one. The numbering plan lists lengths from 8 to 13 digits, so that
 * the length alone would accept a number with a digit too few or too many.
 */
const indianCode = "91"

/** Parses a number by its country's numbering plan: landlines, toll-free and foreign numbers. */
const parseAssignable = (number: string, country: PhoneCountry): string | undefined => {
  if (number.length < minLengthOf(country) && !number.startsWith("+")) return undefined
  const parsedNumber = parsePhoneNumberFromString(number, country)
  const isAbroad = number.startsWith("+") && parsedNumber?.countryCallingCode !== indianCode
  const fits = isAbroad ? parsedNumber?.isPossible() : parsedNumber?.isValid()
  return fits === true && (parsedNumber?.number === number || isStable(parsedNumber?.number ?? ""))
    ? parsedNumber?.number
    : undefined
}

const parseByPlan = (raw: string, country: PhoneCountry): Either.Either<PhoneNumber, PhoneRejection> => {
  const text = toAscii(raw)
  if (scientific.test(text)) return Either.left("scientific_notation")
  const number = text.replace(decimal, "$1").replaceAll(".", "").replace(/^00/, "+")
  if (number === "") return Either.left("missing")
  if (number.length > maxLength || !/^\+?\d+$/.test(number)) return Either.left("invalid")
  const parsedText = parseAssignable(number, country) ??
    (number.startsWith("0") ? parseAssignable(number.slice(1), country) : undefined)
  return isPhoneNumber(parsedText) ? Either.right(parsedText) : Either.left("invalid")
}

/** A number as a link (RFC 3966) without parameters, or in the formula by which spreadsheets keep it a text: `="98…"`. */
const wrappedPattern = /^\s*(?:tel:(.+)|="(.*)")\s*$/i

/** True for texts that may be wrapped, which is found quickly for the others. */
const isWrapped = (text: string): boolean => /^\s*[t=]/i.test(text)

/**
 * Normalises a phone number, as people and spreadsheets write it, to E.164.
 *
 * Spaces, dashes, brackets, points, invisible characters and a leading apostrophe are ignored, and so are `tel:` in
 * front and the formula of a text (`="98…"`); digits may be of any Indian script. One or two zeros after the only point are decimals that a program added. A leading `00` means `+`.
 *
 * A number with neither prefix belongs to `country` and has to be assignable by its numbering plan, unless it already
 * starts with that country's code; a leading `0` is dropped if the plan has no trunk prefix. A number with a country code
 * needs a length that this country uses; with `+91` it has to be assignable as well. Extensions are rejected: they cannot be dialled, and the number without its
 * extension reaches someone else.
 *
 * @example
 * ```ts
 * normalizePhone("098765 43210") // Either.right("+919876543210")
 * ```
 */
export const normalizePhone = (
  writtenText: string,
  country: PhoneCountry = "IN"
): Either.Either<PhoneNumber, PhoneRejection> => {
  const raw = isWrapped(writtenText) ? writtenText.replace(wrappedPattern, "$1$2") : writtenText
  const mobile = parseIndianMobile(raw, country)
  return mobile === null
    ? parseByPlan(raw, country)
    : Either.right(PhoneNumber.make(mobile, { disableValidation: true }))
}

/** Masks all but the last four digits: `******3210`. Logs and errors show phone numbers in this form only. */
export const maskPhone = (number: string): string => number.length < 8 ? "******" : `******${number.slice(-4)}`
