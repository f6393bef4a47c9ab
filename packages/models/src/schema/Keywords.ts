import { fieldOf, isJsonObject, listOf, objectOf } from "@trunkline/kernel"
import type { JsonSchema } from "../ModelRequest.js"

/** Validating keywords of JSON Schema 2020-12 and draft 7, by the kind of their value. */
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

/** Kind of a keyword's value. */
export type KeywordKind = typeof keywords[number][0]

const kinds: ReadonlyMap<string, KeywordKind> = new Map(
  keywords.flatMap(([kind, names]) => names.map((name) => [name, kind]))
)

/** Names of all keywords that validate. */
export const keywordNames: ReadonlyArray<string> = Array.from(kinds.keys())

/** Keywords whose schema applies to the same value. */
const inPlace: ReadonlyArray<string> = ["not", "if", "then", "else"]

/** Looks up the kind of a keyword; undefined for keywords that do not validate. */
export const kindOf = (keyword: string): KeywordKind | undefined => kinds.get(keyword)

/** Lists the schemas directly within a keyword's value. */
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

/** Lists the subschemas that apply to the same value as a schema, except the target of its `$ref`. */
export const sameValueSchemas = (schema: JsonSchema): ReadonlyArray<unknown> => [
  ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => listOf(fieldOf(schema, keyword))),
  ...inPlace.map((keyword) => fieldOf(schema, keyword)).filter((inner) => inner !== undefined),
  ...["dependentSchemas", "dependencies"].flatMap((keyword) =>
    Object.values(objectOf(fieldOf(schema, keyword))).filter(isJsonObject)
  )
]

const listIndex = /^(?:0|[1-9]\d{0,9})$/

const decode = (step: string): string => {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/**
 * Resolves a reference within a schema: `#`, or `#/` and a JSON pointer (RFC 6901). Undefined if it points to nothing
 * or outside the schema.
 */
export const resolvePointer = (root: unknown, reference: string): unknown => {
  if (reference === "#") return root
  if (!reference.startsWith("#/")) return undefined
  let at: unknown = root
  for (const encodedText of reference.slice(2).split("/")) {
    const step = decode(encodedText).replaceAll("~1", "/").replaceAll("~0", "~")
    if (Array.isArray(at)) at = listIndex.test(step) ? at[Number(step)] : undefined
    else at = isJsonObject(at) ? fieldOf(at, step) : undefined
    if (at === undefined) return undefined
  }
  return at
}
