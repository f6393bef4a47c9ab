import type { Cells } from "./Csv.js"

/** Name of the column of reasons. */
export const reasonColumn = "rejected_reason"

/** Reason of a row with other cells than its header. */
const columnMismatch = "column_count_mismatch"

const plainReasons = "missing_phone_number|invalid_phone_number|phone_scientific_notation|duplicate_phone_number"
  + `|duplicate_user_identifier|values_too_long|${columnMismatch}`

/** Matches a cell of reasons, joined by `;`. */
const reasonsOfRow = new RegExp(`^\\s*(?:(?:${plainReasons})(?:;|\\s*$)|(?:missing_required|transform_failed):)`)

const isEmpty = (cell: string | undefined): boolean => cell === undefined || cell.trim() === ""

/**
 * Number of columns before the reasons of a header; that of all its columns for a file that has none. Columns without a
 * name may follow, since a spreadsheet adds them.
 */
export const countOwnColumns = (header: Cells): number => {
  const last = header.findLastIndex((name) => !isEmpty(name))
  return header[last]?.trim() === reasonColumn ? last : header.length
}

/** True for the header of a file of rejected rows. */
export const isRejectedFile = (header: Cells): boolean => countOwnColumns(header) < header.length

/** A row of a file of rejected rows. */
interface RejectedRow {
  /** The cells without the reasons of the earlier import; all cells if the last value is no reason. */
  readonly values: Cells
  /** True for a row that is as it was when it was rejected for its number of cells. */
  readonly hasColumnMismatch: boolean
}

/** Index of the last own column with a name: a row with too few cells has no value there. */
const lastOwn = (header: Cells, ownColumns: number): number =>
  header.findLastIndex((name, index) => index < ownColumns && !isEmpty(name))

/**
 * Reads a row of a file of rejected rows with this header. Its reasons are the last value after its own columns, if that
 * reads as reasons: a column of the same name may have other values.
 */
export const readRejectedRow = (header: Cells, cells: Cells): RejectedRow => {
  const ownColumns = countOwnColumns(header)
  const last = cells.findLastIndex((cell) => !isEmpty(cell))
  const reasons = cells[last]
  if (reasons === undefined || last < ownColumns || !reasonsOfRow.test(reasons)) {
    return { values: cells, hasColumnMismatch: false }
  }
  const values = cells.slice(0, last)
  const hasColumnMismatch = reasons.trim() === columnMismatch &&
    (values.some((cell, index) => index >= ownColumns && !isEmpty(cell)) ||
      (last === ownColumns + 1 && isEmpty(cells[lastOwn(header, ownColumns)])))
  return { values, hasColumnMismatch }
}

const pad = (cells: Cells, width: number): Cells => [
  ...cells,
  ...Array<string>(Math.max(0, width - cells.length)).fill("")
]

/**
 * The cells of a rejected row with a last one for its reasons. A row with the wrong number of cells keeps them, and has its
 * reasons beyond their column: just behind it if cells were missing, otherwise further on.
 */
export const withReasons = (header: Cells, cells: Cells, reasons: ReadonlyArray<string>): Cells => {
  const ownColumns = countOwnColumns(header)
  const values = ownColumns < header.length ? readRejectedRow(header, cells).values : cells
  const text = reasons.join(";")
  if (!reasons.includes(columnMismatch)) {
    const last = values.findLastIndex((cell, index) => index < header.length && !isEmpty(cell))
    return [...pad(values.slice(0, Math.max(ownColumns, last + 1)), ownColumns), text]
  }
  const hasSurplus = values.length > header.length ||
    values.some((cell, index) => !isEmpty(cell) && (index >= ownColumns || isEmpty(header[index])))
  return [...pad(values, hasSurplus ? ownColumns + 2 : ownColumns + 1), text]
}
