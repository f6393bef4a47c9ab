import { fieldOf, isJsonObject, listOf, objectOf } from "@trunkline/kernel"
import type { JsonSchema } from "../ModelRequest.js"

/** The keywords of JSON Schema 2020-12 and of draft 7 that have a say in which values are valid, by what they hold. */
const keywords = [
  ["schema", ["not", "if", "then", "else", "contains", "propertyNames"]],
  ["schema", ["additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties"]],
  ["schemas", ["allOf", "anyOf", "oneOf", "prefixItems"]],
  ["schemaMap", ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"]],
  ["items", ["items"]],
  ["dependencies", ["dependencies"]],
  ["count", ["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"]],
  ["count", ["minProperties", "maxProperties"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]],
  ["step", ["multipleOf"]],
  ["flag", ["uniqueItems"]],
  ["text", ["format", "$ref"]],
  ["pattern", ["pattern"]],
  ["names", ["required"]],
  ["nameMap", ["dependentRequired"]],
  ["values", ["enum"]],
  ["types", ["type"]],
  ["any", ["const"]]
] as const

/** What a keyword's value must be. */
export type KeywordKind = typeof keywords[number][0]

const kinds: ReadonlyMap<string, KeywordKind> = new Map(
  keywords.flatMap(([kind, names]) => names.map((name) => [name, kind]))
)

/** What of a schema speaks of the same value as the schema itself. */
const inPlace: ReadonlyArray<string> = ["not", "if", "then", "else"]

/** The kind of a keyword; undefined for others, which say nothing about values. */
export const kindOf = (keyword: string): KeywordKind | undefined => kinds.get(keyword)

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
export const sameValueSchemas = (schema: JsonSchema): ReadonlyArray<unknown> => [
  ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => listOf(fieldOf(schema, keyword))),
  ...inPlace.map((keyword) => fieldOf(schema, keyword)).filter((inner) => inner !== undefined),
  ...["dependentSchemas", "dependencies"].flatMap((keyword) =>
    Object.values(objectOf(fieldOf(schema, keyword))).filter(isJsonObject)
  )
]

const listIndex = /^(?:0|[1-9]\d{0,9})$/

const decoded = (step: string): string => {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/**
 * What a reference within a schema points at: `#`, or `#/` and a JSON pointer (RFC 6901); undefined when nothing is
 * there, or when it points elsewhere.
 */
export const resolvePointer = (root: unknown, reference: string): unknown => {
  if (reference === "#") return root
  if (!reference.startsWith("#/")) return undefined
  let at: unknown = root
  for (const encoded of reference.slice(2).split("/")) {
    const step = decoded(encoded).replaceAll("~1", "/").replaceAll("~0", "~")
    if (Array.isArray(at)) at = listIndex.test(step) ? at[Number(step)] : undefined
    else at = isJsonObject(at) ? fieldOf(at, step) : undefined
    if (at === undefined) return undefined
  }
  return at
}
