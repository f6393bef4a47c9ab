import { Either, Schema } from "effect"
import { type CountryCode, isSupportedCountry, Metadata, parsePhoneNumberFromString } from "libphonenumber-js/max"

/** A telephone number in E.164: `+`, country code and number, 7 to 15 digits in all (shapes 0.2). */
export const PhoneNumber = Schema.String.pipe(
  Schema.pattern(/^\+[1-9]\d{6,14}$/, { message: () => "Must be a phone number in E.164, such as +919876543210" }),
  Schema.brand("PhoneNumber")
)
export type PhoneNumber = typeof PhoneNumber.Type

/** A country by its ISO 3166 code of two letters, where numbers without a country code belong. */
export type PhoneCountry = CountryCode

/** Whether a text is the code of a country that has phone numbers, in capitals. */
export const isPhoneCountry = (text: string): text is PhoneCountry => isSupportedCountry(text)

/**
 * Why a written number is not a phone number: nothing there, not a number that can be assigned, or a number that a
 * spreadsheet turned into `9.1987E+11`, which has lost its last digits.
 */
export type PhoneRejection = "missing" | "invalid" | "scientific_notation"

const isPhoneNumber = Schema.is(PhoneNumber)

/** What a UTF-16 code unit is in a written number: 0 to 9 are digits, these are the rest. */
const separator = 10
const plusSign = 11
const point = 12
const apostrophe = 13
const other = 14

/** The zeros of the scripts of India, of Arabic, Persian and full-width digits; the other nine digits follow each. */
const zeros = "0٠۰०০੦૦୦௦౦೦൦෦᱀᱐꯰０"

/**
 * What may stand between digits and means nothing, from and to: spaces of every width, brackets, dashes of every kind,
 * and the invisible marks that spreadsheets and chat exports leave (joiners, directions, soft hyphens, byte order marks).
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
 * The ordinary case, some fifty times as fast as numbering plans: an Indian mobile by its ten digits alone or after
 * `0`, `91`, `091`, `+91` or `0091`. Null for everything else, which says nothing yet.
 */
const indianMobile = (raw: string, country: PhoneCountry): string | null => {
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

/** No number needs more characters, whatever stands before it. */
const longest = 40

const scientific = /^\+?\d+(?:[.,]\d+)?e\+?\d+$/i
const decimal = /^(\+?\d+)\.0{1,2}$/

/** A written number in ASCII and without separators; cut where it is too long to be one. */
const plainly = (raw: string): string => {
  let text = ""
  for (let index = 0; index < raw.length && text.length <= longest; index += 1) {
    const kind = kinds[raw.charCodeAt(index)] ?? other
    if (kind < separator) text += kind
    else if (kind === plusSign) text += "+"
    else if (kind === point) text += "."
    else if (kind === other || (kind === apostrophe && text !== "")) text += raw.charAt(index)
  }
  return text
}

/**
 * Whether nothing more is taken from a number that is read again, as from one with two trunk prefixes. India's is `0`, so
 * that most numbers need no second reading.
 */
const isSettled = (number: string): boolean =>
  /^\+91[1-9]/.test(number) || parsePhoneNumberFromString(number)?.number === number

/** How many digits the shortest numbers of a country have. */
const shortest = new Map<PhoneCountry, number>()

const shortestOf = (country: PhoneCountry): number => {
  const known = shortest.get(country)
  if (known !== undefined) return known
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country)
  const digits = Math.min(...metadata.numberingPlan?.possibleLengths() ?? [0])
  shortest.set(country, digits)
  return digits
}

/** Landlines, toll-free and foreign numbers, by their countries' numbering plans; mobiles come out as above. */
const assignable = (number: string, country: PhoneCountry): string | undefined => {
  if (number.length < shortestOf(country) && !number.startsWith("+")) return undefined
  const parsed = parsePhoneNumberFromString(number, country)
  const fits = number.startsWith("+") ? parsed?.isPossible() : parsed?.isValid()
  return fits === true && (parsed?.number === number || isSettled(parsed?.number ?? "")) ? parsed?.number : undefined
}

const byPlan = (raw: string, country: PhoneCountry): Either.Either<PhoneNumber, PhoneRejection> => {
  const text = plainly(raw)
  if (scientific.test(text)) return Either.left("scientific_notation")
  const number = text.replace(decimal, "$1").replaceAll(".", "").replace(/^00/, "+")
  if (number === "") return Either.left("missing")
  if (number.length > longest || !/^\+?\d+$/.test(number)) return Either.left("invalid")
  const found = assignable(number, country) ??
    (number.startsWith("0") ? assignable(number.slice(1), country) : undefined)
  return isPhoneNumber(found) ? Either.right(found) : Either.left("invalid")
}

/**
 * Reads a phone number as people and spreadsheets write it (shapes 4.4).
 *
 * Spaces, dashes, brackets, points and invisible characters do not count, nor does an apostrophe in front; digits may
 * be of any Indian script. One or two zeros after the only point are decimals that a program added, not digits. `00`
 * in front is `+`. Without either, the number belongs to `country` and has to be assignable by its plan, unless it
 * already is a full number with that country's code; a leading `0` falls away where the plan has none. A number with
 * its country code has to have a length that this country knows. An extension is refused: nothing here could dial it,
 * and the number without it reaches somebody else.
 */
export const normalisePhone = (
  raw: string,
  country: PhoneCountry = "IN"
): Either.Either<PhoneNumber, PhoneRejection> => {
  const mobile = indianMobile(raw, country)
  return mobile === null
    ? byPlan(raw, country)
    : Either.right(PhoneNumber.make(mobile, { disableValidation: true }))
}

/** A phone number with all but its last four digits hidden: `******3210`. The only form for logs and errors. */
export const maskPhone = (number: string): string => number.length < 8 ? "******" : `******${number.slice(-4)}`
