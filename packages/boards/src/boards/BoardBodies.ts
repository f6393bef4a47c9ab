import { VizConfig, VizType } from "@trunkline/charts"
import { issueType } from "@trunkline/errors"
import { maxPageLimit, QueryInt, withReadOnly } from "@trunkline/kernel"
import { Either, Option, type ParseResult, Schema, Struct } from "effect"
import { FilterDecls } from "../filters/DeclaredFilters.js"
import { Filter, filterFields } from "../filters/Filter.js"
import { BoardRecord, TabId, TabRecord, WidgetRecord } from "./Board.js"

/** Most characters in the name of a board, a tab or a widget. */
const maxNameLength = 60
/** Most characters in the tag of a board. */
const maxTagLength = 40
/** Most bytes of a widget's SQL, in UTF-8. */
export const maxSqlBytes = 64 * 1024
/** Most characters of a widget's `viz_config`, as JSON. */
export const maxVizConfigLength = 16 * 1024
/** Most boards in a workspace. */
export const maxBoards = 1_000
/** Most tabs on a board. */
export const maxTabs = 20
/** Most widgets on a tab. */
export const maxWidgets = 50
/** Most filters on a board. */
export const maxFilters = 100
/** Most characters in the SQL, settings and filters of one board together, because a board is loaded as a whole. */
export const maxBoardLength = 1024 * 1024
/** Boards per page of a list by default. */
const defaultPageLimit = 50
/** Name of the tab that every new board has. */
export const defaultTabName = "Main"

const toJson = Option.liftThrowable((value: unknown) => JSON.stringify(value))

/** A `viz_config` of at most `maxVizConfigLength` characters as JSON. */
const VizSettings = VizConfig.pipe(
  Schema.filter((config) => Option.exists(toJson(config), (json) => json.length <= maxVizConfigLength), {
    message: () => `Must have at most ${maxVizConfigLength} characters as JSON`
  })
)

const unknownKeys = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const column = Schema.String.pipe(Schema.minLength(1))

const issueReader = <A, I>(settings: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(Schema.Struct({ viz_config: settings }), { errors: "all" })
  return (viz_config: VizConfig) => Option.map(Either.getLeft(decode({ viz_config })), ({ issue }) => issue)
}

const plotIssue = issueReader(
  Schema.Struct({ x_axis: column, y_axis: Schema.Array(column).pipe(Schema.minItems(1)) }, unknownKeys)
)

const vizIssueReaders: { readonly [T in VizType]: (config: VizConfig) => Option.Option<ParseResult.ParseIssue> } = {
  table: () => Option.none(),
  number: issueReader(Schema.Struct({ value_column: Schema.optional(column) }, unknownKeys)),
  bar: plotIssue,
  line: plotIssue
}

/**
 * Validates a `viz_config` against a visualization type: `bar` and `line` require the text `x_axis` and at least one
 * text in `y_axis`; `number` accepts the text `value_column`. Other keys are not checked. The path of the issue begins
 * with `viz_config`.
 */
export const vizIssue = (type: VizType, config: VizConfig): Option.Option<ParseResult.ParseIssue> =>
  vizIssueReaders[type](config)

const maxCharacters = (limit: number) => <R>(text: Schema.Schema<string, string, R>) =>
  text.pipe(
    Schema.filter((text) => text.length <= limit || Array.from(text).length <= limit, {
      message: () => `Must have at most ${limit} characters`,
      jsonSchema: { maxLength: limit },
      ...issueType("string_too_long")
    })
  )

/** Name of a board, tab or widget: 1 to 60 characters on one line; surrounding space is trimmed. */
const Name = Schema.Trim.pipe(
  Schema.minLength(1),
  maxCharacters(maxNameLength),
  Schema.pattern(/^\P{Cc}*$/u, { identifier: "Name", message: () => "Must be one line of text" })
)

/** Tag that groups boards: at most 40 characters; surrounding space is trimmed. An empty tag becomes null. */
const Tag = Schema.NullOr(Schema.Trim.pipe(maxCharacters(maxTagLength))).pipe(
  Schema.transform(Schema.NullOr(Schema.String), {
    strict: true,
    decode: (tag) => tag === "" ? null : tag,
    encode: (tag) => tag
  })
)

const encoder = new TextEncoder()

/** SQL of a widget: not empty, at most 64 KiB in UTF-8. */
export const WidgetSql = Schema.String.pipe(
  Schema.minLength(1),
  Schema.filter((sql) => sql.length <= maxSqlBytes && encoder.encode(sql).length <= maxSqlBytes, {
    message: () => `Must have at most ${maxSqlBytes} bytes`,
    jsonSchema: { maxLength: maxSqlBytes },
    ...issueType("string_too_long")
  })
)

const Declarations = FilterDecls.pipe(Schema.maxItems(maxFilters))

const optionalNullable = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optional(Schema.NullOr(schema))

/** Page of a list of boards; by default the first 50. */
export const ListBoards = Schema.Struct({
  limit: Schema.optionalWith(
    QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(maxPageLimit)),
    { default: () => defaultPageLimit }
  ),
  offset: Schema.optionalWith(QueryInt.pipe(Schema.greaterThanOrEqualTo(0)), { default: () => 0 })
})
export type ListBoards = typeof ListBoards.Type

/** Body that creates a board. */
export const CreateBoard = Schema.Struct({
  name: Name,
  tag: Schema.optionalWith(Tag, { default: () => null })
})
export type CreateBoard = typeof CreateBoard.Type

/**
 * Body that changes a board. Absent fields stay unchanged; null clears the tag and leaves the name unchanged. A board that
 * was read can be sent back; its tabs and filters have routes of their own.
 */
export const PatchBoard = withReadOnly(
  Schema.Struct({ name: optionalNullable(Name), tag: Schema.optional(Tag) }),
  Struct.keys(BoardRecord.fields)
)
export type PatchBoard = typeof PatchBoard.Type

/** Body that appends a tab to a board. */
export const CreateTab = Schema.Struct({ name: Name })
export type CreateTab = typeof CreateTab.Type

/** Body that changes a tab. Absent and null fields stay unchanged; a position beyond the end means the end. */
export const PatchTab = withReadOnly(
  Schema.Struct({ name: optionalNullable(Name), position: optionalNullable(Schema.NonNegativeInt) }),
  Struct.keys(TabRecord.fields)
)
export type PatchTab = typeof PatchTab.Type

/** Body that appends a widget to a tab, by default the first tab. */
export const CreateWidget = Schema.Struct({
  name: Name,
  sql: WidgetSql,
  viz_type: Schema.optionalWith(VizType, { default: () => "table" }),
  viz_config: Schema.optionalWith(VizSettings, { default: () => ({}) }),
  filters: Schema.optionalWith(Declarations, { default: () => [] }),
  tab_id: Schema.optionalWith(Schema.NullOr(TabId), { default: () => null })
}).pipe(
  Schema.filter(({ viz_config, viz_type }) => Option.getOrUndefined(vizIssue(viz_type, viz_config)))
)
export type CreateWidget = typeof CreateWidget.Type

/**
 * Body that changes a widget. Absent and null fields stay unchanged; `viz_config` is replaced as a whole. Moving to
 * another tab appends the widget unless a position is given; a position beyond the end means the end.
 */
export const PatchWidget = withReadOnly(
  Schema.Struct({
    name: optionalNullable(Name),
    sql: optionalNullable(WidgetSql),
    viz_type: optionalNullable(VizType),
    viz_config: optionalNullable(VizSettings),
    filters: optionalNullable(Declarations),
    tab_id: optionalNullable(TabId),
    position: optionalNullable(Schema.NonNegativeInt)
  }),
  Struct.keys(WidgetRecord.fields)
)
export type PatchWidget = typeof PatchWidget.Type

/**
 * Body that changes a filter. Absent fields stay unchanged; null clears the default value and leaves other fields
 * unchanged. `options` apply only to a `dropdown`.
 */
export const PatchFilter = withReadOnly(
  Schema.Struct({
    display_label: optionalNullable(filterFields.display_label),
    filter_type: optionalNullable(filterFields.filter_type),
    default_value: optionalNullable(filterFields.default_value),
    options: optionalNullable(filterFields.options)
  }),
  Struct.keys(Filter.fields)
)
export type PatchFilter = typeof PatchFilter.Type
