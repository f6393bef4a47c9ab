import { isAbbreviationStop, reach } from "../clauses/Abbreviations.js"
import type { Currency, CurrencyWords, Language } from "../languages/Language.js"
import { formsOf, type NumberToken, numberWords, quantify, withoutNumber } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, type Reader, skipAt, skipStop, wordEnd } from "./Reader.js"

const signs: ReadonlyMap<string, Currency> = new Map<string, Currency>([
  ["₹", "rupees"],
  ["₨", "rupees"],
  ["rs", "rupees"],
  ["rs.", "rupees"],
  ["inr", "rupees"],
  ["$", "dollars"],
  ["us$", "dollars"],
  ["usd", "dollars"],
  ["€", "euros"],
  ["eur", "euros"],
  ["£", "pounds"],
  ["gbp", "pounds"],
  ["৳", "taka"]
])

/** Circle or zero in place of the stop of an abbreviation in a script of India: `रु॰`, `रु०`. */
const round = "(?:॰|0(?![\\d.,]))"

const before = perLanguage(({ rupeeForms }) => {
  const rupeePattern = anyOf(rupeeForms).source
  const forms = [...signs.keys(), ...rupeeForms.map((form) => `${form}.`)]
  const again = `(?:(?:${anyOf(forms).source}|${rupeePattern})[ \\u00a0]{0,2})?`
  return new RegExp(
    `(?:${anyOf(forms).source}|${rupeePattern}(?:${round}|(?!${round})))[ \\u00a0]{0,2}${again}(?=[-−]?\\.?\\d)`,
    "iuy"
  )
})

/** The abbreviation of one rupee before its figure or its word. */
const oneRupee = /Re\.?[ \u00a0]{0,2}(?=1(?![\d,])|0?\.\d)/y

/** Abbreviations of rupees without a figure beside them, as in "Rs. Five hundred". */
const alone = perLanguage(({ rupeeForms }) =>
  new RegExp(`(?:Rs${wordEnd}|${anyOf(rupeeForms).source}(?:${round}|${wordEnd}))`, "uy")
)

/** Names of currencies in words, in lower case and NFC. */
const names = perLanguage(({ currencies, rupeeWords }) =>
  new Map<string, Currency>([
    ...Object.keys(rupeeWords).map((form) => [form, "rupees"] as const),
    ...(["taka", "dollars", "euros", "pounds", "rupees"] as const).flatMap((currency) =>
      formsOf(currencies[currency].whole).map((form) => [form.toLowerCase(), currency] as const)
    )
  ])
)

/** Names of rupees before an amount with paise or with another mark of rupees: "Rupees 1,250.50", "Rupees 500/-", "Rupees ₹500". */
const nameBefore = perLanguage((language) => {
  const rupees = [...names(language)].filter(([, currency]) => currency === "rupees").map(([form]) => form)
  const marks = anyOf([...signs.keys(), ...language.rupeeForms, ...rupees], "(?![\\p{L}\\p{M}]|[ .]{0,2}\\d)").source
  const rupeePattern = anyOf([...signs.keys(), ...language.rupeeForms.map((form) => `${form}.`)]).source
  const markedText = `(?:\\.\\d)?(?:\\/[-=](?!\\d)|[ \\u00a0]?${marks})`
  const amount = `\\d[\\d,]{0,20}(?:\\.\\d\\d(?!\\d)|${markedText})`
  return anyOf(rupees, `[ \\u00a0]{1,2}(?:${rupeePattern}[ \\u00a0]{0,2}(?=\\d)|(?=${amount}))`, "iuy")
})

const after = perLanguage((language) =>
  anyOf(
    [...signs.keys()].filter((sign) => sign !== "rs.").concat(language.rupeeForms, [...names(language).keys()]),
    wordEnd,
    "iuy"
  )
)

const endings = perLanguage(({ rupeeEndings }) => anyOf(Object.keys(rupeeEndings), wordEnd, "uy"))

/** A currency and the position after its sign or name. */
interface CurrencyAt {
  readonly currency: Currency
  readonly end: number
  /** Its name as it is written after the amount. */
  readonly name?: string
}

/** Currency of a sign. Taka are rupees in languages with one word for both. */
const currencyOf = ({ currencies }: Language, sign: string): Currency => {
  const currency = signs.get(sign.toLowerCase()) ?? "rupees"
  return currencies[currency].whole === currencies.rupees.whole ? "rupees" : currency
}

/** Currency whose sign precedes a number, or whose name an amount with paise. */
export const currencyBefore = (language: Language, text: string, at: number): CurrencyAt | undefined => {
  if (matchAt(oneRupee, text, at) !== null) return { currency: "rupees", end: skipAt(oneRupee, text, at) }
  const match = matchAt(before(language), text, at) ?? matchAt(nameBefore(language), text, at)
  return match === null ? undefined : { currency: currencyOf(language, match[1] ?? ""), end: at + match[0].length }
}

/** Case ending after an amount of rupees with a sign, with the form of "rupees" that it asks for. */
export const rupeesAfter = (language: Language, text: string, at: number): CurrencyAt | undefined => {
  const start = skipAt(/\/[-=](?![\d])|-(?=[\p{L}\p{M}])/uy, text, at)
  const match = matchAt(endings(language), text, start)
  const name = match === null ? undefined : language.rupeeEndings[match[1] ?? ""]
  return match === null || name === undefined ? undefined : { currency: "rupees", end: start + match[0].length, name }
}

/** Currency whose sign or name follows a number that ends at `at`; `/-`, as on bills, means rupees, whether named or not. */
export const currencyAfter = (language: Language, text: string, at: number): CurrencyAt | undefined => {
  const bill = skipAt(/\/[-=](?![\d])/y, text, at)
  const start = /[ \u00a0]/.test(text[bill] ?? "") ? bill + 1 : bill
  const match = matchAt(after(language), text, start)
  const writtenText = match?.[1] ?? ""
  const currency = names(language).get(writtenText.normalize("NFC").toLowerCase())
  const end = start + writtenText.length
  if (match !== null && currency !== undefined) return { currency, end, name: writtenText }
  if (bill > at) return { currency: "rupees", end: bill }
  return match === null ? undefined : { currency: currencyOf(language, writtenText), end: skipStop(text, end) }
}

/** Name of rupees for an abbreviation of them without an amount. */
export const rupeesOf = (language: Language, writtenText: string): string | undefined =>
  skipAt(alone(language), writtenText, 0) === writtenText.length
    ? withoutNumber(language.currencies.rupees.whole)
    : undefined

/** Reads abbreviations of rupees before amounts in words and on their own. A full stop stays where it ends a sentence. */
export const readRupees: Reader = ({ at, language, text }) => {
  const end = skipAt(alone(language), text, at)
  if (end === at) return undefined
  const isStop = text[end] === "." && isAbbreviationStop(text.slice(at, end), text.slice(end + 1, end + 1 + reach))
  return { words: withoutNumber(language.currencies.rupees.whole), end: isStop ? end + 1 : end }
}

/** Hundredths of an amount with one or two decimals, and undefined for other decimals. */
const hundredths = ({ fraction }: NumberToken): number | undefined =>
  fraction.length > 2 && /[1-9]/.test(fraction.slice(2)) ? undefined : Number(fraction.slice(0, 2).padEnd(2, "0"))

interface Money {
  readonly language: Language
  readonly currency: Currency
  readonly amount: NumberToken
  /** Words of an amount in lakhs and the like. */
  readonly scaledWords: string | undefined
  /** Name of the currency as it is written after the amount, in any case. */
  readonly name: string | undefined
}

/** Words of an amount of money: rupees and paise with one or two decimals, otherwise a decimal number of rupees. */
export const moneyWords = ({ amount, currency, language, name, scaledWords }: Money): string => {
  const { part, whole }: CurrencyWords = language.currencies[currency]
  if (scaledWords !== undefined) {
    return name === undefined
      ? quantify(whole, false, scaledWords)
      : `${scaledWords} ${name}`
  }
  const parts = hundredths(amount)
  const main = parts === undefined ? amount : { ...amount, fraction: "" }
  const isOne = Number(main.whole) === 1 && main.fraction === ""
  const number = numberWords(language, main, "noun")
  if (parts === undefined || parts === 0) {
    return name === undefined ? quantify(whole, isOne, number) : `${number} ${name}`
  }
  const partNumber = numberWords(language, { whole: String(parts), fraction: "" }, "noun")
  const partName = name === undefined ? undefined : language.rupeeWords[name.normalize("NFC").toLowerCase()]
  const partWords = partName === undefined ? quantify(part, parts === 1, partNumber) : `${partNumber} ${partName}`
  return Number(main.whole) === 0 ? partWords : `${quantify(whole, isOne, number)}${language.subunitJoiner}${partWords}`
}
