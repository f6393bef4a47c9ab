import { VizType } from "@trunkline/charts"
import { issueType } from "@trunkline/errors"
import { MAX_PAGE_LIMIT, QueryInt } from "@trunkline/kernel"
import { Option, Schema } from "effect"
import { FilterDecl, filterFields } from "../filters/FilterDecl.js"
import { TabId } from "./Board.js"
import { DEFAULT_PAGE_LIMIT, MAX_FILTERS, MAX_NAME_LENGTH, MAX_SQL_BYTES, MAX_TAG_LENGTH } from "./BoardLimits.js"
import { Settings, vizIssue } from "./VizRules.js"

const atMost = (limit: number) => <R>(text: Schema.Schema<string, string, R>) =>
  text.pipe(
    Schema.filter((text) => text.length <= limit || Array.from(text).length <= limit, {
      message: () => `Must have at most ${limit} characters`,
      jsonSchema: { maxLength: limit },
      ...issueType("string_too_long")
    })
  )

/** What people call a board, a tab or a widget: 1 to 60 characters, without space around it (shapes 7.2, 7.3). */
export const Name = Schema.Trim.pipe(
  Schema.minLength(1),
  atMost(MAX_NAME_LENGTH),
  Schema.pattern(/^\P{Cc}*$/u, { identifier: "Name", message: () => "Must be one line of text" })
)

/** What boards are grouped by: at most 40 characters, without space around it; empty is none (shapes 7.2). */
export const Tag = Schema.NullOr(Schema.Trim.pipe(atMost(MAX_TAG_LENGTH))).pipe(
  Schema.transform(Schema.NullOr(Schema.String), {
    strict: true,
    decode: (tag) => tag === "" ? null : tag,
    encode: (tag) => tag
  })
)

const encoder = new TextEncoder()

/** SQL as an analyst writes it: at least a character, at most 64 KiB in UTF-8 (shapes 7.3, design: boards 3.2). */
export const WidgetSql = Schema.String.pipe(
  Schema.minLength(1),
  Schema.filter((sql) => sql.length <= MAX_SQL_BYTES && encoder.encode(sql).length <= MAX_SQL_BYTES, {
    message: () => `Must have at most ${MAX_SQL_BYTES} bytes`,
    jsonSchema: { maxLength: MAX_SQL_BYTES },
    ...issueType("string_too_long")
  })
)

const Declared = Schema.Array(FilterDecl).pipe(Schema.maxItems(MAX_FILTERS))

const may = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optional(Schema.NullOr(schema))

/** Which boards of a list are asked for: the first 50, unless said otherwise (shapes 7.1). */
export const ListBoards = Schema.Struct({
  limit: Schema.optionalWith(
    QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(MAX_PAGE_LIMIT)),
    { default: () => DEFAULT_PAGE_LIMIT }
  ),
  offset: Schema.optionalWith(QueryInt.pipe(Schema.greaterThanOrEqualTo(0)), { default: () => 0 })
})
export type ListBoards = typeof ListBoards.Type

/** What creates a board (shapes 7.1). */
export const CreateBoard = Schema.Struct({
  name: Name,
  tag: Schema.optionalWith(Tag, { default: () => null })
})
export type CreateBoard = typeof CreateBoard.Type

/** What changes a board: absent is unchanged; null clears the tag and leaves the name (shapes 0.3). */
export const PatchBoard = Schema.Struct({ name: may(Name), tag: Schema.optional(Tag) })
export type PatchBoard = typeof PatchBoard.Type

/** What adds a tab to a board, as its last (shapes 7.1). */
export const CreateTab = Schema.Struct({ name: Name })
export type CreateTab = typeof CreateTab.Type

/** What changes a tab; absent and null are unchanged. A position beyond the last is the last (shapes 7.1). */
export const PatchTab = Schema.Struct({ name: may(Name), position: may(Schema.NonNegativeInt) })
export type PatchTab = typeof PatchTab.Type

/** What adds a widget to a board, as the last of its tab: the first tab, unless another is named (shapes 7.3). */
export const CreateWidget = Schema.Struct({
  name: Name,
  sql: WidgetSql,
  viz_type: Schema.optionalWith(VizType, { default: () => "table" }),
  viz_config: Schema.optionalWith(Settings, { default: () => ({}) }),
  filters: Schema.optionalWith(Declared, { default: () => [] }),
  tab_id: Schema.optionalWith(Schema.NullOr(TabId), { default: () => null })
}).pipe(
  Schema.filter(({ viz_config, viz_type }) => Option.getOrUndefined(vizIssue(viz_type, viz_config)))
)
export type CreateWidget = typeof CreateWidget.Type

/**
 * What changes a widget; absent and null are unchanged, `viz_config` is replaced whole. In another tab it comes last,
 * unless a position is given; a position beyond the last is the last (shapes 0.3, 7.1).
 */
export const PatchWidget = Schema.Struct({
  name: may(Name),
  sql: may(WidgetSql),
  viz_type: may(VizType),
  viz_config: may(Settings),
  filters: may(Declared),
  tab_id: may(TabId),
  position: may(Schema.NonNegativeInt)
})
export type PatchWidget = typeof PatchWidget.Type

/**
 * What changes a filter; absent is unchanged, null clears the default value and leaves the rest. `options` are for a
 * `dropdown` alone (shapes 7.1, 7.3).
 */
export const PatchFilter = Schema.Struct({
  display_label: may(filterFields.display_label),
  filter_type: may(filterFields.filter_type),
  default_value: may(filterFields.default_value),
  options: may(filterFields.options)
})
export type PatchFilter = typeof PatchFilter.Type
