import { Encoding } from "effect"
import type { Cell } from "../Warehouse.js"

/** A value as SQLite gives it; whole numbers may come either way. */
export type SqliteValue = string | number | bigint | Uint8Array | null

/** A value of SQLite's as results hold it: blobs as base64, what JSON has no form for as null, big whole numbers as text. */
export const cellOf = (value: SqliteValue): Cell => {
  if (typeof value === "bigint") {
    const asNumber = Number(value)
    return Number.isSafeInteger(asNumber) ? asNumber : value.toString()
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  return value instanceof Uint8Array ? Encoding.encodeBase64(value) : value
}
