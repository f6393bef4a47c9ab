import { Encoding } from "effect"
import type { GivenType, SqlDialect } from "../sql/SqlDialect.js"
import { type SqlValue, statement, type Statements, together } from "../sql/Statement.js"

/** The values that are given for one row. */
type Values = ReadonlyArray<SqlValue>

/** Most characters of the rows of one statement, so that none blocks the event loop for long. */
const maxLength = 1_000_000

/** The rows of one statement, none of which has the same key as another, with the place of each among all. */
interface Batch {
  readonly rows: Array<Values>
  readonly places: Array<number>
  length: number
}

const lengthOf = (values: Values): number =>
  values.reduce<number>(
    (sum, value) => sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 0),
    0
  )

/** Divides rows into the batches of statements: none of these changes a row twice, and they leave rows as one by one would. */
const batchesOf = (rows: ReadonlyArray<Values>, key: ReadonlyArray<number>): ReadonlyArray<Batch> => {
  /** The batches of the first rows of each key, then of the second ones, and so on. */
  const batches: Array<Array<Batch>> = []
  const times = new Map<string, number>()
  for (const [place, values] of rows.entries()) {
    const name = key.map((index) => values[index]).join("\u0000")
    const time = key.length === 0 ? 0 : times.get(name) ?? 0
    times.set(name, time + 1)
    const sameTime = batches[time] ??= []
    let batch = sameTime.at(-1)
    if (batch === undefined || batch.length > maxLength) sameTime.push(batch = { rows: [], places: [], length: 0 })
    batch.rows.push(values)
    batch.places.push(place)
    batch.length += lengthOf(values)
  }
  return batches.flat()
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Bytes as PostgreSQL reads them: a text as it is, with each backslash twice, or hexadecimal digits. */
const bytesText = (bytes: Uint8Array): string => {
  try {
    const text = utf8.decode(bytes)
    return text.includes("\\") || text.includes("\u0000")
      ? text.replaceAll("\\", "\\\\").replaceAll("\u0000", "\\000")
      : text
  } catch {
    return `\\x${Encoding.encodeHex(bytes)}`
  }
}

const quote = (text: string): string =>
  `"${text.includes("\"") || text.includes("\\") ? text.replaceAll(/["\\]/g, "\\$&") : text}"`

const elementOf = (value: SqlValue | undefined): string => {
  if (typeof value === "string") return quote(value)
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null"
  return value === null || value === undefined ? "null" : quote(bytesText(value))
}

/** The values of each column as an array literal. A database reads these several times as fast as JSON. */
const arraysOf = (rows: ReadonlyArray<Values>, columns: number): ReadonlyArray<string> =>
  Array.from({ length: columns }, (_, column) => `{${rows.map((values) => elementOf(values[column])).join(",")}}`)

/** A text with the columns of the table `given`, from one on, in place of its parameters. */
const withGiven = (text: string, first = 0): string => {
  let index = first
  return text.replaceAll("?", () => `given.p${index++}`)
}

const count = (text: string, part: string): number => text.split(part).length - 1

/** Rows to insert. */
interface Insertion {
  /** The columns of the given values, with their types. */
  readonly columns: Readonly<Record<string, GivenType>>
  /** End of the statement, such as `on conflict (id) do nothing returning id`. */
  readonly end?: string
}

/**
 * Makes a function that inserts rows, and returns what the statement returns, in any order. Where a statement takes its time,
 * as over a network, one inserts all rows.
 *
 * @example
 * ```ts
 * const insertBodies = insertRows(dialect, "outbox_bodies", { columns: { seq: "integer", body: "bytes" } })
 * yield* insertBodies([[1, one], [2, other]])
 * ```
 */
export const insertRows = <Row = never>(dialect: SqlDialect, table: string, { columns, end = "" }: Insertion) => {
  const head = `insert into ${table} (${Object.keys(columns).join(", ")})`
  return insertWith<Row>(dialect, { columns, key: [], text: (values) => `${head} ${values} ${end}` })
}

/**
 * Makes a function that puts rows in the places of those with the same keys. The columns that are not given get their
 * defaults.
 */
export const replaceRows = (
  dialect: SqlDialect,
  table: string,
  { columns, defaults = [], key }: Pick<Insertion, "columns"> & {
    readonly key: string
    /** The columns that are not given. */
    readonly defaults?: ReadonlyArray<string>
  }
) => {
  const names = Object.keys(columns)
  return insertWith(dialect, {
    columns,
    key: [names.indexOf(key)],
    text: (values) => dialect.replace(`${table} (${names.join(", ")}) ${values}`, { key, columns: names, defaults })
  })
}

const insertWith = <Row = never>(
  { givenRows }: SqlDialect,
  { columns, key, text }: Pick<Insertion, "columns"> & {
    readonly key: ReadonlyArray<number>
    /** The statement with these values. */
    readonly text: (values: string) => string
  }
): (rows: ReadonlyArray<Values>) => Statements<ReadonlyArray<Row>> => {
  const types = Object.values(columns)
  const values = types.map(() => "?").join(", ")
  if (givenRows === null) {
    const one = text(`values (${values})`)
    return function*(rows) {
      const results = yield* together(rows.map((row) => statement<Row>(one, row)))
      return results.flatMap(({ rows }) => rows)
    }
  }
  const statementText = text(`select ${withGiven(values)} from ${givenRows(types)}`)
  return function*(rows) {
    const returnedRows: Array<Row> = []
    for (const batch of batchesOf(rows, key)) {
      const result = yield* statement<Row>(statementText, arraysOf(batch.rows, types.length))
      returnedRows.push(...result.rows)
    }
    return returnedRows
  }
}

/** A change of one row for each given one. */
interface Change {
  /** Beginning of the statement: `update … set …`, or `delete from …`. */
  readonly change: string
  /** Condition that finds the row. */
  readonly where: string
  /** Expressions to return of a changed row; nothing by default. */
  readonly returning?: string
  /** Types of the given values, in the order of the parameters. */
  readonly types: ReadonlyArray<GivenType>
  /** Positions of the values that find the row. */
  readonly key: ReadonlyArray<number>
}

/**
 * Makes a function that changes or deletes a row for each given one, and returns for each of these what the statement returns
 * of the row that it has changed, or undefined. Where a statement takes its time, one changes all rows.
 *
 * @example
 * ```ts
 * const accept = changeRows<{ readonly attempt_id: string }>(dialect, {
 *   change: "update attempts set state = 'accepted', provider_call_id = ?",
 *   where: "attempt_id = ? and state = 'claimed'",
 *   returning: "attempt_id",
 *   types: ["text", "text"],
 *   key: [1]
 * })
 * const [first] = yield* accept([["call-1", "attempt-1"]])
 * ```
 */
export const changeRows = <Row extends object = never>(
  { givenRows }: SqlDialect,
  { change, key, returning, types, where }: Change
): (rows: ReadonlyArray<Values>) => Statements<ReadonlyArray<Row | undefined>> => {
  if (givenRows === null) {
    const one = `${change} where ${where}${returning === undefined ? "" : ` returning ${returning}`}`
    return function*(rows) {
      const results = yield* together(rows.map((row) => statement<Row>(one, row)))
      return results.map(({ rows: [changedRow] }) => changedRow)
    }
  }
  const statementText = `
    ${withGiven(change)} ${change.startsWith("delete") ? "using" : "from"} ${givenRows(types)}
    where ${withGiven(where, count(change, "?"))}
    ${returning === undefined ? "" : `returning given_place, ${returning}`}
  `
  return function*(rows) {
    const changedRows = rows.map((): Row | undefined => undefined)
    for (const batch of batchesOf(rows, key)) {
      const result = yield* statement<Row & { readonly given_place: number }>(
        statementText,
        arraysOf(batch.rows, types.length)
      )
      for (const row of result.rows) {
        const place = batch.places[row.given_place - 1]
        if (place !== undefined) changedRows[place] = row
      }
    }
    return changedRows
  }
}

/** The rows to find for given values. */
interface Search {
  /** Columns to return. */
  readonly columns: string
  /** Condition that finds one row. */
  readonly where: string
  /** Types of the given values, in the order of the parameters. */
  readonly types: ReadonlyArray<GivenType>
}

/** Makes a function that finds a row for each given one, or undefined. Where a statement takes its time, one finds all. */
export const findRows = <Row extends object>(
  { givenRows, orderedJoin }: SqlDialect,
  table: string,
  { columns, types, where }: Search
): (rows: ReadonlyArray<Values>) => Statements<ReadonlyArray<Row | undefined>> => {
  if (givenRows === null) {
    const one = `select ${columns} from ${table} where ${where}`
    return function*(rows) {
      const results = yield* together(rows.map((row) => statement<Row>(one, row)))
      return results.map(({ rows: [foundRow] }) => foundRow)
    }
  }
  const statementText = `select given_place, ${columns} from ${givenRows(types)} ${
    orderedJoin(table, { on: withGiven(where) })
  }`
  return function*(rows) {
    const rowsByPlace = rows.map((): Row | undefined => undefined)
    if (rows.length === 0) return rowsByPlace
    const result = yield* statement<Row & { readonly given_place: number }>(statementText, arraysOf(rows, types.length))
    for (const row of result.rows) rowsByPlace[row.given_place - 1] = row
    return rowsByPlace
  }
}
