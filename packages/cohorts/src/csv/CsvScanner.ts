import type { Cells } from "./Csv.js"
import { type CsvSeparator, separators } from "./CsvFormat.js"

/** Result of parsing a text that begins at the start of a record. */
interface Parsed {
  /** The complete records; blank lines have no cells, or are left out. */
  readonly records: ReadonlyArray<Cells>
  /** Index at which the first incomplete record begins. */
  readonly end: number
  readonly isMalformed: boolean
}

/** Parses the records of a text. With `more`, text may follow, so that the end of the text does not end a record. */
export type Parse = (text: string, more: boolean) => Parsed

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const quote = 0x22

/** Checks for whitespace as `\s` in regular expressions defines it, without line ends. */
const isSpace = (code: number): boolean => {
  if (code < 0x80) return code === space || code === tab || code === 0x0b || code === 0x0c
  if (code < 0x2000) return code === 0xa0 || code === 0x1680
  return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
}

/** Index of the first character that is no space; a separator never counts as a space, not even a tab. */
const skipSpaces = (text: string, from: number, separator: number): number => {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === separator || !isSpace(code)) break
    at += 1
  }
  return at
}

/** Index of the closing quote of a cell whose text begins at `from`, or -1. */
const findClosingQuote = (text: string, from: number): number => {
  let at = text.indexOf("\"", from)
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf("\"", at + 2)
  return at
}

const scan = (text: string, more: boolean, separator: number): Parsed => {
  const highest = Math.max(separator, carriageReturn)
  const records: Array<Cells> = []
  const { length } = text
  const cells: Array<string> = []
  let start = 0
  for (;;) {
    let at = skipSpaces(text, start, separator)
    if (at === length) return { records, end: start, isMalformed: false }
    let count = 0
    const first = text.charCodeAt(at)
    if (first === separator) cells[count++] = ""
    else if (first !== lineFeed && first !== carriageReturn) at = start - 1

    // Before each cell, `at` is on the separator before it, or just before the record.
    while (at < start || text.charCodeAt(at) === separator) {
      const from = at + 1
      const code = from < length ? text.charCodeAt(from) : separator
      const opening = code === quote
        ? from
        : code !== separator && isSpace(code)
        ? skipSpaces(text, from, separator)
        : -1
      if (opening >= 0 && text.charCodeAt(opening) === quote) {
        const closing = findClosingQuote(text, opening + 1)
        if (closing < 0) return { records, end: start, isMalformed: !more }
        const cell = text.slice(opening + 1, closing)
        cells[count++] = cell.includes("\"") ? cell.replaceAll("\"\"", "\"") : cell
        at = skipSpaces(text, closing + 1, separator)
        const after = at < length ? text.charCodeAt(at) : separator
        if (after !== separator && after !== lineFeed && after !== carriageReturn) {
          return { records, end: start, isMalformed: true }
        }
      } else {
        at = from
        while (at < length) {
          const code = text.charCodeAt(at)
          if (code <= highest && (code === separator || code === lineFeed || code === carriageReturn)) break
          at += 1
        }
        cells[count++] = text.slice(from, at)
      }
    }

    const isReturned = text.charCodeAt(at) === carriageReturn
    if (more && at + (isReturned ? 1 : 0) >= length) return { records, end: start, isMalformed: false }
    // A slice has exactly the length of the row, and V8 allocates it young. A growing literal may be longer, and old.
    if (count > 0) records.push(cells.slice(0, count))
    start = Math.min(length, at + (isReturned && text.charCodeAt(at + 1) === lineFeed ? 2 : 1))
  }
}

/** Makes a parser of CSV with a separator, which reads character by character, by the rules of fast-csv. */
export const makeCsvScanner = (separator: CsvSeparator): Parse => {
  const code = separators[separator].charCodeAt(0)
  return (text, more) => scan(text, more, code)
}
