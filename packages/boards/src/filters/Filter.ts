import { withReadOnly } from "@trunkline/kernel"
import { Schema } from "effect"

/** Value type of a filter. */
export const FilterType = Schema.Literal("number", "string", "date", "dropdown", "date_range", "boolean", "list")
export type FilterType = typeof FilterType.Type

/** Name of a filter, used in SQL as `{{internal_name}}`. */
export const FilterName = Schema.String.pipe(Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, {
  message: () => "Must be a letter or underscore, then up to 63 letters, digits and underscores"
}))

/** UUID of a filter. */
export const FilterId = Schema.String.pipe(Schema.brand("FilterId"))
export type FilterId = typeof FilterId.Type

/** A filter of a board, shared by all widgets whose SQL uses its name. */
export class Filter extends Schema.Class<Filter>("Filter")({
  id: FilterId,
  internal_name: FilterName,
  display_label: Schema.String,
  filter_type: FilterType,
  /** Text that parses as the filter's type; dates may be relative, such as `today-7d`. */
  default_value: Schema.NullOr(Schema.String),
  /** Allowed values of a `dropdown`; empty for other types. */
  options: Schema.Array(Schema.String),
  /** True when some widget needs a value and there is no default. */
  is_required: Schema.Boolean
}) {}

/** Most characters of a filter's label. */
const maxLabelLength = 120
/** Most bytes of a text value, and most characters of an option. */
export const maxValueLength = 4 * 1024
/** Most values of a list, and most options of a dropdown. */
export const maxListLength = 1_000
/** Most characters of a default value, which may be a list as JSON. */
const maxDefaultLength = 16 * 1024

/** Attributes of a filter that declarations and patches can set. */
export const filterFields = {
  display_label: Schema.Trim.pipe(Schema.minLength(1), Schema.maxLength(maxLabelLength)),
  filter_type: FilterType,
  /** Text that parses as the filter's type. */
  default_value: Schema.String.pipe(Schema.maxLength(maxDefaultLength)),
  /** Only for `dropdown`. */
  options: Schema.Array(Schema.String.pipe(Schema.maxLength(maxValueLength))).pipe(Schema.maxItems(maxListLength))
}

/** Declaration of a filter by a widget. The label defaults to the name; the default value is optional. */
export const FilterDecl = withReadOnly(
  Schema.Struct({
    internal_name: FilterName,
    filter_type: filterFields.filter_type,
    display_label: Schema.optional(Schema.NullOr(filterFields.display_label)),
    default_value: Schema.optional(Schema.NullOr(filterFields.default_value)),
    options: Schema.optional(Schema.NullOr(filterFields.options))
  }),
  ["id", "is_required"]
)
export type FilterDecl = typeof FilterDecl.Type
