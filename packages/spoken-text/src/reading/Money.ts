import type { Coins, Currency, Language } from "../languages/Language.js"
import { counted } from "./Counting.js"
import { numberWords, type Written } from "./Figures.js"
import { anyOf, matchAt, pastStop, perLanguage, skipAt, WORD_END } from "./Place.js"

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

/** A currency that is written at a place, and where the text goes on. */
export interface CurrencyAt {
  readonly currency: Currency
  readonly end: number
}

const currencyOf = (sign: string): Currency => signs.get(sign.toLowerCase()) ?? "rupees"

/** The currency whose sign stands at a place before a number. */
export const currencyBefore = (language: Language, text: string, at: number): CurrencyAt | undefined => {
  const found = matchAt(before(language), text, at)
  return found === null ? undefined : { currency: currencyOf(found[1] ?? ""), end: at + found[0].length }
}

/** The currency behind a number that ends at a place; `/-`, as on bills, is rupees. */
export const currencyAfter = (language: Language, text: string, at: number): CurrencyAt | undefined => {
  const bill = skipAt(/\/[-=](?![\d])/y, text, at)
  if (bill > at) return { currency: "rupees", end: bill }
  const start = text[at] === " " ? at + 1 : at
  const found = matchAt(after(language), text, start)
  return found === null
    ? undefined
    : { currency: currencyOf(found[1] ?? ""), end: pastStop(text, start + found[0].length) }
}

/** So much money, `scaled` where lakhs and the like are counted: rupees and paise where there are two figures after the point, else the decimal number of rupees. */
export const moneyWords = (
  language: Language,
  currency: Currency,
  amount: Written,
  scaled: string | undefined
): string => {
  const { part, whole }: Coins = language.currencies[currency]
  if (scaled !== undefined) return counted(whole, false, scaled)
  const parts = amount.fraction.length === 2 ? Number(amount.fraction) : 0
  const main = amount.fraction.length === 2 ? { ...amount, fraction: "" } : amount
  const mainWords = counted(
    whole,
    Number(main.whole) === 1 && main.fraction === "",
    numberWords(language, main, "noun")
  )
  if (parts === 0) return mainWords
  const partWords = counted(part, parts === 1, numberWords(language, { ...main, whole: String(parts) }, "noun"))
  return Number(main.whole) === 0 ? partWords : `${mainWords}${language.coinJoin}${partWords}`
}
