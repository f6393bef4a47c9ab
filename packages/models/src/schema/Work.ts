import type { JsonSchema } from "../ModelRequest.js"
import type { Checkables } from "./Checkable.js"
import { fieldOf, isObject, listOf, objectOf, textOf } from "./Json.js"
import { besides } from "./Keywords.js"

/** The most that is done for one check, in visits of a schema to a value: some ten milliseconds. */
export const mostWork = 50_000

/** How deep schemas visit values. */
const deepest = 250

/** What takes about as long as one visit: steps of a pattern, characters of a name or a format. */
const perVisit = { steps: 200, characters: 200, pairs: 50, names: 20 }

const isSchema = (value: unknown): value is JsonSchema | boolean => isObject(value) || typeof value === "boolean"

/**
 * The visits of schemas to values that it takes to check a value; infinite beyond 50,000, or 250 levels. Branches within
 * branches can visit the same value time and again, so every pair of a schema and a value is counted once and its count
 * remembered: that takes no longer than there are such pairs.
 */
export const workOf = (schema: JsonSchema | boolean, value: unknown, { facts, schemas }: Checkables): number => {
  const counted = new Map<JsonSchema, Map<unknown, number>>()
  let left = mostWork

  const sumOf = (visits: Iterable<readonly [schema: unknown, value: unknown]>, depth: number): number => {
    let sum = 0
    for (const [one, of] of visits) {
      if (isSchema(one)) sum += visit(one, of, depth + 1)
      if (sum > mostWork) return Infinity
    }
    return sum
  }

  const inside = (one: JsonSchema, of: unknown): ReadonlyArray<readonly [unknown, unknown]> => {
    if (Array.isArray(of)) {
      const items = fieldOf(one, "items")
      const first = [...listOf(fieldOf(one, "prefixItems")), ...listOf(items)]
      const rest = ["additionalItems", "unevaluatedItems", "contains"].map((keyword) => fieldOf(one, keyword))
      if (!Array.isArray(items)) rest.push(items)
      const schemasAt = rest.filter(isSchema)
      return listOf(of).flatMap((item, index) =>
        [...(index < first.length ? [first[index]] : []), ...schemasAt].map((schema) => [schema, item] as const)
      )
    }
    if (!isObject(of)) return []
    const properties = objectOf(fieldOf(one, "properties"))
    const others = ["additionalProperties", "unevaluatedProperties"].map((keyword) => fieldOf(one, keyword))
    const schemasOf = [...Object.values(objectOf(fieldOf(one, "patternProperties"))), ...others].filter(isSchema)
    const names = fieldOf(one, "propertyNames")
    return Object.entries(of).flatMap(([name, inner]) => [
      [fieldOf(properties, name), inner] as const,
      ...schemasOf.map((schema) => [schema, inner] as const),
      [names, name] as const
    ])
  }

  const own = (one: JsonSchema, of: unknown): number => {
    const known = facts(one)
    if (known === undefined) return 1
    const work = 1 + known.weight / perVisit.pairs
    if (typeof of === "string") {
      return work + of.length / perVisit.characters + known.patternSteps(of) / perVisit.steps
    }
    if (Array.isArray(of)) return work + (fieldOf(one, "uniqueItems") === true ? of.length ** 2 / perVisit.pairs : 0)
    if (!isObject(of)) return work
    const names = Object.keys(of)
    const wanted = listOf(fieldOf(one, "required")).length + Object.keys(objectOf(fieldOf(one, "properties"))).length
    return names.reduce(
      (sum, name) => sum + name.length / perVisit.characters + known.nameSteps(name) / perVisit.steps,
      work + wanted / perVisit.pairs + names.length / perVisit.names
    )
  }

  const visit = (one: JsonSchema | boolean, of: unknown, depth: number): number => {
    if (typeof one === "boolean") return 1
    const known = counted.get(one) ?? new Map<unknown, number>()
    counted.set(one, known)
    const before = known.get(of)
    if (before !== undefined) return before
    left--
    if (depth > deepest || left < 0) return Infinity
    const reference = textOf(fieldOf(one, "$ref"))
    const beside = reference === undefined ? besides(one) : [...besides(one), schemas[reference]]
    const work = own(one, of) + sumOf(beside.map((other) => [other, of] as const), depth) +
      sumOf(inside(one, of), depth)
    known.set(of, work)
    return work
  }

  return visit(schema, value, 0)
}
