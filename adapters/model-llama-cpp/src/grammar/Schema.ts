import { isJsonObject, type JsonObject, listOf } from "@trunkline/kernel"
import { resolvePointer } from "@trunkline/models"

/** Lists the types that a schema names. */
export const typesOf = ({ type }: JsonObject): ReadonlyArray<unknown> => type === undefined ? [] : [type].flat()

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const both = (one: unknown, other: unknown): unknown =>
  one === true ? other : other === true ? one : one === false || other === false ? false : { allOf: [one, other] }

const bothOfEach = (one: unknown, other: unknown): unknown => {
  if (!isJsonObject(one) || !isJsonObject(other)) return undefined
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      Object.hasOwn(one, name) && Object.hasOwn(other, name)
        ? both(one[name], other[name])
        : Object.hasOwn(one, name)
        ? one[name]
        : other[name]
    ])
  )
}

const greater = (one: unknown, other: unknown) => Math.max(Number(one), Number(other))
const lesser = (one: unknown, other: unknown) => Math.min(Number(one), Number(other))

const isOf = (type: unknown, types: ReadonlyArray<unknown>) =>
  types.includes(type) || (type === "integer" && types.includes("number"))

const commonTypes = (one: unknown, other: unknown): unknown => {
  const [left, right] = [typesOf({ type: one }), typesOf({ type: other })]
  return [...new Set([...left.filter((type) => isOf(type, right)), ...right.filter((type) => isOf(type, left))])]
}

const mergers: Readonly<Record<string, (one: unknown, other: unknown) => unknown>> = {
  type: commonTypes,
  properties: bothOfEach,
  additionalProperties: both,
  items: both,
  required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
  enum: (one, other) => {
    const texts = new Set(listOf(other).map((value) => JSON.stringify(value)))
    return listOf(one).filter((value) => texts.has(JSON.stringify(value)))
  },
  minimum: greater,
  exclusiveMinimum: greater,
  minLength: greater,
  minItems: greater,
  minProperties: greater,
  maximum: lesser,
  exclusiveMaximum: lesser,
  maxLength: lesser,
  maxItems: lesser,
  maxProperties: lesser
}

/** Merges two schemas into one for values that obey both; `unenforced` is called for keywords that cannot be merged. */
export const mergeSchemas = (one: JsonObject, other: JsonObject, unenforced: (keyword: string) => void): JsonObject =>
  Object.entries(other).reduce<JsonObject>((sum, [keyword, value]) => {
    if (!Object.hasOwn(sum, keyword)) return { ...sum, [keyword]: value }
    if (same(sum[keyword], value)) return sum
    const merge = Object.hasOwn(mergers, keyword) ? mergers[keyword] : undefined
    if (merge !== undefined) return { ...sum, [keyword]: merge(sum[keyword], value) }
    unenforced(keyword)
    return sum
  }, one)

/** Keywords that a grammar cannot express. */
export const unsupportedKeywords: ReadonlyArray<string> = [
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

const keywordsByType: ReadonlyArray<readonly [type: string, ...keywords: ReadonlyArray<string>]> = [
  ["object", "properties", "required", "additionalProperties", "minProperties", "maxProperties"],
  ["array", "items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
  ["string", "minLength", "maxLength", "format", "pattern"],
  ["number", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
]

/** Infers the types of a schema without `type` from its keywords. */
export const inferredTypesOf = (schema: JsonObject): ReadonlyArray<string> =>
  keywordsByType.flatMap(([type, ...keywords]) =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword)) ? [type] : []
  )

const constraints = new Set([
  "type",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  ...unsupportedKeywords,
  ...keywordsByType.flatMap(([, ...keywords]) => keywords)
])

/** Keeps the keywords that constrain values, and drops those that describe them. */
export const constraintsOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => constraints.has(keyword)))

/** Resolves a `$ref` within the document; undefined if it points nowhere. */
export const resolveRef = (root: unknown, ref: unknown): unknown =>
  typeof ref === "string" ? resolvePointer(root, ref) : undefined
