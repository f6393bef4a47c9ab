import type { LanguageCode } from "@trunkline/spoken-text"
import { inKnownLetters } from "./KnownLetters.js"
import { withReadableScripts } from "./ReadableScripts.js"

/** An element of a markup language; what is between two of them is text. */
const markup = /<\/?[a-z][\w:-]*(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*\/?>/gi

/** Emoji, which espeak would name, with what belongs to them; joiners belong to letters only where they follow one. */
const emoji =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\uFE0F|\u20E3|(?<![\p{L}\p{M}])[\u200C\u200D]/gu

/** Controls, some of which are commands to espeak, lone surrogates, and what Unicode has not assigned; not the joiners. */
const unheard = /(?![\u200C\u200D])\p{C}/gu

/**
 * A text as espeak may be given it: words and punctuation, in letters that it can read. Nothing is left that espeak takes
 * for an order: no control characters, no markup, and no square brackets, since it speaks what is in double ones as
 * phonemes.
 */
export const speakable = (text: string, language: LanguageCode): string => {
  const words = text
    .replace(/\s+/gu, " ")
    .replace(emoji, "")
    .replace(unheard, "")
    .replace(markup, " ")
    .replace(/[<>[\]]/g, " ")
    .replace(/ {2,}/g, " ")
    .trim()
  return withReadableScripts(inKnownLetters(words, language), language)
}

/** Whether there is anything to say in a text: a letter or a digit. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
