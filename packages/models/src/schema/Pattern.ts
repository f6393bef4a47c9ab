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

/** How much work a part of a pattern can make at one place of a text. */
interface Cost {
  /** How many ways there are to match it, apart from repetitions without a bound. */
  readonly ways: number
  /** How many repetitions without a bound may follow each other. */
  readonly loops: number
  readonly size: number
}

/** Repetitions of more than this have no bound to speak of. */
const longestCount = 1_000

/** Repetitions of what can itself be matched in several ways are few. */
const fewest = 20

const unbounded: Cost = { ways: Infinity, loops: 0, size: 1 }
const plain: Cost = { ways: 1, loops: 0, size: 1 }

const sequence = (elements: ReadonlyArray<AST.Element>): Cost =>
  elements.map(costOf).reduce((all, one) => ({
    ways: all.ways * one.ways,
    loops: all.loops + one.loops,
    size: all.size + one.size
  }), plain)

const oneOf = (alternatives: ReadonlyArray<AST.Alternative>): Cost =>
  alternatives.map(({ elements }) => sequence(elements)).reduce((all, one) => ({
    ways: all.ways + one.ways,
    loops: Math.max(all.loops, one.loops),
    size: all.size + one.size
  }), { ways: 0, loops: 0, size: 0 })

const repeated = ({ element, max, min }: AST.Quantifier): Cost => {
  const inner = costOf(element)
  const size = inner.size * Math.max(1, min)
  if (max === 1) return { ...inner, ways: inner.ways + (1 - min) }
  if (inner.ways === 1 && inner.loops === 0) {
    return max - min > longestCount ? { ways: 1, loops: 1, size } : { ways: max - min + 1, loops: 0, size }
  }
  if (max > fewest) return unbounded
  return { ways: inner.ways ** max * (max - min + 1), loops: inner.loops * max, size: inner.size * max }
}

const costOf = (element: AST.Element): Cost => {
  switch (element.type) {
    case "Quantifier":
      return repeated(element)
    case "Group":
    case "CapturingGroup":
      return oneOf(element.alternatives)
    case "Assertion":
      return "alternatives" in element ? oneOf(element.alternatives) : plain
    case "Backreference":
      return unbounded
    default:
      return plain
  }
}

const isAnchored = ({ alternatives }: PatternTree) =>
  alternatives.every(({ elements: [first] }) => first?.type === "Assertion" && first.kind === "start")

/** The most steps that one test of a pattern may take: some milliseconds. */
const mostSteps = 1_000_000

/** A pattern that can be tried on texts. */
export interface PatternMatcher {
  /** Null when the pattern cannot be read. */
  readonly tree: PatternTree | null
  /** How many steps a test of so many UTF-16 units takes at most; infinite when that cannot be told, or is too much. */
  readonly steps: (units: number) => number
  /** Whether a text matches; undefined when the test might take long. */
  readonly test: (text: string) => boolean | undefined
}

const untold = (tree: PatternTree | null): PatternMatcher => ({ tree, steps: () => Infinity, test: () => undefined })

/**
 * A pattern with a bound on what its tests cost, taken from its tree. Patterns with backreferences, with repetitions
 * of repetitions, or with a repetition of alternatives that is not short are never tried, and others only on texts that
 * are short enough for them. Patterns that are none in Unicode mode are not tried either.
 */
export const compilePattern = (pattern: string): PatternMatcher => {
  const tree = patternTree(pattern)
  if (tree === null || !tree.isUnicode) return untold(tree)
  const { loops, size, ways } = oneOf(tree.alternatives)
  const degree = loops + (isAnchored(tree) ? 0 : 1)
  const factor = ways * size
  if (!(factor <= mostSteps)) return untold(tree)
  const steps = (units: number) => {
    const all = factor * (units + 1) ** degree
    return all <= mostSteps ? all : Infinity
  }
  let compiled: RegExp | null = null
  return {
    tree,
    steps,
    test: (text) => {
      if (steps(text.length) === Infinity) return undefined
      compiled ??= new RegExp(pattern, "u")
      return compiled.test(text)
    }
  }
}
