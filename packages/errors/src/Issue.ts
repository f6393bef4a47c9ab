import { Schema } from "effect"

/** The kinds of validation issue (shapes 1.2). */
export const IssueType = Schema.Literal(
  "missing",
  "json_invalid",
  "string_type",
  "string_too_short",
  "string_too_long",
  "string_pattern_mismatch",
  "int_type",
  "int_parsing",
  "float_type",
  "bool_type",
  "list_type",
  "object_type",
  "too_short",
  "too_long",
  "greater_than_equal",
  "less_than_equal",
  "enum",
  "datetime_parsing",
  "url_parsing",
  "value_error",
  "rule_violation"
)
export type IssueType = typeof IssueType.Type

/** Where a request is wrong: first `body`, `query`, `path` or `header`, then keys and indexes. */
export const Loc = Schema.Array(Schema.Union(Schema.String, Schema.Number))
export type Loc = typeof Loc.Type

/** One thing that is wrong with a request (shapes 1.2). */
export const Issue = Schema.Struct({ loc: Loc, msg: Schema.String, type: IssueType })
export type Issue = typeof Issue.Type
