import { Schema } from "effect"

/** What a filter takes (shapes 7.3, decisions 7, design: boards 3.5). */
export const FilterType = Schema.Literal("number", "string", "date", "dropdown", "date_range", "boolean", "list")
export type FilterType = typeof FilterType.Type

/** A name that SQL can use as `{{internal_name}}` (shapes 7.3, design: boards 3.5). */
export const FilterName = Schema.String.pipe(Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, {
  message: () => "Must be a letter or underscore, then up to 63 letters, digits and underscores"
}))

/** A UUID of a filter. */
export const FilterId = Schema.String.pipe(Schema.brand("FilterId"))
export type FilterId = typeof FilterId.Type

/** A filter of a board, shared by the widgets whose SQL uses its name (shapes 7.3). */
export class Filter extends Schema.Class<Filter>("Filter")({
  id: FilterId,
  internal_name: FilterName,
  display_label: Schema.String,
  filter_type: FilterType,
  /** Always text, which must read as the type; dates may be relative, such as `today-7d`. */
  default_value: Schema.NullOr(Schema.String),
  /** What a `dropdown` may be; empty for other types. */
  options: Schema.Array(Schema.String),
  /** Whether some widget needs a value and there is no default. */
  is_required: Schema.Boolean
}) {}
