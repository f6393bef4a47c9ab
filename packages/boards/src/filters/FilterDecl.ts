import { Schema } from "effect"
import { FilterName, FilterType } from "./Filter.js"

/** The most characters of a filter's label. */
export const MAX_LABEL_LENGTH = 120
/** The most characters of a text that a filter takes, and of one of its options: 4 KB (design: boards 3.5). */
export const MAX_VALUE_LENGTH = 4 * 1024
/** The most values of a list, and the most options of a dropdown (design: boards 3.5). */
export const MAX_LIST_LENGTH = 1_000
/** The most characters of a default value, which may be a list written as JSON. */
export const MAX_DEFAULT_LENGTH = 16 * 1024

/** What can be said of a filter, when it is declared and later on (shapes 7.1, 7.3). */
export const filterFields = {
  display_label: Schema.Trim.pipe(Schema.minLength(1), Schema.maxLength(MAX_LABEL_LENGTH)),
  filter_type: FilterType,
  /** Always text, which has to read as the type. */
  default_value: Schema.String.pipe(Schema.maxLength(MAX_DEFAULT_LENGTH)),
  /** For `dropdown` alone. */
  options: Schema.Array(Schema.String.pipe(Schema.maxLength(MAX_VALUE_LENGTH))).pipe(Schema.maxItems(MAX_LIST_LENGTH))
}

/**
 * A filter as a widget declares it (shapes 7.3). The label is the name unless one is given, and there is no default
 * value unless one is. A type that does not exist is refused with a 422.
 */
export const FilterDecl = Schema.Struct({
  internal_name: FilterName,
  filter_type: filterFields.filter_type,
  display_label: Schema.optional(Schema.NullOr(filterFields.display_label)),
  default_value: Schema.optional(Schema.NullOr(filterFields.default_value)),
  options: Schema.optional(Schema.NullOr(filterFields.options))
})
export type FilterDecl = typeof FilterDecl.Type
