import { validate } from "@cfworker/json-schema"
import type { JsonSchema } from "../ModelRequest.js"
import { makeCheckableSchemas } from "./Checkable.js"
import { resolvePointer } from "./Keywords.js"
import { schemaFault } from "./SchemaFault.js"
import { maxWork, workOf } from "./Work.js"

/** Upper bound of reported violations, and of each in UTF-16 units. */
const max = { violations: 20, units: 300 }

const notJson = ["The value is no JSON value."]

/**
 * Makes a checker of values against a root schema, its parts, and schemas derived from them. A faulty schema has no
 * violations, and checks over the work limit are skipped (default: 15,000 visits of a schema to a value).
 */
export const makeSchemaChecker = (
  root: JsonSchema,
  mayTake: (work: number) => boolean = (work) => work <= maxWork
): (schema: unknown, value: unknown) => ReadonlyArray<string> => {
  if (schemaFault(root) !== null) return () => []
  const checkable = makeCheckableSchemas((reference) => resolvePointer(root, reference))
  return (schema, value) => {
    try {
      const copy = checkable.of(schema)
      if (!mayTake(workOf(copy, value, checkable))) return []
      const { errors } = validate(value, copy, "2020-12", { ...checkable.schemas }, true)
      return errors.slice(0, max.violations).map(({ error, instanceLocation }) =>
        `${instanceLocation.slice(0, max.units)}: ${error.slice(0, max.units)}`
      )
    } catch (error) {
      return error instanceof RangeError ? [] : notJson
    }
  }
}

/**
 * Lists the violations of a JSON Schema (2020-12) by a value: up to 20 sentences, each after the JSON pointer of its
 * part. Formats are checked. Expensive checks are skipped: patterns that are invalid in Unicode mode, have
 * backreferences or nested repetitions, or meet a text too long for them; and the whole value when nested branches
 * would visit it more than 15,000 times or deeper than 250 levels. A schema with a fault (`schemaFault`) has no
 * violations. Never throws.
 */
export const violations = (schema: JsonSchema, value: unknown): ReadonlyArray<string> =>
  makeSchemaChecker(schema)(schema, value)
