import type Database from "better-sqlite3"
import type { RunCell, RunColumn, RunMode, RunParameter, RunReply, RunRequest } from "../Messages.js"
import { faultOf, type OpenFile, type Phase, Rejection } from "./OpenFile.js"

/** Maximum length of an untrusted statement, in bytes of UTF-8. */
const maxTextBytes = 64 * 1024

type Statement = Database.Statement<Array<unknown>>

const ignorable = /[\s;]+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//y

/** True for a text that begins like a query, or is empty. EXPLAIN and PRAGMA also read, but are no queries. */
const beginsAsQuery = (text: string): boolean => {
  ignorable.lastIndex = 0
  let start = 0
  while (ignorable.test(text)) start = ignorable.lastIndex
  return /^(?:(?:select|with|values)\b|$)/i.test(text.slice(start, start + 7))
}

const checkText = (text: string, mode: RunMode): void => {
  if (mode === "untrusted" && Buffer.byteLength(text) > maxTextBytes) {
    throw new Rejection("Rejected", "the statement is longer than 64 KiB")
  }
  if (text.includes("\0")) throw new Rejection("Rejected", "the statement holds a NUL character")
  if (mode === "untrusted" && !beginsAsQuery(text)) throw new Rejection("NotReadOnly", "the statement is not a SELECT")
}

const isReading = (statement: Statement): boolean => statement.reader && statement.readonly

/**
 * Wraps a statement into one with a LIMIT, which makes the first rows of a sorted result cheap. Undefined when the result
 * is not the same statement any more.
 */
const withLimit = (
  database: Database.Database,
  text: string,
  { columns, limit }: { readonly columns: number; readonly limit: number }
): Statement | undefined => {
  const inner = text.replace(/[\s;]+$/, "")
  try {
    const statement = database.prepare(`SELECT * FROM (\n${inner}\n) LIMIT ${limit}`)
    return isReading(statement) && statement.columns().length === columns ? statement : undefined
  } catch {
    return undefined
  }
}

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

/** Approximate size of a cell in a message, beside its text, in bytes. */
const cellBytes = 24

/** Cells of a row, and their approximate size in bytes. */
const rowOf = (values: ReadonlyArray<unknown>): { readonly cells: Array<RunCell>; readonly bytes: number } => {
  const cells = values.map(cellOf)
  const bytes = cells.reduce<number>(
    (sum, cell) => sum + cellBytes + (typeof cell === "string" ? Buffer.byteLength(cell) : 0),
    0
  )
  return { cells, bytes }
}

/** Parameter as it is bound: as a number, 5 would become the real 5.0, which differs in texts and JSON paths. */
const boundOf = (value: RunParameter): RunParameter =>
  typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value

const columnOf = ({ column, name, table, type }: Database.ColumnDefinition): RunColumn => ({
  name,
  origin: table === null || column === null ? null : { table, column },
  type
})

const rowsOf = (statement: Statement, bound: ReadonlyArray<unknown>, read: NonNullable<RunRequest["read"]>) => {
  const rows: Array<ReturnType<typeof rowOf>["cells"]> = []
  let remaining = read.maxBytes
  for (const values of statement.raw(true).safeIntegers(true).iterate(...bound)) {
    const { bytes, cells } = rowOf(Array.isArray(values) ? values : [])
    remaining -= bytes
    if (rows.length === read.maxRows || remaining < 0) return { rows, truncated: true }
    rows.push(cells)
  }
  return { rows, truncated: false }
}

/** Maximum memory of a child between runs, as a share of its limit. */
const idleMemoryShare = 1 / 2

/** Runs requests over the files that they name. */
export class Run {
  readonly #files: OpenFile
  readonly #memoryBytes: number

  constructor(files: OpenFile, memoryBytes: number) {
    this.#files = files
    this.#memoryBytes = memoryBytes
  }

  /** Runs a request. Throws errors that are not due to the statement or the file. */
  reply(request: RunRequest): RunReply {
    const outcome = this.#outcome(request)
    return { outcome, isSpent: process.memoryUsage.rss() > this.#memoryBytes * idleMemoryShare }
  }

  #outcome(request: RunRequest): RunReply["outcome"] {
    let phase: Phase = "prepare"
    try {
      checkText(request.text, request.mode)
      const { columns, statement } = this.#prepared(request)
      const boundRunParameters = request.parameters.map(boundOf)
      if (request.read === null) {
        statement.bind(...boundRunParameters)
        return { columns, rows: [], truncated: false }
      }
      phase = "run"
      return { columns, ...rowsOf(statement, boundRunParameters, request.read) }
    } catch (error) {
      const fault = faultOf(error, phase)
      if (fault === undefined) throw error
      if (fault.kind === "Damaged" || fault.kind === "Missing" || fault.kind === "Mismatch") this.#files.close()
      return fault
    }
  }

  /** Compiles the statement by itself first: a text that is valid only inside another statement is rejected. */
  #prepared(request: RunRequest) {
    const { mode, read, text } = request
    const database = this.#files.of(request)
    const statement = database.prepare(text)
    if (!isReading(statement)) throw new Rejection("NotReadOnly", "the statement does not only read")
    const columns = statement.columns().map(columnOf)
    const inner = mode === "untrusted" && read !== null
      ? withLimit(database, text, { columns: columns.length, limit: read.maxRows + 1 })
      : undefined
    return { columns, statement: inner ?? statement }
  }
}
