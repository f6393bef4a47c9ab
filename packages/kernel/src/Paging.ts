import { issueType } from "@trunkline/errors"
import { ParseResult, Schema } from "effect"
import { emptyIs } from "./EmptyIsAbsent.js"

/** Which part of a list is asked for, in which order; an empty `search` asks for everything. */
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

/** The most items that a page may hold (shapes 0.4). */
export const MAX_PAGE_LIMIT = 100

/** A whole number in a query string; anything else is refused with issue type `int_parsing`. */
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

/**
 * The query parameters of a list, each of which may be absent, and those of text also empty: `offset` from 0, `limit`
 * from 1 to 100, `sort_by` one of `sortable`, `sort_order` `asc` or `desc`, `search` any text.
 *
 * Decodes to a `PageRequest`: by default the first `defaultLimit` (10) items by falling `created_at`, or by the first
 * of `sortable` where that is not among them.
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
      QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(MAX_PAGE_LIMIT)),
      { default: () => defaultLimit }
    ),
    sort_by: emptyIs(Schema.Literal(...sortable), defaultSort),
    sort_order: emptyIs(SortOrder, "desc"),
    search: emptyIs(Schema.String, "")
  })
}

/** One part of a list, with the way to its neighbours (shapes 0.4). */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** How many items match, on all pages. */
  readonly total: number
  readonly limit: number
  readonly offset: number
  /** Null on the last page. */
  readonly next_page_uri: string | null
  /** Null on the first page. */
  readonly prev_page_uri: string | null
}

/** The schema of a page of such items. */
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
 * The page that answers a request which came in at `uri`, absolute or from the root. The neighbours' URIs are from
 * the root and keep every query parameter but `offset`.
 */
export const page = <A>(
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

/** What `applyPage` needs to know of a row. */
export interface PageView<Row, SortBy extends string> {
  /** The texts that a search looks in. */
  readonly text: (row: Row) => ReadonlyArray<string>
  readonly sortKey: (row: Row, by: SortBy) => string | number
  readonly id: (row: Row) => string
}

/**
 * Answers a page request from rows in memory: those that hold the search text in any case of letters, in the order
 * asked for, equal ones by ascending id; `total` counts all that match.
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
