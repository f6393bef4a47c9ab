import { found, type Item } from "./Item.js"

const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1_000,
  k: 1_000,
  lakh: 100_000,
  lakhs: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
  crores: 10_000_000
}

const words: ReadonlyArray<ReadonlyArray<string>> = [
  ["one", "एक"],
  ["two", "दो"],
  ["three", "तीन"],
  ["four", "चार"],
  ["five", "पाँच", "पांच"],
  ["six", "छह"],
  ["seven", "सात"],
  ["eight", "आठ"],
  ["nine", "नौ"],
  ["ten", "दस"],
  ["eleven", "ग्यारह"],
  ["twelve", "बारह"]
]

const wordValues = new Map(words.flatMap((names, index) => names.map((name) => [name, index + 1])))

/** The numbers in a text: in digits with or without commas and an English scale behind them, or a word up to twelve. */
export const numbersIn = (text: string): ReadonlyArray<Item> => [
  ...found(
    text,
    /(?<![\p{L}\p{N}.,])(?:(?<=(?:^|\s))-)?\d{1,15}(?:,\d{2,3}){0,5}(?:\.\d{1,15})?(?: ?(hundred|thousand|k|lakhs?|million|crores?)\b)?/giu,
    ([digits, scale]) =>
      Number(digits.replaceAll(",", "").replace(/ ?[a-z]+$/i, "")) * (scales[scale?.toLowerCase() ?? ""] ?? 1)
  ),
  ...found(text, /[\p{L}\p{M}]+/gu, ([word]) => wordValues.get(word.toLowerCase()))
]
