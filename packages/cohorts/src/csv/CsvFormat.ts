import { Schema } from "effect"
import type { CsvErrorReason } from "./Csv.js"

/** Separator of the cells of a CSV file. */
export const CsvSeparator = Schema.Literal("comma", "semicolon", "tab")
export type CsvSeparator = typeof CsvSeparator.Type

/** Format of a CSV file, beside its encoding. */
export interface CsvFormat {
  readonly separator: CsvSeparator
  /** True if the file begins with a byte order mark, or is UTF-16, as spreadsheets write it. */
  readonly hasByteOrderMark: boolean
}

/** The format of files that this package writes: with commas, without a byte order mark. */
export const plainFormat: CsvFormat = { separator: "comma", hasByteOrderMark: false }

/** The characters of separators, in the order in which they win where a header has as many of several. */
export const separators: { readonly [Separator in CsvSeparator]: string } = { comma: ",", semicolon: ";", tab: "\t" }

/** Beginning of a file up to its header: the separator, and the index at which the header begins. */
interface FileStart {
  readonly separator: CsvSeparator
  readonly at: number
}

const blankLines = /^\s*[\r\n]/
/** A first line that names the separator, as spreadsheets read it: `sep=;`. */
const separatorLine = /^\s*?"?sep=(?:([^\r\n"])\1*)?"?[^\S\r\n]*$/i

const separatorOf = (character: string | undefined): CsvSeparator | undefined =>
  CsvSeparator.literals.find((name) => separators[name] === character)

/**
 * Counts separators outside of quotes in the first line of a text. One that a space follows counts half, since names have
 * such commas. Undefined if the line does not end.
 */
const countSeparators = (text: string, more: boolean): ReadonlyMap<CsvSeparator, number> | undefined => {
  const counts = new Map<CsvSeparator, number>(CsvSeparator.literals.map((name) => [name, 0]))
  let isQuoted = false
  let atCellStart = true
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character === "\"") isQuoted = false
      // A doubled quote goes on with the cell.
      atCellStart = character === "\"" && text.charAt(at + 1) === "\""
      continue
    }
    if (character === "\n" || character === "\r") return counts
    const separator = separatorOf(character)
    if (separator !== undefined) {
      counts.set(separator, (counts.get(separator) ?? 0) + (text.charAt(at + 1) === " " ? 1 : 2))
      atCellStart = true
    } else if (character === "\"" && atCellStart) {
      isQuoted = true
    } else if (/\S/.test(character)) {
      atCellStart = false
    }
  }
  return more ? undefined : text.trim() === "" ? new Map() : counts
}

/**
 * Finds the separator of a file: that of a first line such as `sep=;`, or the one that its header has most of. Undefined
 * while the text ends before the header does and `more` may follow.
 */
export const findFileStart = (text: string, more: boolean): FileStart | CsvErrorReason | undefined => {
  const [blank = ""] = blankLines.exec(text) ?? []
  const lineEnd = /[\r\n]/.exec(text.slice(blank.length))
  const line = lineEnd === null ? text.slice(blank.length) : text.slice(blank.length, blank.length + lineEnd.index)
  const match = separatorLine.exec(line)
  if (match !== null) {
    if (lineEnd === null && more) return undefined
    const separator = separatorOf(match[1])
    return separator === undefined ? "separator" : { separator, at: blank.length + line.length }
  }
  const counts = countSeparators(text.slice(blank.length), more)
  if (counts === undefined) return undefined
  const max = Math.max(0, ...counts.values())
  return { separator: CsvSeparator.literals.find((name) => counts.get(name) === max) ?? "comma", at: blank.length }
}
