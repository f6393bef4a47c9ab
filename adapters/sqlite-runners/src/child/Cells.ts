import type { RunCell, RunParameter } from "../Messages.js"

const cellOf = (value: unknown): RunCell => {
  switch (typeof value) {
    case "string":
      return value
    case "bigint": {
      const number = Number(value)
      return Number.isSafeInteger(number) ? number : String(value)
    }
    case "number":
      return Number.isFinite(value) ? value : null
    default:
      return Buffer.isBuffer(value) ? value.toString("base64") : null
  }
}

/** About what a cell takes on its way, beside its text, in bytes: figures take longer than their size. */
const cellBytes = 24

/** A row as results show it, and about how many bytes it takes. */
export const rowOf = (values: ReadonlyArray<unknown>): { readonly cells: Array<RunCell>; readonly bytes: number } => {
  const cells = values.map(cellOf)
  const bytes = cells.reduce<number>(
    (sum, cell) => sum + cellBytes + (typeof cell === "string" ? Buffer.byteLength(cell) : 0),
    0
  )
  return { cells, bytes }
}

/** A parameter as it is bound: the binding makes every number a real one, but 5 is not 5.0 in a text or a JSON path. */
export const boundOf = (value: RunParameter): RunParameter =>
  typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value
