/** What a number's words stand before: more of the same number, a noun that is counted, or neither. */
export type Next = "number" | "noun" | "nothing"

/** Says so many hundreds (or thousands, lakhs, crores), given the number, its words before a noun, and what follows. */
export type ScaleWords = (count: number, words: string, next: Next) => string

/** How a language builds the words of a number. */
export interface CardinalRules {
  /** 0 to 99. */
  readonly below100: (number: number) => string
  /** 1 before a noun, in some languages another word than the 1 of counting. */
  readonly one: string
  readonly hundreds: ScaleWords
  readonly thousands: ScaleWords
  readonly lakhs: ScaleWords
  readonly crores: ScaleWords
}

/** The first number that has no words of its own here: ten million crores. Such are read digit by digit. */
export const NO_CARDINAL = 1e14

const scales = [["crores", 1e7], ["lakhs", 1e5], ["thousands", 1e3], ["hundreds", 100]] as const

/** The words of a whole number below `NO_CARDINAL`, in lakhs and crores; beyond 99 crores, as "five hundred crore". */
export const cardinalWords = (rules: CardinalRules, number: number, next: Next = "nothing"): string => {
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

/** A number from 1100 to 1999 as so many hundreds, which is how most languages say years: nineteen hundred and so on. */
export const inHundreds = (rules: CardinalRules) => (number: number): string => {
  if (number < 1100 || number > 1999) return cardinalWords(rules, number)
  const rest = number % 100
  const count = (number - rest) / 100
  const hundreds = rules.hundreds(count, rules.below100(count), rest > 0 ? "number" : "nothing")
  return rest > 0 ? `${hundreds} ${rules.below100(rest)}` : hundreds
}

/**
 * The numbers below 100 of the library `to-words`, which is right here, while its hundreds and larger numbers are not:
 * it has no sandhi in Tamil, Malayalam, Kannada and Telugu, and leaves the "one" of 1100 out in most languages.
 * `corrected` holds the words where the library has a rare or wrong spelling.
 */
export const below100Of = (words: (number: number) => string, corrected: Readonly<Record<number, string>> = {}) => {
  const known = new Map<number, string>()
  return (number: number): string => {
    const found = known.get(number) ?? corrected[number] ?? words(number).normalize("NFC")
    known.set(number, found)
    return found
  }
}

/** A scale whose word simply follows the number. */
export const followedBy = (scale: string): ScaleWords => (_count, words) => `${words} ${scale}`
