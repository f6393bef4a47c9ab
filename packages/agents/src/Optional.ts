import { Schema } from "effect"

/** A key that may be absent, but not undefined: its issues speak of the value alone. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })
