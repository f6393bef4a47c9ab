import type { BeforeNoun, Counted } from "../languages/Language.js"

/** So many of something: the number's words in the place that the phrase has for them. */
export const counted = (phrase: Counted, isOne: boolean, number: string): string => {
  const words = typeof phrase === "string" ? phrase : phrase[isOne ? 0 : 1]
  return words.includes("{}") ? words.replace("{}", number) : `${number} ${words}`
}

/** The phrase without any number: the words for many of it. */
export const uncounted = (phrase: Counted): string =>
  (typeof phrase === "string" ? phrase : phrase[1]).replace("{}", "").trim()

/** The form of a word on its own or before a noun. */
export const formOf = (word: BeforeNoun, beforeNoun: boolean): string =>
  typeof word === "string" ? word : word[beforeNoun ? 1 : 0]
