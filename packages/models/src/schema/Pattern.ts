import { type AST, RegExpParser } from "@eslint-community/regexpp"

/** Longest pattern that is parsed, in UTF-16 units. */
const maxPatternLength = 5_000

/** A parsed pattern. */
export interface PatternTree {
  readonly alternatives: ReadonlyArray<AST.Alternative>
  /** True if it is valid in Unicode mode, as JSON Schema requires; patterns of other engines often are not. */
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

/** Parses a pattern; null if it is invalid, too deep, or longer than 5,000 UTF-16 units. */
export const patternTree = (pattern: string): PatternTree | null =>
  pattern.length > maxPatternLength ? null : read(pattern, true) ?? read(pattern, false)

/** Worst-case work of a part of a pattern at one position of a text. */
interface Cost {
  /** Number of ways to match it, apart from unbounded repetitions. */
  readonly ways: number
  /** Number of unbounded repetitions in sequence. */
  readonly loops: number
  readonly size: number
}

/** Larger repetition counts are treated as unbounded. */
const maxRepeats = 1_000

/** Upper bound of repetitions of parts that can match in several ways. */
const fewest = 20

const infiniteCost: Cost = { ways: Infinity, loops: 0, size: 1 }
const plain: Cost = { ways: 1, loops: 0, size: 1 }

const sequence = (elements: ReadonlyArray<AST.Element>): Cost =>
  elements.map(costOf).reduce((sum, one) => ({
    ways: sum.ways * one.ways,
    loops: sum.loops + one.loops,
    size: sum.size + one.size
  }), plain)

const oneOf = (alternatives: ReadonlyArray<AST.Alternative>): Cost =>
  alternatives.map(({ elements }) => sequence(elements)).reduce((sum, one) => ({
    ways: sum.ways + one.ways,
    loops: Math.max(sum.loops, one.loops),
    size: sum.size + one.size
  }), { ways: 0, loops: 0, size: 0 })

const repetition = ({ element, max, min }: AST.Quantifier): Cost => {
  const inner = costOf(element)
  const size = inner.size * Math.max(1, min)
  if (max === 1) return { ...inner, ways: inner.ways + (1 - min) }
  if (inner.ways === 1 && inner.loops === 0) {
    return max - min > maxRepeats ? { ways: 1, loops: 1, size } : { ways: max - min + 1, loops: 0, size }
  }
  if (max > fewest) return infiniteCost
  return { ways: inner.ways ** max * (max - min + 1), loops: inner.loops * max, size: inner.size * max }
}

const costOf = (element: AST.Element): Cost => {
  switch (element.type) {
    case "Quantifier":
      return repetition(element)
    case "Group":
    case "CapturingGroup":
      return oneOf(element.alternatives)
    case "Assertion":
      return "alternatives" in element ? oneOf(element.alternatives) : plain
    case "Backreference":
      return infiniteCost
    default:
      return plain
  }
}

const isAnchored = ({ alternatives }: PatternTree) =>
  alternatives.every(({ elements: [first] }) => first?.type === "Assertion" && first.kind === "start")

/** Upper bound of the steps of one test: some milliseconds. */
const maxSteps = 1_000_000

/** A pattern with bounded matching cost. */
export interface PatternMatcher {
  /** Null if the pattern cannot be parsed. */
  readonly tree: PatternTree | null
  /** Upper bound of the steps for a text of so many UTF-16 units; infinite if unknown or too many. */
  readonly steps: (units: number) => number
  /** Tests a text; undefined if the test might take long. */
  readonly test: (text: string) => boolean | undefined
}

const untold = (tree: PatternTree | null): PatternMatcher => ({ tree, steps: () => Infinity, test: () => undefined })

/**
 * Compiles a pattern with a bound on its matching cost, derived from its syntax tree, against catastrophic
 * backtracking. Patterns with backreferences, nested repetitions or long repetitions of alternatives, and patterns that
 * are invalid in Unicode mode, are never tested; others only on texts that are short enough.
 */
export const compilePattern = (pattern: string): PatternMatcher => {
  const tree = patternTree(pattern)
  if (tree === null || !tree.isUnicode) return untold(tree)
  const { loops, size, ways } = oneOf(tree.alternatives)
  const degree = loops + (isAnchored(tree) ? 0 : 1)
  const factor = ways * size
  if (!(factor <= maxSteps)) return untold(tree)
  const steps = (units: number) => {
    const cost = factor * (units + 1) ** degree
    return cost <= maxSteps ? cost : Infinity
  }
  let regExp: RegExp | null = null
  return {
    tree,
    steps,
    test: (text) => {
      if (steps(text.length) === Infinity) return undefined
      regExp ??= new RegExp(pattern, "u")
      return regExp.test(text)
    }
  }
}
