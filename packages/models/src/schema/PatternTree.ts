import { type AST, RegExpParser } from "@eslint-community/regexpp"

/** The longest pattern that is read, in UTF-16 units. */
export const longestPattern = 5_000

/** A pattern that was read. */
export interface PatternTree {
  readonly alternatives: ReadonlyArray<AST.Alternative>
  /** Whether it is one in Unicode mode, as JSON Schema wants it; other engines' patterns often are none. */
  readonly isUnicode: boolean
}

const parser = new RegExpParser()

const read = (pattern: string, isUnicode: boolean): PatternTree | null => {
  try {
    const { alternatives } = parser.parsePattern(pattern, 0, pattern.length, { unicode: isUnicode })
    return { alternatives, isUnicode }
  } catch {
    return null
  }
}

/** A pattern, or null when it is none, is too deep, or is longer than 5,000 UTF-16 units. */
export const patternTree = (pattern: string): PatternTree | null =>
  pattern.length > longestPattern ? null : read(pattern, true) ?? read(pattern, false)
