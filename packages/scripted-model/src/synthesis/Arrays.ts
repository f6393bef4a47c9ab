import { canonicalJson, fieldOf, listOf, numberOf } from "@trunkline/kernel"
import type { JsonSchema } from "@trunkline/models"
import { childHash } from "./Draws.js"
import type { SynthesisContext, ValueSlot } from "./SynthesisContext.js"

/** Longest list that is made. */
export const maxListLength = 500

/** Attempts to find a unique item. */
const attempts = 20

/** Depth below which lists are as short as possible. */
const deepest = 4

const countOf = (schema: JsonSchema, keyword: string) => numberOf(fieldOf(schema, keyword))

const together = (...schemas: ReadonlyArray<unknown>): unknown => {
  const definedSchemas = schemas.filter((schema) => schema !== undefined)
  return definedSchemas.length === 1 ? definedSchemas[0] : { allOf: definedSchemas }
}

/** Makes a lookup of the schema for the item at an index. */
const itemSchema = (schema: JsonSchema): (index: number) => unknown => {
  const items = fieldOf(schema, "items")
  const first = Array.isArray(items) ? listOf(items) : listOf(fieldOf(schema, "prefixItems"))
  const rest = Array.isArray(items)
    ? fieldOf(schema, "additionalItems")
    : items ?? fieldOf(schema, "unevaluatedItems")
  return (index) => (index < first.length ? first[index] : rest)
}

/** Returns the default number of items: one, or the number of `prefixItems`. */
const usualCount = (schema: JsonSchema, slot: ValueSlot): number => {
  const first = listOf(fieldOf(schema, "prefixItems")).length
  const hasItems = first > 0 || fieldOf(schema, "items") !== undefined
  return hasItems && slot.depth <= deepest ? Math.max(first, 1) : 0
}

/** Makes a list within `prefixItems`, `items`, `contains`, `uniqueItems` and their counts. */
export const arrayFor = (
  schema: JsonSchema,
  slot: ValueSlot,
  { make, take }: SynthesisContext
): ReadonlyArray<unknown> => {
  const schemaAt = itemSchema(schema)
  const contains = fieldOf(schema, "contains")
  const containedCount = contains === undefined ? 0 : countOf(schema, "minContains") ?? 1
  const isLimited = contains !== undefined && countOf(schema, "maxContains") !== undefined
  const first = listOf(fieldOf(schema, "prefixItems")).length
  const min = Math.max(countOf(schema, "minItems") ?? 0, containedCount)
  const max = Math.min(maxListLength, countOf(schema, "maxItems") ?? maxListLength)
  const length = Math.min(max, Math.max(min, usualCount(schema, slot)))
  const firstWanted = Math.max(0, Math.min(first, length - containedCount))
  const isUnique = fieldOf(schema, "uniqueItems") === true
  const keys = new Set<string>()

  const itemAt = (index: number, itemSchema: unknown): { readonly value: unknown } | undefined => {
    const isWanted = index >= firstWanted && index < firstWanted + containedCount
    const item = together(itemSchema, isWanted ? contains : isLimited ? { not: contains } : undefined)
    const hash = childHash(slot.hash, index < first ? index : "item")
    for (let attempt = 0; attempt < attempts; attempt++) {
      const turn = slot.turn * maxListLength + index + attempt
      const value = make(item, { ...slot, hash, depth: slot.depth + 1, hints: [], turn })
      if (!isUnique) return { value }
      const text = canonicalJson(value)
      if (!keys.has(text)) {
        keys.add(text)
        return { value }
      }
    }
    return undefined
  }

  const items: Array<unknown> = []
  while (items.length < length && (take(1) || items.length === 0)) {
    const itemSchema = schemaAt(items.length)
    const item = itemSchema === false ? undefined : itemAt(items.length, itemSchema)
    if (item === undefined) return items
    items.push(item.value)
  }
  return items
}
