import { type FieldName, type FilterCondition, isFieldName, variableName } from "@trunkline/analytics"
import { DateTime } from "effect"
import { type RawBuilder, sql, type SqlBool } from "kysely"
import { sqlText } from "../sql/Rows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

type Value = string | number

/** The value of a field: a column of the catalog, or an agent variable. Null when the call has none. */
const fieldValue = (
  { namedField }: SqlDialect,
  field: string
): readonly [text: string, ...values: Array<string | null>] =>
  isFieldName(field) ? [`calls.${field}`] : [namedField("calls.variables"), variableName(field)]

/** The column of a catalog field. */
export const fieldColumn = (field: FieldName): RawBuilder<Value | null> => sql.ref<Value | null>(`calls.${field}`)

/** Length of a text in code points, as SQL counts it. */
const codePointLength = (text: string): number => Array.from(text).length

/**
 * A condition in SQL, equivalent to `matches` of `@trunkline/analytics`. Without a value in the field every comparison but
 * `not_equals` is null, which does not count as true.
 */
export const conditionSql = (dialect: SqlDialect, condition: FilterCondition): RawBuilder<SqlBool> => {
  const [actual, ...values] = fieldValue(dialect, condition.field)
  const place = dialect.placeIn(dialect.foldCase(actual))
  const value = condition.kind === "datetime" ? DateTime.toEpochMillis(condition.value) : condition.value
  const foldedText = String(value).toLowerCase()
  switch (condition.operator) {
    case "equals":
      return sqlText(`${actual} = ?`, ...values, value)
    case "not_equals":
      return sqlText(`${actual} is distinct from ?`, ...values, value)
    case "greater_than":
      return sqlText(`${actual} > ?`, ...values, value)
    case "less_than":
      return sqlText(`${actual} < ?`, ...values, value)
    case "includes":
      return sqlText(`${place} > 0`, ...values, foldedText)
    case "starts_with":
      return sqlText(`${place} = 1`, ...values, foldedText)
    case "ends_with":
      return foldedText === ""
        ? sqlText(`${actual} is not null`, ...values)
        : sqlText(`${dialect.ending(dialect.foldCase(actual))} = ?`, ...values, codePointLength(foldedText), foldedText)
  }
}
