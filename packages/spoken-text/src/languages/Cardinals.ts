/** Context after the words of a number: the rest of the number, a counted noun, or nothing. */
export type NumberContext = "number" | "noun" | "nothing"

/** Words of a count of hundreds (or thousands, lakhs, crores), given the count, its words before a noun, and the context. */
export type ScaleWords = (count: number, words: string, next: NumberContext) => string

/** Rules by which a language builds the words of a number. */
export interface CardinalRules {
  /** Words of 0 to 99. */
  readonly below100: (number: number) => string
  /** The word for 1 before a noun, which some languages distinguish from the 1 of counting. */
  readonly one: string
  readonly hundreds: ScaleWords
  readonly thousands: ScaleWords
  readonly lakhs: ScaleWords
  readonly crores: ScaleWords
}

/** The first number without words: ten million crores. Larger numbers are read digit by digit. */
export const noCardinal = 1e14

const scales = [["crores", 1e7], ["lakhs", 1e5], ["thousands", 1e3], ["hundreds", 100]] as const

/** Words of a whole number below `noCardinal`, in lakhs and crores; beyond 99 crores as in "five hundred crore". */
export const cardinalWords = (rules: CardinalRules, number: number, next: NumberContext = "nothing"): string => {
  const words: Array<string> = []
  let rest = number
  for (const [scale, size] of scales) {
    const count = Math.floor(rest / size)
    rest %= size
    if (count > 0) words.push(rules[scale](count, cardinalWords(rules, count, "noun"), rest > 0 ? "number" : next))
  }
  if (number === 1 && next === "noun") return rules.one
  return rest > 0 || words.length === 0 ? [...words, rules.below100(rest)].join(" ") : words.join(" ")
}

/** Words of a number from 1100 to 1999 in hundreds, as most languages say years: "nineteen hundred". */
export const inHundreds = (rules: CardinalRules) => (number: number): string => {
  if (number < 1100 || number > 1999) return cardinalWords(rules, number)
  const rest = number % 100
  const count = (number - rest) / 100
  const hundreds = rules.hundreds(count, rules.below100(count), rest > 0 ? "number" : "nothing")
  return rest > 0 ? `${hundreds} ${rules.below100(rest)}` : hundreds
}

/**
 * Memoized words of the numbers below 100 from the library `to-words`. Its larger numbers are not used: it has no sandhi in
 * Tamil, Malayalam, Kannada and Telugu, and leaves the "one" of 1100 out in most languages. `corrected` replaces the
 * library's rare or wrong spellings.
 */
export const below100Of = (words: (number: number) => string, corrected: Readonly<Record<number, string>> = {}) => {
  const cache = new Map<number, string>()
  return (number: number): string => {
    const text = cache.get(number) ?? corrected[number] ?? words(number).normalize("NFC")
    cache.set(number, text)
    return text
  }
}

/** Scale whose word follows the number unchanged. */
export const followedBy = (scale: string): ScaleWords => (_count, words) => `${words} ${scale}`
