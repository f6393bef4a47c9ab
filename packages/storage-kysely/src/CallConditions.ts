import { type FieldName, type FilterCondition, isFieldName, variableName } from "@trunkline/analytics"
import { DateTime } from "effect"
import { type RawBuilder, sql, type SqlBool } from "kysely"

type Value = string | number

/** The expression of what a call has in a field: a column, or a variable of that name; null when it has nothing. */
const valueOf = (field: string): RawBuilder<Value | null> =>
  isFieldName(field)
    ? columnOf(field)
    : sql<Value>`(select value from json_each(calls.variables) where key = ${variableName(field)})`

/** The column of a field of the catalog. */
export const columnOf = (field: FieldName): RawBuilder<Value | null> => sql.ref<Value | null>(`calls.${field}`)

/** How many characters a text has for SQL, which counts code points. */
const lengthOf = (text: string): number => Array.from(text).length

/**
 * A condition in SQL, with the meaning that the domain's `matches` gives it. A call that has nothing in the field makes
 * every comparison but `not_equals` null, which is not true.
 */
export const conditionSql = (condition: FilterCondition): RawBuilder<SqlBool> => {
  const actual = valueOf(condition.field)
  const wanted = condition.kind === "datetime" ? DateTime.toEpochMillis(condition.value) : condition.value
  const folded = String(wanted).toLowerCase()
  switch (condition.operator) {
    case "equals":
      return sql`${actual} = ${wanted}`
    case "not_equals":
      return sql`${actual} is distinct from ${wanted}`
    case "greater_than":
      return sql`${actual} > ${wanted}`
    case "less_than":
      return sql`${actual} < ${wanted}`
    case "includes":
      return sql`instr(lower(${actual}), ${folded}) > 0`
    case "starts_with":
      return sql`instr(lower(${actual}), ${folded}) = 1`
    case "ends_with":
      return folded === ""
        ? sql`${actual} is not null`
        : sql`substr(lower(${actual}), ${-lengthOf(folded)}) = ${folded}`
  }
}
