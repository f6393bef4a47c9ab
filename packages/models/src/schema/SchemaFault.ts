import { fieldOf, isJsonObject, listOf, objectOf, stringOf } from "@trunkline/kernel"
import type { JsonSchema } from "../ModelRequest.js"
import { type KeywordKind, kindOf, resolvePointer, sameValueSchemas, schemasIn } from "./Keywords.js"
import { patternTree } from "./Pattern.js"

/** Size limits of a schema: nesting levels, and JSON values in all. */
export const schemaLimits = { levels: 64, values: 20_000 } as const

/** Size of a JSON value, incomplete if it exceeds the limits. */
interface Size {
  readonly levels: number
  readonly values: number
}

/** Measures a JSON value, and stops once it exceeds the limits of schemas. */
export const measureSchema = (json: unknown): Size => {
  const waiting: Array<readonly [value: unknown, level: number]> = [[json, 1]]
  let values = 1
  let levels = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, level] = next
    if (typeof value !== "object" || value === null) continue
    levels = Math.max(levels, level)
    const inner = Object.values(value)
    values += inner.length
    if (levels > schemaLimits.levels || values > schemaLimits.values) break
    for (const one of inner) waiting.push([one, level + 1])
  }
  return { levels, values }
}

const typeNames = ["array", "boolean", "integer", "null", "number", "object", "string"]

const isSchema = (value: unknown) => isJsonObject(value) || typeof value === "boolean"
const isText = (value: unknown) => typeof value === "string"
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value)
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText)
const isMapOf = (holds: (value: unknown) => boolean) => (value: unknown) =>
  isJsonObject(value) && Object.values(value).every(holds)
const isPattern = (value: unknown) => typeof value === "string" && patternTree(value) !== null

interface Rule {
  readonly holds: (value: unknown) => boolean
  readonly expected: string
}

const rules: Readonly<Record<Exclude<KeywordKind, "any">, Rule>> = {
  schema: { holds: isSchema, expected: "a schema" },
  schemas: {
    holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
    expected: "a list of at least one schema"
  },
  schemaMap: { holds: isMapOf(isSchema), expected: "an object of schemas" },
  items: {
    holds: (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
    expected: "a schema"
  },
  dependencies: {
    holds: isMapOf((value) => isSchema(value) || isNames(value)),
    expected: "an object of schemas or lists of names"
  },
  count: { holds: (value) => Number.isInteger(value) && Number(value) >= 0, expected: "a whole number from 0" },
  number: { holds: isNumber, expected: "a number" },
  step: { holds: (value) => isNumber(value) && Number(value) > 0, expected: "a number above 0" },
  flag: { holds: (value) => typeof value === "boolean", expected: "true or false" },
  text: { holds: isText, expected: "a text" },
  pattern: { holds: isPattern, expected: "a regular expression of at most 5000 characters" },
  names: { holds: isNames, expected: "a list of names" },
  nameMap: { holds: isMapOf(isNames), expected: "an object of lists of names" },
  values: { holds: (value) => Array.isArray(value) && value.length > 0, expected: "a list of at least one value" },
  types: {
    holds: (value) =>
      (Array.isArray(value) ? value.length > 0 : isText(value)) &&
      (isText(value) ? [value] : listOf(value)).every((name) => typeNames.some((typeName) => typeName === name)),
    expected: `one or more of ${typeNames.join(", ")}`
  }
}

/** Longest quote of a caller's name in a message, in UTF-16 units. */
const maxQuote = 60

const quote = (text: string) => JSON.stringify(text.length > maxQuote ? `${text.slice(0, maxQuote)}…` : text)

const sizeFault = (schema: unknown): string | null => {
  const { levels, values } = measureSchema(schema)
  if (levels > schemaLimits.levels) return `Must be nested at most ${schemaLimits.levels} levels deep`
  return values > schemaLimits.values ? `Must hold at most ${schemaLimits.values} values` : null
}

const keywordFault = (keyword: string, value: unknown): string | null => {
  const kind = kindOf(keyword)
  if (kind === undefined || kind === "any") return null
  const { holds, expected } = rules[kind]
  if (!holds(value)) return `Must have ${expected} in ${quote(keyword)}`
  const bad = keyword === "patternProperties"
    ? Object.keys(objectOf(value)).find((pattern) => !isPattern(pattern))
    : undefined
  return bad === undefined ? null : `Must have regular expressions in "patternProperties", not ${quote(bad)}`
}

const refers = (schema: JsonSchema) => stringOf(fieldOf(schema, "$ref"))

/** Collects all schemas in a schema and its references, or returns the fault of one of them. */
const schemasOf = (root: JsonSchema): ReadonlySet<JsonSchema> | string => {
  const schemas = new Set([root])
  for (const schema of schemas) {
    for (const [keyword, value] of Object.entries(schema)) {
      const fault = keywordFault(keyword, value)
      if (fault !== null) return fault
      for (const inner of schemasIn(kindOf(keyword) ?? "any", value)) if (isJsonObject(inner)) schemas.add(inner)
    }
    const reference = refers(schema)
    if (reference === undefined) continue
    const target = resolvePointer(root, reference)
    if (!isSchema(target)) {
      return `Must have in "$ref" a schema of its own, such as "#/$defs/name", not ${quote(reference)}`
    }
    if (isJsonObject(target)) schemas.add(target)
  }
  return schemas
}

/** Detects references that lead back to the same schema without a property or item between. */
const goesRound = (root: JsonSchema, schemas: ReadonlySet<JsonSchema>): boolean => {
  const nextOf = (schema: JsonSchema) => {
    const reference = refers(schema)
    return [...sameValueSchemas(schema), ...(reference === undefined ? [] : [resolvePointer(root, reference)])].filter(
      isJsonObject
    )
  }
  const waitsFor = new Map<JsonSchema, number>()
  for (const schema of schemas) for (const next of nextOf(schema)) waitsFor.set(next, (waitsFor.get(next) ?? 0) + 1)
  const free = [...schemas].filter((schema) => !waitsFor.has(schema))
  let visits = 0
  for (let schema = free.pop(); schema !== undefined; schema = free.pop()) {
    visits++
    for (const next of nextOf(schema)) {
      const count = (waitsFor.get(next) ?? 0) - 1
      waitsFor.set(next, count)
      if (count === 0) free.push(next)
    }
  }
  return visits < schemas.size
}

/**
 * Finds the fault of a caller's JSON Schema (2020-12, and `definitions`, `dependencies` and lists in `items` of draft
 * 7), as a sentence without a full stop; null if it is usable. A schema is an object whose known keywords have values
 * of the right kind, with valid patterns of up to 5,000 characters, and references only into itself (`#` and JSON
 * pointers, no anchors) that never lead back to themselves without a property or item between; at most 64 levels and
 * 20,000 values. Unknown keywords are ignored. Never throws; linear time.
 */
export const schemaFault = (schema: unknown): string | null => {
  if (!isJsonObject(schema)) return "Must be an object"
  const size = sizeFault(schema)
  if (size !== null) return size
  const schemas = schemasOf(schema)
  if (typeof schemas === "string") return schemas
  return goesRound(schema, schemas) ? "Must not have a \"$ref\" that leads back to itself with no value between" : null
}
