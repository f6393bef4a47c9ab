import type { Cells } from "./Csv.js"
import type { Parse } from "./CsvRecords.js"

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const quote = 0x22
const comma = 0x2c

/** Whitespace as regular expressions have it (`\s`), without line ends. */
const isSpace = (code: number): boolean => {
  if (code < 0x80) return code === space || code === tab || code === 0x0b || code === 0x0c
  if (code < 0x2000) return code === 0xa0 || code === 0x1680
  return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
}

const endsCell = (code: number): boolean => code === comma || code === lineFeed || code === carriageReturn

const afterSpaces = (text: string, from: number): number => {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1
  return at
}

/** Where the closing quote of a cell stands, of which the text begins at `from`, or -1. */
const closingQuote = (text: string, from: number): number => {
  let at = text.indexOf("\"", from)
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf("\"", at + 2)
  return at
}

/** Reads the records of a text by the rules of fast-csv, character by character. */
export const scan: Parse = (text, more) => {
  const records: Array<Cells> = []
  const { length } = text
  const cells: Array<string> = []
  let start = 0
  for (;;) {
    let at = afterSpaces(text, start)
    if (at === length) return { records, end: start, malformed: false }
    let count = 0
    const first = text.charCodeAt(at)
    if (first === comma) cells[count++] = ""
    else if (first !== lineFeed && first !== carriageReturn) at = start - 1

    // Where a cell is to be read, `at` is on the comma before it, or before the record.
    while (at < start || text.charCodeAt(at) === comma) {
      const from = at + 1
      const code = from < length ? text.charCodeAt(from) : comma
      const opening = code === quote ? from : isSpace(code) ? afterSpaces(text, from) : -1
      if (opening >= 0 && text.charCodeAt(opening) === quote) {
        const closing = closingQuote(text, opening + 1)
        if (closing < 0) return { records, end: start, malformed: !more }
        const cell = text.slice(opening + 1, closing)
        cells[count++] = cell.includes("\"") ? cell.replaceAll("\"\"", "\"") : cell
        at = afterSpaces(text, closing + 1)
        if (at < length && !endsCell(text.charCodeAt(at))) return { records, end: start, malformed: true }
      } else {
        at = from
        while (at < length) {
          const code = text.charCodeAt(at)
          if (code <= comma && endsCell(code)) break
          at += 1
        }
        cells[count++] = text.slice(from, at)
      }
    }

    const returned = text.charCodeAt(at) === carriageReturn
    if (more && at + (returned ? 1 : 0) >= length) return { records, end: start, malformed: false }
    // A copy is as long as the row, and V8 makes it young; a literal that grows would be longer and may be made old.
    if (count > 0) records.push(cells.slice(0, count))
    start = Math.min(length, at + (returned && text.charCodeAt(at + 1) === lineFeed ? 2 : 1))
  }
}
