import { isJsonObject, listOf, objectOf, stringOf } from "@trunkline/kernel"
import type { JsonSchema } from "../ModelRequest.js"
import { type KeywordKind, kindOf } from "./Keywords.js"
import { compilePattern } from "./Pattern.js"

/** Costs of checking a schema. */
export interface SchemaCosts {
  /** Size of `enum` and `const`. */
  readonly weight: number
  /** Steps of `pattern` for a text. If they are unknown, the pattern is not checked from now on. */
  readonly patternSteps: (text: string) => number
  /** The same for the names of `patternProperties` and its companions. */
  readonly nameSteps: (name: string) => number
}

/**
 * Copies of schemas that are safe to check: known keywords only, with cheap patterns, and references by name in
 * `schemas`.
 */
export interface CheckableSchemas {
  /** Returns the checkable copy of a schema; booleans are returned as they are. */
  readonly of: (schema: unknown) => JsonSchema | boolean
  readonly facts: (copy: JsonSchema) => SchemaCosts | undefined
  /** Referenced copies by name. */
  readonly schemas: Readonly<Record<string, JsonSchema | boolean>>
}

/** Formats whose check can be very slow for hostile texts. */
const slowFormats: ReadonlySet<string> = new Set(["url"])

const weightOf = (value: unknown): number => {
  if (typeof value === "string") return 1 + value.length / 50
  if (typeof value !== "object" || value === null) return 1
  return Object.entries(value).reduce((sum, [name, inner]) => sum + name.length / 50 + weightOf(inner), 1)
}

/** Makes checkable copies of a faultless schema and its references. */
export const makeCheckableSchemas = (resolve: (reference: string) => unknown): CheckableSchemas => {
  const copies = new Map<JsonSchema, Record<string, unknown>>()
  const facts = new Map<JsonSchema, SchemaCosts>()
  const schemas: Record<string, JsonSchema | boolean> = Object.create(null)
  const waiting: Array<readonly [schema: JsonSchema, copy: Record<string, unknown>]> = []

  const shellOf = (schema: unknown): JsonSchema | boolean => {
    if (!isJsonObject(schema)) return schema !== false
    const copy = copies.get(schema)
    if (copy !== undefined) return copy
    const shell: Record<string, unknown> = {}
    copies.set(schema, shell)
    waiting.push([schema, shell])
    return shell
  }

  const mapValues = (value: unknown, each: (inner: unknown) => unknown) =>
    Object.fromEntries(Object.entries(objectOf(value)).map(([name, inner]) => [name, each(inner)]))

  const copyOf = (kind: KeywordKind, value: unknown): unknown => {
    switch (kind) {
      case "schema":
        return shellOf(value)
      case "schemas":
        return listOf(value).map(shellOf)
      case "items":
        return Array.isArray(value) ? listOf(value).map(shellOf) : shellOf(value)
      case "schemaMap":
        return mapValues(value, shellOf)
      case "dependencies":
        return mapValues(value, (inner) => (Array.isArray(inner) ? inner : shellOf(inner)))
      default:
        return value
    }
  }

  const withoutPatternNames = (copy: Record<string, unknown>) => {
    for (const keyword of ["patternProperties", "additionalProperties", "unevaluatedProperties"]) delete copy[keyword]
  }

  const factsOf = (copy: Record<string, unknown>): SchemaCosts => {
    const pattern = stringOf(copy["pattern"])
    const matcher = pattern === undefined ? undefined : compilePattern(pattern)
    const matchers = Object.keys(objectOf(copy["patternProperties"])).map(compilePattern)
    return {
      weight: weightOf(copy["enum"]) + weightOf(copy["const"]),
      patternSteps: ({ length }) => {
        const steps = matcher !== undefined && "pattern" in copy ? matcher.steps(length) : 0
        if (steps < Infinity) return steps
        delete copy["pattern"]
        return 0
      },
      nameSteps: ({ length }) => {
        if (!("patternProperties" in copy)) return 0
        const steps = matchers.reduce((sum, matcher) => sum + matcher.steps(length), 0)
        if (steps < Infinity) return steps
        withoutPatternNames(copy)
        return 0
      }
    }
  }

  const fill = (schema: JsonSchema, copy: Record<string, unknown>) => {
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = kindOf(keyword)
      if (kind === undefined || keyword === "$defs" || keyword === "definitions") continue
      if (keyword === "format" && slowFormats.has(String(value))) continue
      copy[keyword] = copyOf(kind, value)
    }
    const reference = stringOf(copy["$ref"])
    if (reference !== undefined) schemas[reference] ??= shellOf(resolve(reference))
    facts.set(copy, factsOf(copy))
  }

  return {
    of: (schema) => {
      const copy = shellOf(schema)
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) fill(...next)
      return copy
    },
    facts: (copy) => facts.get(copy),
    schemas
  }
}
