import { canonicalJson, fieldOf, isJsonObject, listOf, objectOf, stringsOf } from "@trunkline/kernel"
import { compilePattern, type JsonSchema } from "@trunkline/models"

/** Merges two values of a keyword. */
type Merge = (a: unknown, b: unknown) => unknown

const number = (choose: (a: number, b: number) => number): Merge => (a, b) =>
  typeof a !== "number" ? b : typeof b !== "number" ? a : choose(a, b)

const maxOf = number(Math.max)
const smallest = number(Math.min)

const divisor = (a: number, b: number): number => b < 1e-9 ? a : divisor(b, a % b)
const multiple = number((a, b) => a > 0 && b > 0 ? (a / divisor(a, b)) * b : a)

const typeNames = (value: unknown): ReadonlyArray<string> => typeof value === "string" ? [value] : stringsOf(value)

const types: Merge = (a, b) => {
  const [first, second] = [typeNames(a), typeNames(b)]
  const has = (names: ReadonlyArray<string>, name: string) =>
    names.includes(name) || (name === "integer" && names.includes("number"))
  return [...new Set([...first.filter((name) => has(second, name)), ...second.filter((name) => has(first, name))])]
}

const common: Merge = (a, b) => {
  const valuesOfB = new Set(listOf(b).map((value) => canonicalJson(value)))
  return listOf(a).filter((value) => valuesOfB.has(canonicalJson(value)))
}

const union: Merge = (a, b) => [...new Set([...listOf(a), ...listOf(b)])]

/** Combines two schemas. */
const both: Merge = (a, b) => {
  if (a === undefined || a === true) return b
  if (b === undefined || b === true) return a
  return a === false || b === false ? false : { allOf: [a, b] }
}

const maps: Merge = (a, b) => {
  const [first, second] = [objectOf(a), objectOf(b)]
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...names].map((name) => [name, both(fieldOf(first, name), fieldOf(second, name))]))
}

const lists: Merge = (a, b) => {
  const [first, second] = [listOf(a), listOf(b)]
  return Array.from({ length: Math.max(first.length, second.length) }, (_, index) => both(first[index], second[index]))
}

const requiredMerge: Merge = (a, b) => {
  const [first, second] = [objectOf(a), objectOf(b)]
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...names].map((name) => [name, union(fieldOf(first, name), fieldOf(second, name))]))
}

const mergers: Readonly<Record<string, Merge>> = {
  type: types,
  enum: common,
  minimum: maxOf,
  exclusiveMinimum: maxOf,
  maximum: smallest,
  exclusiveMaximum: smallest,
  multipleOf: multiple,
  minLength: maxOf,
  maxLength: smallest,
  minItems: maxOf,
  maxItems: smallest,
  minContains: maxOf,
  maxContains: smallest,
  minProperties: maxOf,
  maxProperties: smallest,
  uniqueItems: (a, b) => a === true || b === true,
  items: both,
  contains: both,
  prefixItems: lists,
  required: union,
  dependentRequired: requiredMerge,
  dependentSchemas: maps,
  patternProperties: maps,
  propertyNames: both,
  additionalProperties: both,
  unevaluatedProperties: both,
  unevaluatedItems: both,
  not: (a, b) => ({ anyOf: [a, b] })
}

/** Returns a schema's constraint on properties that it does not name. */
const othersOf = (schema: JsonSchema, name: string): unknown => {
  const patterns = Object.entries(objectOf(fieldOf(schema, "patternProperties")))
  const fitting = patterns.filter(([pattern]) => compilePattern(pattern).test(name) !== false)
  return fitting.length > 0 ? true : fieldOf(schema, "additionalProperties")
}

/** Merges properties; each schema may forbid those of the other. */
const propertiesOf = (a: JsonSchema, b: JsonSchema): JsonSchema => {
  const [first, second] = [objectOf(fieldOf(a, "properties")), objectOf(fieldOf(b, "properties"))]
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...names].map((name) => [
    name,
    both(
      Object.hasOwn(first, name) ? first[name] : othersOf(a, name),
      Object.hasOwn(second, name) ? second[name] : othersOf(b, name)
    )
  ]))
}

/** Merges two schemas; of keywords that cannot be merged the first one wins. */
export const mergeTwo = (a: JsonSchema, b: JsonSchema): JsonSchema => {
  const together = Object.entries(b).map(([keyword, value]): [string, unknown] => {
    if (!Object.hasOwn(a, keyword)) return [keyword, value]
    const merge = Object.hasOwn(mergers, keyword) ? mergers[keyword] : undefined
    return [keyword, merge === undefined ? a[keyword] : merge(a[keyword], value)]
  })
  const hasProperties = isJsonObject(fieldOf(a, "properties")) || isJsonObject(fieldOf(b, "properties"))
  return { ...a, ...Object.fromEntries(together), ...(hasProperties && { properties: propertiesOf(a, b) }) }
}

/** Merges schemas, with precedence to the first. */
export const mergeAll = (schemas: ReadonlyArray<JsonSchema>): JsonSchema => {
  const [first = {}, ...rest] = schemas
  if (rest.length === 0) return first
  const half = Math.ceil(schemas.length / 2)
  return mergeTwo(mergeAll(schemas.slice(0, half)), mergeAll(schemas.slice(half)))
}

const isAbove = (a: unknown, b: unknown) => typeof a === "number" && typeof b === "number" && a > b

/** Checks whether a schema is obviously unsatisfiable. */
export const isImpossible = (schema: JsonSchema): boolean => {
  const emptyList = (keyword: string) => {
    const value = fieldOf(schema, keyword)
    return Array.isArray(value) && value.length === 0
  }
  return emptyList("type") || emptyList("enum") ||
    [["minimum", "maximum"], ["minLength", "maxLength"], ["minItems", "maxItems"], ["minProperties", "maxProperties"]]
      .some(([low = "", high = ""]) => isAbove(fieldOf(schema, low), fieldOf(schema, high)))
}
