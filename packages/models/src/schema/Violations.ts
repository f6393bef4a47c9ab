import { validate } from "@cfworker/json-schema"
import type { JsonSchema } from "../ModelRequest.js"
import { makeCheckableSchemas } from "./Checkable.js"
import { resolvePointer } from "./Keywords.js"
import { schemaFault } from "./SchemaFault.js"
import { maxWork, workOf } from "./Work.js"

/** How many violations are told, and how much of each, in UTF-16 units. */
const most = { violations: 20, units: 300 }

const notJson = ["The value is no JSON value."]

/**
 * Checks values against schemas: a schema, or parts of it and schemas made of them, which refer to it. A faulty schema
 * has no violations, and what takes more work than is allowed goes unchecked (unless told 15,000 visits of a schema to a
 * value).
 */
export const makeSchemaChecker = (
  root: JsonSchema,
  mayTake: (work: number) => boolean = (work) => work <= maxWork
): (schema: unknown, value: unknown) => ReadonlyArray<string> => {
  if (schemaFault(root) !== null) return () => []
  const known = makeCheckableSchemas((reference) => resolvePointer(root, reference))
  return (schema, value) => {
    try {
      const copy = known.of(schema)
      if (!mayTake(workOf(copy, value, known))) return []
      const { errors } = validate(value, copy, "2020-12", { ...known.schemas }, true)
      return errors.slice(0, most.violations).map(({ error, instanceLocation }) =>
        `${instanceLocation.slice(0, most.units)}: ${error.slice(0, most.units)}`
      )
    } catch (error) {
      return error instanceof RangeError ? [] : notJson
    }
  }
}

/**
 * What of a value breaks a JSON Schema (2020-12): up to 20 sentences, each after the JSON pointer of the part that it is
 * about; none when the value obeys. Formats are checked. Some things go unchecked rather than take long: patterns that
 * are none in Unicode mode, that have backreferences or repetitions of repetitions, or that meet a text too long for
 * them; and the whole value when branches within branches would visit it more than 15,000 times, or deeper than 250
 * levels. A schema that has a fault (`schemaFault`) has no violations. Never throws.
 */
export const violations = (schema: JsonSchema, value: unknown): ReadonlyArray<string> =>
  makeSchemaChecker(schema)(schema, value)
