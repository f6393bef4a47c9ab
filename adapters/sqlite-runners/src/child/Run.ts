import type Database from "better-sqlite3"
import type { RunAnswer, RunColumn, RunMode, RunRequest } from "../Messages.js"
import { boundOf, rowOf } from "./Cells.js"
import { faultOf, type Phase, Refused } from "./Faults.js"
import type { OpenFile } from "./OpenFile.js"

/** The longest text that is looked at, in bytes of UTF-8 (design: boards 3.2). */
const longestText = 64 * 1024

type Statement = Database.Statement<Array<unknown>>

const ignorable = /[\s;]+|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//y

/** Whether a text begins as a query does, or says nothing at all; EXPLAIN and PRAGMA read too, but are no queries. */
const beginsAsQuery = (text: string): boolean => {
  ignorable.lastIndex = 0
  let start = 0
  while (ignorable.test(text)) start = ignorable.lastIndex
  return /^(?:(?:select|with|values)\b|$)/i.test(text.slice(start, start + 7))
}

const refuseText = (text: string, mode: RunMode): void => {
  if (mode === "untrusted" && Buffer.byteLength(text) > longestText) {
    throw new Refused("Rejected", "the statement is longer than 64 KiB")
  }
  if (text.includes("\0")) throw new Refused("Rejected", "the statement holds a NUL character")
  if (mode === "untrusted" && !beginsAsQuery(text)) throw new Refused("NotReadOnly", "the statement is no SELECT")
}

const isReading = (statement: Statement): boolean => statement.reader && statement.readonly

/**
 * The same statement inside another one that wants so many rows, which makes the first rows of a sorted result cheap
 * (design: boards 2.6); undefined where the whole is not the same statement any more.
 */
const wrapped = (
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

const columnOf = ({ column, name, table, type }: Database.ColumnDefinition): RunColumn => ({
  name,
  origin: table === null || column === null ? null : { table, column },
  type
})

const rowsOf = (statement: Statement, bound: ReadonlyArray<unknown>, read: NonNullable<RunRequest["read"]>) => {
  const rows: Array<ReturnType<typeof rowOf>["cells"]> = []
  let left = read.maxBytes
  for (const values of statement.raw(true).safeIntegers(true).iterate(...bound)) {
    const { bytes, cells } = rowOf(Array.isArray(values) ? values : [])
    left -= bytes
    if (rows.length === read.maxRows || left < 0) return { rows, truncated: true }
    rows.push(cells)
  }
  return { rows, truncated: false }
}

/** How large a child may be between runs, as a part of how large it may be at all. */
const restingPart = 1 / 2

/** Answers requests over whatever file they name. */
export class Run {
  readonly #files: OpenFile
  readonly #memoryBytes: number

  constructor(files: OpenFile, memoryBytes: number) {
    this.#files = files
    this.#memoryBytes = memoryBytes
  }

  /** What a request gives; throws what is a fault of ours. */
  answer(request: RunRequest): RunAnswer {
    const outcome = this.#outcome(request)
    return { outcome, isSpent: process.memoryUsage.rss() > this.#memoryBytes * restingPart }
  }

  #outcome(request: RunRequest): RunAnswer["outcome"] {
    let phase: Phase = "prepare"
    try {
      refuseText(request.text, request.mode)
      const { columns, statement } = this.#prepared(request)
      const bound = request.parameters.map(boundOf)
      if (request.read === null) {
        statement.bind(...bound)
        return { columns, rows: [], truncated: false }
      }
      phase = "run"
      return { columns, ...rowsOf(statement, bound, request.read) }
    } catch (error) {
      const fault = faultOf(error, phase)
      if (fault === undefined) throw error
      if (fault.kind === "Damaged" || fault.kind === "Missing" || fault.kind === "Mismatch") this.#files.close()
      return fault
    }
  }

  /** The statement alone is compiled first: what is valid only inside another one is none (design: boards 2.6). */
  #prepared(request: RunRequest) {
    const { mode, read, text } = request
    const database = this.#files.of(request)
    const own = database.prepare(text)
    if (!isReading(own)) throw new Refused("NotReadOnly", "the statement does not only read")
    const columns = own.columns().map(columnOf)
    const inner = mode === "untrusted" && read !== null
      ? wrapped(database, text, { columns: columns.length, limit: read.maxRows + 1 })
      : undefined
    return { columns, statement: inner ?? own }
  }
}
