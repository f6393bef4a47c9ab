import type { Language } from "../languages/Language.js"

/** A position in a text whose figures have been converted to Latin ones. */
export interface Position {
  readonly text: string
  readonly at: number
  readonly language: Language
}

/** The spoken words for the text from a position to `end`. */
export interface Reading {
  readonly words: string
  readonly end: number
}

/**
 * Reads one kind of written form that starts at a position; undefined when there is none. Readers look at a bounded part of
 * the text, so that normalization runs in linear time.
 */
export type Reader = (position: Position) => Reading | undefined

/** Matches a sticky pattern at a position. Patterns have no unbounded repetition outside of what they consume. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** End of a sticky pattern's match at a position, or the position itself without a match. */
export const skipAt = (pattern: RegExp, text: string, at: number): number =>
  at + (matchAt(pattern, text, at)?.[0].length ?? 0)

/** Pattern of any of the given texts, the longest first, followed by the pattern `then`; sticky by default. */
export const anyOf = (texts: ReadonlyArray<string>, then = "", flags = "uy"): RegExp => {
  const escapedTexts = [...texts].sort((one, other) => other.length - one.length).map((text) =>
    text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
  )
  return new RegExp(`(${escapedTexts.length === 0 ? "(?!)" : escapedTexts.join("|")})${then}`, flags)
}

/** Pattern of the end of a word: no letter, mark or figure follows. */
export const wordEnd = "(?![\\p{L}\\p{M}\\p{Nd}])"

const innerStop = /\.(?=[,;)]|\s{1,3}(?:[\p{Ll}\p{Lo}\d@&₹$]|Rs))/uy

/** Skips the full stop of an abbreviation when it cannot end a sentence. */
export const skipStop = (text: string, at: number): number => skipAt(innerStop, text, at)

/** Memoizes a value for each language. */
export const perLanguage = <A>(make: (language: Language) => A): (language: Language) => A => {
  const cache = new Map<Language, A>()
  return (language) => {
    const entry = cache.get(language)
    if (entry !== undefined) return entry
    const value = make(language)
    cache.set(language, value)
    return value
  }
}
