import { Validator } from "@cfworker/json-schema"
import type { JsonSchema } from "../ModelRequest.js"

/** What of a value breaks a schema, in plain sentences; nothing when it obeys. */
export const violations = (schema: JsonSchema, value: unknown): ReadonlyArray<string> =>
  new Validator(schema, "2020-12", true).validate(value).errors.map(({ error }) => error)
