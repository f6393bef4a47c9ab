import { isKeyword, isSignificant, type SqlToken, tokenize } from "@trunkline/warehouse"

/** A part of written SQL, and the range of the SQL in its place. */
export interface Replacement {
  readonly sourceText: string
  /** Range with the spaces around it; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** True for an optional clause that was left out. */
  readonly isOmitted: boolean
}

interface Range {
  readonly from: number
  readonly to: number
}

/** Written SQL of a range, with every whole replacement in it. */
const writtenRange = (text: string, { from, to }: Range, replacements: ReadonlyArray<Replacement>): string => {
  let writtenText = ""
  let at = from
  for (const replacement of replacements) {
    const { isOmitted } = replacement
    const inner = text.slice(replacement.from, replacement.to)
    const start = replacement.from + (inner.length - inner.trimStart().length)
    const end = isOmitted ? replacement.to : replacement.from + inner.trimEnd().length
    const isWhole = isOmitted ? replacement.from > from && replacement.to < to : start >= from && end <= to
    if (!isWhole || start < at) continue
    writtenText += text.slice(at, Math.max(at, replacement.from)) + replacement.sourceText
    at = Math.min(to, replacement.to)
  }
  return writtenText + text.slice(at, to)
}

/** True for a token after which a column of a SELECT may begin. */
const precedesColumn = (token: SqlToken | undefined): boolean =>
  token !== undefined && (token.text === "," || isKeyword(token, "SELECT", "DISTINCT", "ALL"))

/** Starts of possible columns: those of the outer SELECT first. */
const columnStarts = (text: string): ReadonlyArray<number> => {
  const tokens = tokenize(text).filter(isSignificant)
  const starts = tokens.filter((_, index) => precedesColumn(tokens[index - 1]))
  const outer = tokens.find((token) => token.depth === 0 && isKeyword(token, "SELECT"))?.start ?? 0
  const isOuter = ({ depth, start }: SqlToken) => depth === 0 && start > outer
  return [...starts.filter(isOuter), ...starts.filter((token) => !isOuter(token))].map(({ start }) => start)
}

/** Number that SQLite appends to the second of two equal names. */
const repeatedPattern = /:\d+$/

/**
 * Names of columns as their SQL was written. SQLite names a column without an alias after the SQL that it ran, which has
 * placeholders in place of filters. `text` is that SQL.
 */
export const writtenNames = (
  text: string,
  replacements: ReadonlyArray<Replacement>,
  names: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (replacements.length === 0) return names
  const orderedReplacements = replacements.toSorted((one, other) => one.from - other.from || other.to - one.to)
  const remaining = new Set(columnStarts(text))

  const find = (name: string): string | undefined => {
    for (const from of remaining) {
      if (!text.startsWith(name, from)) continue
      const writtenText = writtenRange(text, { from, to: from + name.length }, orderedReplacements)
      if (writtenText === name) continue
      remaining.delete(from)
      return writtenText
    }
    return undefined
  }

  return names.map((name) => {
    const [suffix = ""] = repeatedPattern.exec(name) ?? []
    const writtenText = find(name)
    if (writtenText !== undefined || suffix === "") return writtenText ?? name
    const first = find(name.slice(0, -suffix.length))
    return first === undefined ? name : first + suffix
  })
}
