import { columnTypeOf, viewColumns, viewName, Warehouse } from "@trunkline/warehouse"
import { Effect, Schema } from "effect"

/** Schema for analysts: every table with its columns, in `select *` order. */
export class QuerySchema extends Schema.Class<QuerySchema>("QuerySchema")({
  tables: Schema.Array(Schema.Struct({
    name: Schema.String,
    description: Schema.String,
    columns: Schema.Array(Schema.Struct({
      name: Schema.String,
      /** Such as `String` or `Nullable Float`. */
      type: Schema.String,
      /** One sentence. */
      description: Schema.String
    }))
  })),
  /** SQL dialect, such as `sqlite`. */
  dialect: Schema.String
}) {
  /** Schema of the warehouse; the same for every workspace. */
  static readonly current: Effect.Effect<QuerySchema, never, Warehouse> = Effect.map(
    Warehouse,
    ({ dialect }) =>
      new QuerySchema({
        tables: [{
          name: viewName,
          description: "Every call attempt: one row per outbound dial or inbound call, including the latest ones.",
          columns: viewColumns.map((column) => ({
            name: column.name,
            type: columnTypeOf(column),
            description: column.description
          }))
        }],
        dialect
      })
  )
}
