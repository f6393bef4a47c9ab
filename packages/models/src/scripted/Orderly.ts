import type { JsonSchema } from "../ModelRequest.js"

/** How much of a schema is put in order: levels, and values on all of them. */
const most = { depth: 100, values: 5_000 }

/**
 * A schema whose fields stand in an order that does not depend on how it was written: properties as `required` lists
 * them and then by name, everything else by name. Of an enormous schema the rest stays as it is.
 */
export const orderly = (schema: JsonSchema): JsonSchema => {
  let left = most.values

  const inOrder = (value: object, first: ReadonlyArray<unknown>, depth: number): JsonSchema => {
    const rank = new Map(first.map((name, index) => [name, index]))
    const rankOf = (name: string) => rank.get(name) ?? first.length
    const required = "required" in value && Array.isArray(value.required) ? value.required : []
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
        .map(([name, inner]) => [name, walk(inner, name === "properties" ? required : [], depth + 1)])
    )
  }

  const walk = (value: unknown, first: ReadonlyArray<unknown>, depth: number): unknown => {
    left--
    if (typeof value !== "object" || value === null || left < 0 || depth > most.depth) return value
    return Array.isArray(value) ? value.map((item) => walk(item, [], depth + 1)) : inOrder(value, first, depth)
  }

  return inOrder(schema, [], 0)
}
