import { fieldOf, isJsonObject, listOf, objectOf, stringOf } from "@trunkline/kernel"
import type { JsonSchema } from "@trunkline/models"
import { isImpossible, mergeAll, mergeTwo } from "./SchemaMerging.js"

/** A schema without branches, and the groups of branches of which one each applies. */
export interface FlatSchema {
  readonly schema: JsonSchema
  readonly choices: ReadonlyArray<ReadonlyArray<unknown>>
}

/** Callbacks for flattening. */
export interface FlattenContext {
  readonly take: (work: number) => boolean
  readonly resolve: (reference: string) => unknown
  /** Sorts branches in the order to try them. */
  readonly rank: (branches: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
}

const branching: ReadonlySet<string> = new Set(["$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "const"])

/** Upper bound of references and branches that are followed at one position. */
const maxSteps = 40

const ownOf = (schema: JsonSchema): JsonSchema => {
  const ownSchema = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !branching.has(keyword)))
  if (!Object.hasOwn(schema, "const")) return ownSchema
  const constant = { enum: [schema["const"]] }
  return Object.hasOwn(ownSchema, "enum") ? mergeTwo(ownSchema, constant) : { ...ownSchema, ...constant }
}

const conditionsOf = (schema: JsonSchema): ReadonlyArray<ReadonlyArray<unknown>> => {
  const [condition, then, otherwise] = ["if", "then", "else"].map((keyword) => fieldOf(schema, keyword))
  if (condition === undefined || (then === undefined && otherwise === undefined)) return []
  return [[{ allOf: [condition, then ?? true] }, { allOf: [{ not: condition }, otherwise ?? true] }]]
}

/** Merges a schema with its references and `allOf`; null if it is unsatisfiable. References to itself are ignored. */
export const flatten = (
  schema: unknown,
  following: FlattenContext,
  ancestors: ReadonlySet<unknown> = new Set()
): FlatSchema | null => {
  if (schema === false) return null
  if (!isJsonObject(schema) || ancestors.has(schema) || ancestors.size > maxSteps) return { schema: {}, choices: [] }
  const properties = Object.keys(objectOf(fieldOf(schema, "properties"))).length
  if (!following.take(1 + Object.keys(schema).length + properties / 2)) return { schema, choices: [] }
  const inside = new Set(ancestors).add(schema)
  const reference = stringOf(fieldOf(schema, "$ref"))
  const parts = [
    ...(reference === undefined ? [] : [following.resolve(reference)]),
    ...listOf(fieldOf(schema, "allOf"))
  ]
  const schemas = [ownOf(schema)]
  const choices = [
    ...["anyOf", "oneOf"].map((keyword) => listOf(fieldOf(schema, keyword))).filter(({ length }) => length > 0),
    ...conditionsOf(schema)
  ]
  for (const part of parts) {
    const flat = flatten(part, following, inside)
    if (flat === null) return null
    schemas.push(flat.schema)
    choices.push(...flat.choices)
  }
  const ownSchema = mergeAll(schemas)
  return isImpossible(ownSchema) ? null : { schema: ownSchema, choices }
}

/** Yields the branch-free variants of a schema, the most likely first. */
export function* variantsOf(flat: FlatSchema, following: FlattenContext, depth = 0): Generator<JsonSchema> {
  const [branches, ...rest] = flat.choices
  if (branches === undefined || depth > maxSteps) {
    yield flat.schema
    return
  }
  for (const branch of following.rank(branches)) {
    if (!following.take(5)) return
    const flatBranch = flatten(branch, following)
    if (flatBranch === null) continue
    const schema = mergeTwo(flat.schema, flatBranch.schema)
    if (!isImpossible(schema)) {
      yield* variantsOf({ schema, choices: [...rest, ...flatBranch.choices] }, following, depth + 1)
    }
  }
}
