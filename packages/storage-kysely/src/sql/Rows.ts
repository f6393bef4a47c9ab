import {
  jsonWriter,
  lruCache,
  macroTask,
  OrgId,
  type PageRequest,
  Scope,
  unchecked,
  WorkspaceId
} from "@trunkline/kernel"
import { Array, Effect, Option, Schema } from "effect"
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import type { SqlDialect } from "./SqlDialect.js"
import { type SqlStatement, type SqlValue, statement, type Statements, together } from "./Statement.js"

/** Codec of a JSON column. Text that does not fit the schema throws, because a broken row is a defect. */
export const jsonColumn = <A, I>(schema: Schema.Schema<A, I>) => {
  const json = Schema.parseJson(schema)
  const decodeJson = Schema.decodeSync(json)
  const decode = (body: string) => decodeJson(body)
  return {
    encode: jsonWriter(schema),
    decode,
    /** The value of a row, if there is one. */
    read: (row: { readonly body: string } | undefined): Option.Option<A> =>
      Option.map(Option.fromNullable(row), ({ body }) => decode(body))
  }
}

/** The workspace of a row, unchecked because it was checked when written. */
export const scopeOf = ({ org_id, workspace_id }: typeof Scope.Encoded): Scope =>
  new Scope(
    { org_id: OrgId.make(org_id, unchecked), workspace_id: WorkspaceId.make(workspace_id, unchecked) },
    unchecked
  )

/** The columns of a workspace. */
export const scopeColumns = ({ org_id, workspace_id }: Scope) => ({ org_id, workspace_id })

/** The text of a statement that inserts one row, with the values in the order of the columns. */
export const insertText = (table: string, columns: ReadonlyArray<string>): string =>
  `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`

/** A text with `?` for its values, as a part of a query. */
export const sqlText = <A = unknown>(text: string, ...values: ReadonlyArray<SqlValue>): RawBuilder<A> =>
  sql<A>`${
    sql.join(
      text.split("?").flatMap((part, index) =>
        index === 0 ? [sql.raw(part)] : [sql`${values[index - 1]}`, sql.raw(part)]
      ),
      sql.raw("")
    )
  }`

/** Most rows of one statement, so that none blocks the event loop for long. */
const batchSize = 100

/** Processes many rows in batches, with an event loop turn between them. */
export const inBatches = <A, B>(
  rows: ReadonlyArray<A>,
  work: (batch: ReadonlyArray<A>, start: number) => Effect.Effect<B>
): Effect.Effect<ReadonlyArray<B>> =>
  Effect.forEach(Array.chunksOf(rows, batchSize), (batch, index) => {
    const result = Effect.suspend(() => work(batch, index * batchSize))
    return index === 0 ? result : Effect.zipRight(macroTask, result)
  })

/** Separates the texts in a `search` column. */
const unitSeparator = "\u001f"

/** Content of a `search` column: the searchable texts, in lower case. */
export const searchText = (texts: ReadonlyArray<string>): string =>
  texts.map((text) => text.toLowerCase()).join(unitSeparator)

/**
 * Selects a page as kernel's `applyPage` does: rows whose `search` column contains the text in any case, in the requested
 * order (by `created_at` if that column is not sortable), with equal rows in ascending order of id.
 */
export const pageOfRows = async <Table extends keyof Database, A>(
  rows: SelectQueryBuilder<Database, Table, object>,
  { limit, offset, search, sort_by, sort_order }: PageRequest,
  { decode, dialect, id, sortable }: {
    readonly dialect: SqlDialect
    readonly id: string
    readonly sortable: ReadonlyArray<string>
    readonly decode: (body: string) => A
  }
): Promise<{ readonly items: ReadonlyArray<A>; readonly total: number }> => {
  const condition = search === ""
    ? rows
    : rows.where(sql<boolean>`${sqlText(dialect.placeIn("search"), search.toLowerCase())} > 0`)
  const { total } = await condition.select(sql<number>`count(*)`.as("total")).executeTakeFirstOrThrow()
  const page = await condition
    .select(sql<string>`body`.as("body"))
    .orderBy(sql.ref(sortable.includes(sort_by) ? sort_by : "created_at"), sort_order)
    .orderBy(sql.ref(id))
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: page.map(({ body }) => decode(body)), total }
}

/** Numbers of rows per statement: few, so that all statements stay prepared, and small, so that none runs for long. */
const insertSizes = [128, 32, 8, 1] as const

/**
 * Makes a function that inserts many rows, for `Sql.statements`. Its texts are built once, because building them per batch
 * takes longer than the database does. `head` is the text before the values, `tail` the text after them; `push` appends
 * the values of a row. The result is the rows that the statements return.
 */
export const insertMany = <Row = never>(head: string, columns: number, tail = "") => {
  const row = `(${"?, ".repeat(columns - 1)}?)`
  const texts = insertSizes.map((size) => ({
    size,
    text: `${head} values ${Array.replicate(row, size).join(", ")} ${tail}`
  }))
  return function*<A>(
    rows: ReadonlyArray<A>,
    push: (values: Array<SqlValue>, row: A, index: number) => void
  ): Statements<ReadonlyArray<Row>> {
    const inserts: Array<SqlStatement<Row>> = []
    let place = 0
    for (const { size, text } of texts) {
      while (rows.length - place >= size) {
        const values: Array<SqlValue> = []
        for (const row of rows.slice(place, place + size)) push(values, row, place++)
        inserts.push(statement<Row>(text, values))
      }
    }
    return (yield* together(inserts)).flatMap((insertedResult) => insertedResult.rows)
  }
}

/** A cache of decoded rows: decoding a row takes longer than finding it. */
interface DecodeCache<A> {
  /** The cached value of a key, whatever its text. */
  readonly get: (key: string) => A | undefined
  /** Caches a value that never changes. */
  readonly set: (key: string, value: A) => void
  /** Removes a value that is not needed again. */
  readonly delete: (key: string) => void
  /** The decoded text of a key, decoded again only when the text has changed. */
  readonly decode: (key: string, text: string) => A
}

/** Caches the values that were set or decoded last, up to `capacity`. */
export const makeDecodeCache = <A>(decode: (text: string) => A, capacity: number): DecodeCache<A> => {
  const values = lruCache<string, { readonly text: string | null; readonly value: A }>(capacity)
  return {
    get: (key) => values.get(key)?.value,
    set: (key, value) => void values.set(key, { text: null, value }),
    delete: (key) => void values.delete(key),
    decode: (key, text) => {
      const before = values.get(key)
      if (before?.text === text) return before.value
      const value = decode(text)
      values.set(key, { text, value })
      return value
    }
  }
}
