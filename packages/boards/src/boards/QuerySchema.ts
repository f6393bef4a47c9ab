import { typeOf, viewColumns, viewName, Warehouse } from "@trunkline/warehouse"
import { Effect, Schema } from "effect"

/** What analysts can query: every table with its columns, in the order in which `select *` gives them (shapes 7.1). */
export class QuerySchema extends Schema.Class<QuerySchema>("QuerySchema")({
  tables: Schema.Array(Schema.Struct({
    name: Schema.String,
    description: Schema.String,
    columns: Schema.Array(Schema.Struct({
      name: Schema.String,
      /** As `String` or `Nullable Float` (shapes 7.4). */
      type: Schema.String,
      /** One sentence. */
      description: Schema.String
    }))
  })),
  /** Which SQL it is, such as `sqlite` (design: boards 3.7). */
  dialect: Schema.String
}) {
  /** What the warehouse has to offer; it is the same for every workspace. */
  static readonly current: Effect.Effect<QuerySchema, never, Warehouse> = Effect.map(
    Warehouse,
    ({ dialect }) =>
      new QuerySchema({
        tables: [{
          name: viewName,
          description: "Every attempt to talk to somebody: one row per dial or arrival, newest facts included.",
          columns: viewColumns.map((column) => ({
            name: column.name,
            type: typeOf(column),
            description: column.description
          }))
        }],
        dialect
      })
  )
}
