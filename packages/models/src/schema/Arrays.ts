import type { JsonSchema } from "../ModelRequest.js"
import { under } from "./Draws.js"
import { canonical, fieldOf, listOf, numberOf } from "./Json.js"
import type { Making, Place } from "./Making.js"

/** The longest list that is made, whatever a schema asks for. */
const longest = 500

/** How often another item is looked for where no two may be alike. */
const attempts = 20

/** Below so many levels lists are as short as they may be. */
const deepest = 4

const countOf = (schema: JsonSchema, keyword: string) => numberOf(fieldOf(schema, keyword))

const together = (...schemas: ReadonlyArray<unknown>): unknown => {
  const given = schemas.filter((schema) => schema !== undefined)
  return given.length === 1 ? given[0] : { allOf: given }
}

/** The schema for the item at an index: its own, or that of the rest. */
const itemSchema = (schema: JsonSchema): (index: number) => unknown => {
  const items = fieldOf(schema, "items")
  const first = Array.isArray(items) ? listOf(items) : listOf(fieldOf(schema, "prefixItems"))
  const rest = Array.isArray(items)
    ? fieldOf(schema, "additionalItems")
    : items ?? fieldOf(schema, "unevaluatedItems")
  return (index) => (index < first.length ? first[index] : rest)
}

/** Items that a list of its own accord has: one, or all that come first. */
const usualCount = (schema: JsonSchema, place: Place): number => {
  const first = listOf(fieldOf(schema, "prefixItems")).length
  const hasItems = first > 0 || fieldOf(schema, "items") !== undefined
  return hasItems && place.depth <= deepest ? Math.max(first, 1) : 0
}

/** A list within `prefixItems`, `items`, `contains`, `uniqueItems` and the counts of them. */
export const arrayFor = (schema: JsonSchema, place: Place, { make, take }: Making): ReadonlyArray<unknown> => {
  const schemaAt = itemSchema(schema)
  const contains = fieldOf(schema, "contains")
  const wanted = contains === undefined ? 0 : countOf(schema, "minContains") ?? 1
  const mostWanted = contains === undefined ? Infinity : countOf(schema, "maxContains") ?? Infinity
  const first = listOf(fieldOf(schema, "prefixItems")).length
  const least = Math.max(countOf(schema, "minItems") ?? 0, wanted)
  const most = Math.min(longest, countOf(schema, "maxItems") ?? longest)
  const length = Math.min(most, Math.max(least, usualCount(schema, place)))
  const isUnique = fieldOf(schema, "uniqueItems") === true
  const known = new Set<string>()
  const items: Array<unknown> = []
  const free = length - wanted
  for (let index = 0; index < length; index++) {
    if (!take(1) && index >= Math.min(least, 1)) break
    const isWanted = index >= Math.max(0, Math.min(first, free)) && wanted > 0 && index < Math.min(first, free) + wanted
    const own = schemaAt(index)
    if (own === false) break
    const extra = isWanted ? contains : mostWanted < Infinity ? { not: contains } : undefined
    const item = together(own, extra)
    for (let turn = index + place.turn * longest, left = attempts; left > 0; turn++, left--) {
      const value = make(item ?? true, {
        ...place,
        hash: under(place.hash, index < first ? index : "item"),
        depth: place.depth + 1,
        turn: isUnique || place.turn > 0 || index > 0 ? turn : 0
      })
      const text = isUnique ? canonical(value) : String(index)
      if (known.has(text) && left > 1) continue
      if (known.has(text)) return items
      known.add(text)
      items.push(value)
      break
    }
  }
  return items
}
