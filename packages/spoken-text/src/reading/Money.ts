import type { Currency, CurrencyWords, Language } from "../languages/Language.js"
import { type NumberToken, numberWords, quantify } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, skipAt, skipStop, WORD_END } from "./Reader.js"

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
  ["gbp", "pounds"]
])

const before = perLanguage(({ rupeeForms }) =>
  anyOf(
    [...signs.keys(), ...rupeeForms, ...rupeeForms.map((form) => `${form}.`)],
    "[ \\u00a0]{0,2}(?=[-−]?\\.?\\d)",
    "iuy"
  )
)

const after = perLanguage(({ rupeeForms }) =>
  anyOf([...signs.keys()].filter((sign) => sign !== "rs.").concat(rupeeForms), WORD_END, "iuy")
)

/** A currency sign and the position after it. */
interface CurrencyAt {
  readonly currency: Currency
  readonly end: number
}

const currencyOf = (sign: string): Currency => signs.get(sign.toLowerCase()) ?? "rupees"

/** Currency whose sign precedes a number. */
export const currencyBefore = (language: Language, text: string, at: number): CurrencyAt | undefined => {
  const found = matchAt(before(language), text, at)
  return found === null ? undefined : { currency: currencyOf(found[1] ?? ""), end: at + found[0].length }
}

/** Currency whose sign follows a number that ends at `at`; `/-`, as on bills, means rupees. */
export const currencyAfter = (language: Language, text: string, at: number): CurrencyAt | undefined => {
  const bill = skipAt(/\/[-=](?![\d])/y, text, at)
  if (bill > at) return { currency: "rupees", end: bill }
  const start = text[at] === " " ? at + 1 : at
  const found = matchAt(after(language), text, start)
  return found === null
    ? undefined
    : { currency: currencyOf(found[1] ?? ""), end: skipStop(text, start + found[0].length) }
}

/**
 * Words of an amount of money: rupees and paise when there are two decimals, otherwise a decimal number of rupees.
 * `scaled` has the words of an amount in lakhs and the like.
 */
export const moneyWords = (
  language: Language,
  currency: Currency,
  amount: NumberToken,
  scaled: string | undefined
): string => {
  const { part, whole }: CurrencyWords = language.currencies[currency]
  if (scaled !== undefined) return quantify(whole, false, scaled)
  const parts = amount.fraction.length === 2 ? Number(amount.fraction) : 0
  const main = amount.fraction.length === 2 ? { ...amount, fraction: "" } : amount
  const mainWords = quantify(
    whole,
    Number(main.whole) === 1 && main.fraction === "",
    numberWords(language, main, "noun")
  )
  if (parts === 0) return mainWords
  const partWords = quantify(part, parts === 1, numberWords(language, { ...main, whole: String(parts) }, "noun"))
  return Number(main.whole) === 0 ? partWords : `${mainWords}${language.subunitJoiner}${partWords}`
}
