import { Either, Schema } from "effect"
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max"

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

const indianMobile = /^(?:\+91|91|0)?([6-9]\d{9})$/
const scientific = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i
const isPhoneNumber = Schema.is(PhoneNumber)

/** The zeros of the scripts that have digits of their own, Arabic and full-width ones included. */
const zeros = Array.from("٠۰०০੦૦୦௦౦೦൦෦᱀꯰０", (zero) => zero.charCodeAt(0))

const asciiDigit = (digit: string): string => {
  const code = digit.charCodeAt(0)
  const zero = zeros.find((zero) => code >= zero && code < zero + 10)
  return zero === undefined ? digit : String(code - zero)
}

/**
 * Reads a phone number as people and spreadsheets write it (shapes 4.4).
 *
 * Spaces and `-().` do not count, nor does an apostrophe in front; digits may be of any Indian script. `00` in front
 * is `+`. Without either, one leading `0` falls away and the number belongs to `country` unless it already is a
 * full number with that country's code. A number with its country code has to have a length that this country knows;
 * one without has to be assignable by the plan of `country`.
 */
export const normalisePhone = (
  raw: string,
  country: PhoneCountry = "IN"
): Either.Either<PhoneNumber, PhoneRejection> => {
  const text = raw.replace(/[^\P{Nd}0-9]/gu, asciiDigit).trim().replace(/^'/, "")
  const number = text.replace(/[\s\-().]+/g, "").replace(/^00/, "+")
  const mobile = country === "IN" ? indianMobile.exec(number) : null
  if (mobile !== null) return Either.right(PhoneNumber.make(`+91${mobile[1]}`, { disableValidation: true }))
  if (number === "") return Either.left("missing")
  if (scientific.test(text.trim())) return Either.left("scientific_notation")
  return assignable(number, country)
}

/** Whatever is not an Indian mobile: landlines, toll-free and foreign numbers, by their countries' numbering plans. */
const assignable = (number: string, country: PhoneCountry): Either.Either<PhoneNumber, PhoneRejection> => {
  if (!/^\+?\d+$/.test(number)) return Either.left("invalid")
  const parsed = parsePhoneNumberFromString(number.replace(/^0/, ""), country)
  const fits = number.startsWith("+") ? parsed?.isPossible() : parsed?.isValid()
  const found: string = fits === true && parsed !== undefined ? parsed.number : ""
  return isPhoneNumber(found) ? Either.right(found) : Either.left("invalid")
}

/** A phone number with all but its last four digits hidden: `******3210`. The only form for logs and errors. */
export const maskPhone = (number: string): string => number.length < 8 ? "******" : `******${number.slice(-4)}`
