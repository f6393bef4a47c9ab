import { DateTime } from "effect"
import type { CallRecord } from "./CallRecord.js"
import { kindOf, valueOf } from "./Fields.js"
import { type FilterCondition, OrderOperator, TextOperator } from "./FilterConditions.js"

/** Every comparison that makes sense of a field with these values: each operator with each value and a near miss. */
export const conditionsOn = (field: string, records: ReadonlyArray<CallRecord>): ReadonlyArray<FilterCondition> => {
  const values = [...new Set(records.map((record) => valueOf(record, field)))]
  const texts = values.filter((value) => typeof value === "string")
  const figures = values.filter((value) => typeof value === "number")
  const named = { id: "c1", field }
  switch (kindOf(field)) {
    case "string":
      return TextOperator.literals.flatMap((operator) =>
        [...texts, ...texts.map((text) => text.slice(1, -1)), ...texts.map((text) => text.toUpperCase()), "%", "_"].map(
          (value) => ({ ...named, kind: "string" as const, operator, value })
        )
      )
    case "number":
      return OrderOperator.literals.flatMap((operator) =>
        [...figures, -1, 0.5].map((value) => ({ ...named, kind: "number" as const, operator, value }))
      )
    case "datetime":
      return OrderOperator.literals.flatMap((operator) =>
        [...figures].map((value) => ({
          ...named,
          kind: "datetime" as const,
          operator,
          value: DateTime.unsafeMake(value)
        }))
      )
  }
}
