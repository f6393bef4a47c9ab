import { isKeywords, type Keywords } from "./Conjoined.js"

/** Keywords that limit values in a way that rules cannot tell. */
export const beyondRules: ReadonlyArray<string> = [
  "not",
  "if",
  "pattern",
  "multipleOf",
  "patternProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "unevaluatedItems",
  "contains"
]

const speaking: ReadonlyArray<readonly [type: string, ...keywords: ReadonlyArray<string>]> = [
  ["object", "properties", "required", "additionalProperties", "minProperties", "maxProperties"],
  ["array", "items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
  ["string", "minLength", "maxLength", "format", "pattern"],
  ["number", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
]

/** The types that the keywords of a schema speak of, for one that names no type. */
export const typesSpokenOf = (schema: Keywords): ReadonlyArray<string> =>
  speaking.flatMap(([type, ...keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)) ? [type] : [])

const limiting = new Set([
  "type",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  ...beyondRules,
  ...speaking.flatMap(([, ...keywords]) => keywords)
])

/** The keywords that limit values, without those that describe them. */
export const limitsOf = (schema: Keywords): Keywords =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => limiting.has(keyword)))

/** What a JSON pointer in a `$ref` leads to (RFC 6901); undefined where it leads nowhere, or out of the document. */
export const target = (root: unknown, ref: unknown): unknown => {
  if (ref === "#") return root
  if (typeof ref !== "string" || !ref.startsWith("#/")) return undefined
  return ref.slice(2).split("/").reduce<unknown>((place, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    if (Array.isArray(place)) return place[Number(key)]
    return isKeywords(place) && Object.hasOwn(place, key) ? place[key] : undefined
  }, root)
}
