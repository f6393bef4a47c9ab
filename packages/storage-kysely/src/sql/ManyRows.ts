import { Encoding } from "effect"
import type { GivenType, SqlDialect } from "./SqlDialect.js"
import { type SqlValue, statement, type Statements, together } from "./Statement.js"

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

/** An unpaired half of a surrogate pair in JSON, which PostgreSQL refuses. */
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** Rows as a JSON array of objects, which leave out what is null. */
const jsonOf = (rows: ReadonlyArray<Values>): string => {
  const json = JSON.stringify(rows.map((values) => {
    const row: Record<string, string | number> = {}
    for (const [index, value] of values.entries()) {
      if (value !== null) row[`p${index}`] = value instanceof Uint8Array ? Encoding.encodeBase64(value) : value
    }
    return row
  }))
  return json.includes("\\ud") ? json.replaceAll(loneSurrogate, "$1\\ufffd") : json
}

/** A text with the values of the table `given`, from one on, in place of its parameters. */
const withGiven = (text: string, types: ReadonlyArray<GivenType>, first = 0): string => {
  let index = first
  return text.replaceAll("?", () => {
    const value = `given.p${index}`
    return types[index++] === "bytes" ? `decode(${value}, 'base64')` : value
  })
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
  const all = text(`select ${withGiven(values, types)} from ${givenRows(types)}`)
  return function*(rows) {
    const returned: Array<Row> = []
    for (const batch of batchesOf(rows, key)) {
      const result = yield* statement<Row>(all, [jsonOf(batch.rows)])
      returned.push(...result.rows)
    }
    return returned
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
      return results.map(({ rows: [changed] }) => changed)
    }
  }
  const all = `
    ${withGiven(change, types)} ${change.startsWith("delete") ? "using" : "from"} ${givenRows(types)}
    where ${withGiven(where, types, count(change, "?"))}
    ${returning === undefined ? "" : `returning given_place, ${returning}`}
  `
  return function*(rows) {
    const changed = rows.map((): Row | undefined => undefined)
    for (const batch of batchesOf(rows, key)) {
      const result = yield* statement<Row & { readonly given_place: number }>(all, [jsonOf(batch.rows)])
      for (const row of result.rows) {
        const place = batch.places[row.given_place - 1]
        if (place !== undefined) changed[place] = row
      }
    }
    return changed
  }
}
