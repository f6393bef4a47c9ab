import { issueType } from "@trunkline/errors"
import { identity, JSONSchema, Option, ParseResult, Predicate, Schema } from "effect"

/** Section, order and filter of a list request; an empty `search` matches everything. */
export interface PageRequest<SortBy extends string = string> {
  readonly offset: number
  readonly limit: number
  readonly sort_by: SortBy
  readonly sort_order: SortOrder
  readonly search: string
}

/** Ascending or descending. */
export const SortOrder = Schema.Literal("asc", "desc")
export type SortOrder = typeof SortOrder.Type

/** Largest number of items on a page. */
export const maxPageLimit = 100

/** A whole number in a query string; anything else fails with issue type `int_parsing`. */
export const QueryInt = Schema.transformOrFail(Schema.String, Schema.Int, {
  strict: true,
  decode: (text, _, ast) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
    return Number.isSafeInteger(value)
      ? ParseResult.succeed(value)
      : ParseResult.fail(new ParseResult.Type(ast, text, "Must be a whole number"))
  },
  encode: (value) => ParseResult.succeed(String(value))
}).annotations({ identifier: "QueryInt", ...issueType("int_parsing") })

/** Decodes text with a schema, and empty text as `absent`; its JSON Schema is that of the schema. */
const textOrEmpty = <A, B, I extends string>(schema: Schema.Schema<A, I>, absent: B, either: Schema.Schema<A | B>) => {
  const jsonSchema = JSONSchema.fromAST(schema.ast, {
    definitions: {},
    target: "openApi3.1",
    topLevelReferenceStrategy: "skip",
    additionalPropertiesStrategy: "allow"
  })
  const decode = ParseResult.decodeUnknown(schema)
  const encode = ParseResult.encodeUnknown(schema)
  return Schema.transformOrFail(Schema.String.annotations({ jsonSchema }), either, {
    strict: true,
    decode: (text, options) => text === "" ? ParseResult.succeed(absent) : decode(text, options),
    encode: (value, options) => value === undefined ? ParseResult.succeed("") : encode(value, options)
  })
}

/** An optional query parameter whose empty text counts as absent: `status=` is the same as no `status`. */
export const emptyAsAbsent = <A, I extends string>(schema: Schema.Schema<A, I>) =>
  Schema.optionalToOptional(
    textOrEmpty(schema, undefined, Schema.UndefinedOr(Schema.typeSchema(schema))),
    Schema.typeSchema(schema),
    { decode: Option.filter(Predicate.isNotUndefined), encode: identity }
  )

/** An optional query parameter with a default, which empty text stands for too. */
export const emptyAsDefault = <A, I extends string>(schema: Schema.Schema<A, I>, absent: NoInfer<A>) =>
  Schema.optionalWith(textOrEmpty(schema, absent, Schema.typeSchema(schema)), { exact: true, default: () => absent })

/**
 * Fields of a list's query string: `offset` from 0, `limit` from 1 to 100, `sort_by` one of `sortable`, `sort_order`
 * `asc` or `desc`, and `search`. All are optional, and empty text counts as absent for the last three.
 *
 * Decodes to a `PageRequest`. The default is the first `defaultLimit` (10) items by descending `created_at`, or by the
 * first of `sortable` if that is not one of them.
 */
export const listParameters = <const SortBy extends string>(
  { defaultLimit = 10, sortable }: {
    readonly sortable: readonly [SortBy, ...ReadonlyArray<SortBy>]
    readonly defaultLimit?: number
  }
) => {
  const defaultSort = sortable.find((by) => by === "created_at") ?? sortable[0]
  return Schema.Struct({
    offset: Schema.optionalWith(QueryInt.pipe(Schema.greaterThanOrEqualTo(0)), { default: () => 0 }),
    limit: Schema.optionalWith(
      QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(maxPageLimit)),
      { default: () => defaultLimit }
    ),
    sort_by: emptyAsDefault(Schema.Literal(...sortable), defaultSort),
    sort_order: emptyAsDefault(SortOrder, "desc"),
    search: emptyAsDefault(Schema.String, "")
  })
}

/** A page of a list, with links to its neighbours. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Number of matching items on all pages. */
  readonly total: number
  readonly limit: number
  readonly offset: number
  /** Null on the last page. */
  readonly next_page_uri: string | null
  /** Null on the first page. */
  readonly prev_page_uri: string | null
}

/** Schema of a page of items. */
export const pageOf = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    items: Schema.Array(item),
    total: Schema.NonNegativeInt,
    limit: Schema.Int,
    offset: Schema.NonNegativeInt,
    next_page_uri: Schema.NullOr(Schema.String),
    prev_page_uri: Schema.NullOr(Schema.String)
  })

/**
 * Builds the page for a request to `uri`, which is absolute or begins with `/`. Links to neighbours begin with `/` and
 * keep every query parameter except `offset`.
 */
export const makePage = <A>(
  items: ReadonlyArray<A>,
  total: number,
  { limit, offset }: Pick<PageRequest, "limit" | "offset">,
  uri: string
): Page<A> => ({
  items,
  total,
  limit,
  offset,
  next_page_uri: offset + limit < total ? withOffset(uri, offset + limit) : null,
  prev_page_uri: offset > 0 ? withOffset(uri, Math.max(0, offset - limit)) : null
})

const withOffset = (uri: string, offset: number): string => {
  const [, path, query] = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i.exec(uri) ?? []
  const parameters = new URLSearchParams(query)
  parameters.set("offset", String(offset))
  return `${path || "/"}?${parameters}`
}

/** Accessors of a row for `applyPage`. */
export interface PageView<Row, SortBy extends string> {
  /** Texts that a search looks in. */
  readonly text: (row: Row) => ReadonlyArray<string>
  readonly sortKey: (row: Row, by: SortBy) => string | number
  readonly id: (row: Row) => string
}

/**
 * Selects a page from rows in memory: rows that contain the search text, ignoring case, in the requested order and then
 * by ascending id. `total` counts all matching rows.
 */
export const applyPage = <Row, SortBy extends string>(
  rows: Iterable<Row>,
  { limit, offset, search, sort_by, sort_order }: PageRequest<SortBy>,
  { id, sortKey, text }: PageView<Row, SortBy>
): { readonly items: ReadonlyArray<Row>; readonly total: number } => {
  const needle = search.toLowerCase()
  const direction = sort_order === "asc" ? 1 : -1
  const matches = Array.from(rows)
    .filter((row) => needle === "" || text(row).some((part) => part.toLowerCase().includes(needle)))
    .map((row) => ({ row, key: sortKey(row, sort_by), id: id(row) }))
    .sort((a, b) => direction * compare(a.key, b.key) || compare(a.id, b.id))
  return { items: matches.slice(offset, offset + limit).map(({ row }) => row), total: matches.length }
}

const compare = <A extends string | number>(a: A, b: A): number => a < b ? -1 : a > b ? 1 : 0
