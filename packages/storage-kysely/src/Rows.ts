import { macroTask, OrgId, type PageRequest, Scope, trusted, WorkspaceId } from "@trunkline/kernel"
import { Array, Effect, Option, Schema } from "effect"
import { type SelectQueryBuilder, sql } from "kysely"
import type { Database } from "./Database.js"

/** What a column of JSON holds. Text that does not fit the schema throws: broken rows are defects. */
export const bodyOf = <A, I>(schema: Schema.Schema<A, I>) => {
  const json = Schema.parseJson(schema)
  const decodeJson = Schema.decodeSync(json)
  const decode = (body: string) => decodeJson(body)
  return {
    encode: Schema.encodeSync(json),
    decode,
    /** The value of a row that may not be there. */
    read: (row: { readonly body: string } | undefined): Option.Option<A> =>
      Option.map(Option.fromNullable(row), ({ body }) => decode(body))
  }
}

/** The workspace that a row belongs to, which was checked when it was written. */
export const scopeOf = ({ org_id, workspace_id }: typeof Scope.Encoded): Scope =>
  new Scope({ org_id: OrgId.make(org_id, trusted), workspace_id: WorkspaceId.make(workspace_id, trusted) }, trusted)

/** The columns that hold a workspace. */
export const columnsOf = ({ org_id, workspace_id }: Scope) => ({ org_id, workspace_id })

/**
 * The text of a statement that puts one row into a table, with a value for each column in this order; in place of a row
 * that has its key, where it replaces.
 */
export const insertText = (
  table: string,
  columns: ReadonlyArray<string>,
  verb: "insert" | "replace" = "insert"
): string => `${verb} into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`

/** Rows that one statement takes, so that none keeps the event loop for long. */
const batchSize = 100

/** Works through many rows a batch at a time; the event loop runs in between. */
export const inBatches = <A, B>(
  rows: ReadonlyArray<A>,
  work: (batch: ReadonlyArray<A>, start: number) => Effect.Effect<B>
): Effect.Effect<ReadonlyArray<B>> =>
  Effect.forEach(Array.chunksOf(rows, batchSize), (batch, index) => {
    const done = Effect.suspend(() => work(batch, index * batchSize))
    return index === 0 ? done : Effect.zipRight(macroTask, done)
  })

/** Keeps the texts of one row apart in its `search` column. */
const unitSeparator = "\u001f"

/** What the `search` column holds: the texts that a list searches in, folded. */
export const searchText = (texts: ReadonlyArray<string>): string =>
  texts.map((text) => text.toLowerCase()).join(unitSeparator)

/**
 * Answers a page request as kernel's `applyPage` does: rows whose `search` column holds the text in any case of
 * letters, in the order asked for (by `created_at` where that is not sortable), equal ones by ascending id.
 */
export const pageOfRows = async <Table extends keyof Database, A>(
  rows: SelectQueryBuilder<Database, Table, object>,
  { limit, offset, search, sort_by, sort_order }: PageRequest,
  { decode, id, sortable }: {
    readonly id: string
    readonly sortable: ReadonlyArray<string>
    readonly decode: (body: string) => A
  }
): Promise<{ readonly items: ReadonlyArray<A>; readonly total: number }> => {
  const found = search === ""
    ? rows
    : rows.where(sql<boolean>`instr(search, ${search.toLowerCase()}) > 0`)
  const { total } = await found.select(sql<number>`count(*)`.as("total")).executeTakeFirstOrThrow()
  const page = await found
    .select(sql<string>`body`.as("body"))
    .orderBy(sql.ref(sortable.includes(sort_by) ? sort_by : "created_at"), sort_order)
    .orderBy(sql.ref(id))
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: page.map(({ body }) => decode(body)), total }
}
