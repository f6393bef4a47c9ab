import { fieldOf, isJsonObject, listOf, objectOf, stringOf } from "@trunkline/kernel"
import type { JsonSchema } from "@trunkline/models"
import { isImpossible, mergeAll, mergeTwo } from "./SchemaMerging.js"

/** A schema without branches, and the branches of which one each comes to it. */
export interface FlatSchema {
  readonly schema: JsonSchema
  readonly choices: ReadonlyArray<ReadonlyArray<unknown>>
}

/** What branches are followed with. */
export interface FlattenContext {
  readonly take: (work: number) => boolean
  readonly resolve: (reference: string) => unknown
  /** The branches in the order in which to try them. */
  readonly ranked: (branches: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
}

const branching: ReadonlySet<string> = new Set(["$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "const"])

/** How far branches and references in one place are followed. */
const mostSteps = 40

const ownOf = (schema: JsonSchema): JsonSchema => {
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !branching.has(keyword)))
  if (!Object.hasOwn(schema, "const")) return own
  const fixed = { enum: [schema["const"]] }
  return Object.hasOwn(own, "enum") ? mergeTwo(own, fixed) : { ...own, ...fixed }
}

const conditionsOf = (schema: JsonSchema): ReadonlyArray<ReadonlyArray<unknown>> => {
  const [condition, then, otherwise] = ["if", "then", "else"].map((keyword) => fieldOf(schema, keyword))
  if (condition === undefined || (then === undefined && otherwise === undefined)) return []
  return [[{ allOf: [condition, then ?? true] }, { allOf: [{ not: condition }, otherwise ?? true] }]]
}

/** A schema with all that it refers to in one; null when nothing obeys it. A reference to itself says nothing new. */
export const flatten = (
  schema: unknown,
  following: FlattenContext,
  seen: ReadonlySet<unknown> = new Set()
): FlatSchema | null => {
  if (schema === false) return null
  if (!isJsonObject(schema) || seen.has(schema) || seen.size > mostSteps) return { schema: {}, choices: [] }
  const properties = Object.keys(objectOf(fieldOf(schema, "properties"))).length
  if (!following.take(1 + Object.keys(schema).length + properties / 2)) return { schema, choices: [] }
  const inside = new Set(seen).add(schema)
  const reference = stringOf(fieldOf(schema, "$ref"))
  const parts = [
    ...(reference === undefined ? [] : [following.resolve(reference)]),
    ...listOf(fieldOf(schema, "allOf"))
  ]
  const all = [ownOf(schema)]
  const choices = [
    ...["anyOf", "oneOf"].map((keyword) => listOf(fieldOf(schema, keyword))).filter(({ length }) => length > 0),
    ...conditionsOf(schema)
  ]
  for (const part of parts) {
    const flat = flatten(part, following, inside)
    if (flat === null) return null
    all.push(flat.schema)
    choices.push(...flat.choices)
  }
  const own = mergeAll(all)
  return isImpossible(own) ? null : { schema: own, choices }
}

/** The schemas without branches that a schema can stand for, the likeliest first; none when nothing obeys it. */
export function* variantsOf(flat: FlatSchema, following: FlattenContext, depth = 0): Generator<JsonSchema> {
  const [branches, ...rest] = flat.choices
  if (branches === undefined || depth > mostSteps) {
    yield flat.schema
    return
  }
  for (const branch of following.ranked(branches)) {
    if (!following.take(5)) return
    const own = flatten(branch, following)
    if (own === null) continue
    const schema = mergeTwo(flat.schema, own.schema)
    if (!isImpossible(schema)) yield* variantsOf({ schema, choices: [...rest, ...own.choices] }, following, depth + 1)
  }
}
