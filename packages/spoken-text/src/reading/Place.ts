import type { Language } from "../languages/Language.js"

/** A place in a text, whose figures are all Latin by now. */
export interface Place {
  readonly text: string
  readonly at: number
  readonly language: Language
}

/** What is said for the text from a place up to `end`. */
export interface Said {
  readonly words: string
  readonly end: number
}

/**
 * Reads one kind of written form where it begins at a place, and tells nothing where it does not. It looks at a bounded
 * part of the text, so that reading a text takes time in proportion to its length.
 */
export type Reader = (place: Place) => Said | undefined

/** The match of a sticky pattern at a place. Patterns repeat nothing without bound but what they take. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The end of the match of a sticky pattern at a place, or the place itself where there is none. */
export const skipAt = (pattern: RegExp, text: string, at: number): number =>
  at + (matchAt(pattern, text, at)?.[0].length ?? 0)

/** A sticky pattern of any of these texts, the longest first, and then of what follows. */
export const anyOf = (texts: ReadonlyArray<string>, then = "", flags = "uy"): RegExp => {
  const escaped = [...texts].sort((one, other) => other.length - one.length).map((text) =>
    text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
  )
  return new RegExp(`(${escaped.length === 0 ? "(?!)" : escaped.join("|")})${then}`, flags)
}

/** In patterns: what follows is no letter, mark or figure of the same word. */
export const WORD_END = "(?![\\p{L}\\p{M}\\p{Nd}])"

const innerStop = /\.(?=[,;)]|\s{1,3}[\p{Ll}\p{Lo}\d])/uy

/** The place behind the full stop of a short form, where that stop cannot be the end of a sentence. */
export const pastStop = (text: string, at: number): number => skipAt(innerStop, text, at)

/** A value made for each language when it is first asked for. */
export const perLanguage = <A>(make: (language: Language) => A): (language: Language) => A => {
  const made = new Map<Language, A>()
  return (language) => {
    const known = made.get(language)
    if (known !== undefined) return known
    const value = make(language)
    made.set(language, value)
    return value
  }
}
