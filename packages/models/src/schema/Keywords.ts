import type { JsonSchema } from "../ModelRequest.js"
import { fieldOf, isObject, listOf, objectOf } from "./Json.js"

/** What a keyword's value must be. */
export type KeywordKind =
  | "schema"
  | "schemas"
  | "schemaMap"
  | "items"
  | "dependencies"
  | "count"
  | "number"
  | "step"
  | "flag"
  | "text"
  | "pattern"
  | "reference"
  | "names"
  | "nameMap"
  | "values"
  | "types"
  | "any"

/** The keywords of JSON Schema 2020-12 and of draft 7 that have a say in which values are valid. */
export const keywords: Readonly<Record<string, KeywordKind>> = {
  $ref: "reference",
  $defs: "schemaMap",
  definitions: "schemaMap",
  type: "types",
  enum: "values",
  const: "any",
  allOf: "schemas",
  anyOf: "schemas",
  oneOf: "schemas",
  not: "schema",
  if: "schema",
  then: "schema",
  else: "schema",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "step",
  minLength: "count",
  maxLength: "count",
  pattern: "pattern",
  format: "text",
  items: "items",
  prefixItems: "schemas",
  additionalItems: "schema",
  unevaluatedItems: "schema",
  contains: "schema",
  minContains: "count",
  maxContains: "count",
  minItems: "count",
  maxItems: "count",
  uniqueItems: "flag",
  properties: "schemaMap",
  patternProperties: "schemaMap",
  additionalProperties: "schema",
  unevaluatedProperties: "schema",
  propertyNames: "schema",
  minProperties: "count",
  maxProperties: "count",
  required: "names",
  dependentRequired: "nameMap",
  dependentSchemas: "schemaMap",
  dependencies: "dependencies"
}

/** What of a schema speaks of the same value as the schema itself. */
const inPlace: ReadonlyArray<string> = ["not", "if", "then", "else"]

/** The kind of a keyword; undefined for others, which say nothing about values. */
export const kindOf = (keyword: string): KeywordKind | undefined =>
  Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined

/** The schemas directly within a keyword's value. */
export const schemasIn = (kind: KeywordKind, value: unknown): ReadonlyArray<unknown> => {
  switch (kind) {
    case "schema":
      return [value]
    case "schemas":
      return listOf(value)
    case "items":
      return Array.isArray(value) ? listOf(value) : [value]
    case "schemaMap":
      return Object.values(objectOf(value))
    case "dependencies":
      return Object.values(objectOf(value)).filter((inner) => !Array.isArray(inner))
    default:
      return []
  }
}

/** The schemas that speak of the same value as a schema does, what it refers to apart. */
export const besides = (schema: JsonSchema): ReadonlyArray<unknown> => [
  ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => listOf(fieldOf(schema, keyword))),
  ...inPlace.map((keyword) => fieldOf(schema, keyword)).filter((inner) => inner !== undefined),
  ...["dependentSchemas", "dependencies"].flatMap((keyword) =>
    Object.values(objectOf(fieldOf(schema, keyword))).filter(isObject)
  )
]
