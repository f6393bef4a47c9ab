import type { Cell } from "../Warehouse.js"

/** How much of a result is read at most, in bytes: more is cut, and the result says so (design: boards 3.2). */
export const maxResultBytes = 8 * 1024 * 1024

const utf8 = new TextEncoder()

const sizeOf = (cell: Cell): number => typeof cell === "string" ? utf8.encode(cell).length + 24 : 24

/** Counts the rows of one result: whether each still fits into 8 MiB. */
export const resultBudget = (): (row: ReadonlyArray<Cell>) => boolean => {
  let left = maxResultBytes
  return (row) => {
    left -= row.reduce<number>((total, cell) => total + sizeOf(cell), 0)
    return left >= 0
  }
}
