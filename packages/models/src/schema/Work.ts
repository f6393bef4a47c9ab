import { fieldOf, isJsonObject, listOf, objectOf, stringOf } from "@trunkline/kernel"
import type { JsonSchema } from "../ModelRequest.js"
import type { CheckableSchemas } from "./Checkable.js"
import { sameValueSchemas } from "./Keywords.js"

/** Work limit of one check, in visits of a schema to a value: some ten milliseconds. */
export const maxWork = 15_000

/** Depth limit of a check. */
const deepest = 250

/** Units of work that cost about as much as one visit. */
const perVisit = { steps: 200, characters: 200, pairs: 20, names: 20, plain: 200 }

const isSchema = (value: unknown): value is JsonSchema | boolean => isJsonObject(value) || typeof value === "boolean"

/**
 * Estimates the work of checking a value, in visits of schemas to values; infinite beyond 15,000, or 250 levels. Nested
 * branches can visit the same value again and again, so the count of every pair of schema and value is memoized: the
 * estimate itself takes linear time in the number of pairs.
 */
export const workOf = (schema: JsonSchema | boolean, value: unknown, { facts, schemas }: CheckableSchemas): number => {
  const memo = new Map<JsonSchema, Map<unknown, number>>()
  let remainingWork = maxWork

  /** Counts the visits of one schema to several values. */
  const each = (one: unknown, values: ReadonlyArray<unknown>, depth: number): number => {
    if (!isSchema(one)) return 0
    let sum = 0
    for (const of of values) {
      sum += visit(one, of, depth + 1)
      if (sum > maxWork) return Infinity
    }
    return sum
  }

  /** Counts the visits of several schemas to one value. */
  const totalWork = (those: ReadonlyArray<unknown>, of: unknown, depth: number): number => {
    let sum = 0
    for (const one of those) {
      sum += each(one, [of], depth)
      if (sum > maxWork) return Infinity
    }
    return sum
  }

  const ofList = (one: JsonSchema, list: ReadonlyArray<unknown>, depth: number): number => {
    const items = fieldOf(one, "items")
    const first = Array.isArray(items) ? listOf(items) : listOf(fieldOf(one, "prefixItems"))
    const rest = [
      Array.isArray(items) ? undefined : items,
      ...["additionalItems", "unevaluatedItems", "contains"]
        .map((keyword) => fieldOf(one, keyword))
    ]
    const prefixWork = first.slice(0, list.length).reduce<number>(
      (sum, schema, index) => sum + each(schema, [list[index]], depth),
      0
    )
    const perPair = list.some((item) => typeof item === "object") ? perVisit.pairs : perVisit.plain
    const pairs = fieldOf(one, "uniqueItems") === true ? list.length ** 2 / perPair : 0
    return rest.reduce<number>((sum, schema) => sum + each(schema, list, depth), prefixWork + pairs)
  }

  const ofObject = (one: JsonSchema, object: JsonSchema, depth: number): number => {
    const names = Object.keys(object)
    remainingWork -= names.length / perVisit.names
    const properties = objectOf(fieldOf(one, "properties"))
    const propertyNames = Object.keys(properties)
    const patterns = Object.values(objectOf(fieldOf(one, "patternProperties")))
    remainingWork -= (names.length * patterns.length) / perVisit.names
    if (remainingWork < 0) return Infinity
    const steps = patterns.length === 0
      ? 0
      : names.reduce((sum, name) => sum + (facts(one)?.nameSteps(name) ?? 0), 0) / perVisit.steps
    const others = [...patterns, fieldOf(one, "additionalProperties"), fieldOf(one, "unevaluatedProperties")]
    const ownWork = (names.length + propertyNames.length + listOf(fieldOf(one, "required")).length) / perVisit.names +
      steps
    const inner = propertyNames.filter((name) => Object.hasOwn(object, name))
      .reduce((sum, name) => sum + each(properties[name], [object[name]], depth), ownWork)
    const values = others.some(isSchema) ? Object.values(object) : []
    return others.reduce<number>((sum, schema) => sum + each(schema, values, depth), inner) +
      each(fieldOf(one, "propertyNames"), names, depth)
  }

  /** Counts the work of a schema's own keywords, including the parts of the value. */
  const keywordWork = (one: JsonSchema, of: unknown, depth: number): number => {
    if (Array.isArray(of)) return ofList(one, of, depth)
    if (isJsonObject(of)) return ofObject(one, of, depth)
    if (typeof of !== "string") return 0
    return of.length / perVisit.characters + (facts(one)?.patternSteps(of) ?? 0) / perVisit.steps
  }

  const visit = (one: JsonSchema | boolean, of: unknown, depth: number): number => {
    if (typeof one === "boolean") return 1
    const counts = memo.get(one) ?? new Map<unknown, number>()
    memo.set(one, counts)
    const before = counts.get(of)
    if (before !== undefined) return before
    remainingWork--
    if (depth > deepest || remainingWork < 0) return Infinity
    const reference = stringOf(fieldOf(one, "$ref"))
    const beside = reference === undefined ? sameValueSchemas(one) : [...sameValueSchemas(one), schemas[reference]]
    const weight = (facts(one)?.weight ?? 0) / perVisit.plain
    const work = 1 + weight + keywordWork(one, of, depth) + totalWork(beside, of, depth)
    counts.set(of, work)
    return work
  }

  return visit(schema, value, 0)
}
