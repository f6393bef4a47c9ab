import { isJsonObject, type JsonObject, listOf } from "@trunkline/kernel"
import { bodyOf } from "./Bodies.js"
import { constraintsOf, inferredTypesOf, mergeSchemas, resolveRef, typesOf, unsupportedKeywords } from "./Schema.js"
import { literal, terminals } from "./Terminals.js"

/** A llama.cpp grammar (GBNF) for the JSON texts that obey a schema. */
export interface JsonGrammar {
  readonly text: string
  /** Keywords of the schema that the grammar does not enforce. */
  readonly unenforced: ReadonlyArray<string>
  /** True when the schema is so large or deep that the grammar covers only a part of it. */
  readonly tooLarge: boolean
}

/** Largest schema, in UTF-16 units of its JSON text. */
const maxSchemaUnits = 200_000
const maxRules = 4_000
const maxDepth = 64

/** Upper bound of visited subschemas: references can make a small schema infinite. */
const maxVisits = 20_000

const isOfType = (type: unknown, value: unknown): boolean => {
  if (type === "null") return value === null
  if (type === "array") return Array.isArray(value)
  if (type === "object") return isJsonObject(value)
  return type === "integer" ? Number.isInteger(value) : typeof value === type
}

/**
 * Builds the grammar for a JSON Schema. It may accept fewer texts than the schema: properties come in their declared
 * order, undeclared ones only in objects that declare none, and `oneOf` is read as `anyOf`.
 */
export const jsonGrammar = (root: unknown): JsonGrammar => {
  const rules = new Map<string, string>()
  const names = new Map(terminals.map(([name, body]) => [body, name]))
  const references = new Map<unknown, string>()
  const skippedKeywords = new Set<string>()
  const skip = (keyword: string) => void skippedKeywords.add(keyword)
  let tooLarge = JSON.stringify(root).length > maxSchemaUnits
  let depth = 0
  let looks = 0

  /** Checks whether the schema is too large to continue. */
  const isEnough = () => {
    looks++
    tooLarge ||= depth >= maxDepth || rules.size >= maxRules || looks > maxVisits
    return tooLarge
  }

  const nameOf = (body: string): string => {
    const ruleName = terminals.some(([name]) => name === body) ? body : names.get(body)
    if (ruleName !== undefined) return ruleName
    const name = `r${names.size}`
    names.set(body, name)
    rules.set(name, body)
    return name
  }

  const anyOf = (bodies: ReadonlyArray<string>) => nameOf([...new Set(bodies)].join(" | "))

  const oneOfThem = (values: ReadonlyArray<unknown>, types: ReadonlyArray<unknown>): string => {
    const fitting = values.filter((value) => types.length === 0 || types.some((type) => isOfType(type, value)))
    if (fitting.length > 0) return anyOf(fitting.map((value) => literal(JSON.stringify(value))))
    skip("enum")
    return "value"
  }

  /** Merges a schema with its `allOf` and `$ref`. `within` are the schemas that contain it. */
  const flat = ({ $ref, allOf, ...keywords }: JsonObject, within: ReadonlyArray<unknown>): JsonObject => {
    if (isEnough()) return keywords
    const parts = [...listOf(allOf), ...($ref === undefined ? [] : [resolveRef(root, $ref)])]
    return parts.reduce<JsonObject>((sum, part) => {
      if (isJsonObject(part) && !within.includes(part)) {
        return mergeSchemas(sum, flat(constraintsOf(part), [...within, part]), skip)
      }
      if (part !== true) skip($ref === undefined ? "allOf" : "$ref")
      return sum
    }, keywords)
  }

  const reference = (ref: unknown, heads: ReadonlyArray<string>): string => {
    const reference = references.get(ref)
    if (reference !== undefined && !heads.includes(reference)) return reference
    const schema = resolveRef(root, ref)
    if (reference !== undefined || schema === undefined) {
      skip("$ref")
      return "value"
    }
    const name = `ref${references.size}`
    references.set(ref, name)
    rules.set(name, ruleOf(schema, [...heads, name]))
    return name
  }

  const ruleFor = (limits: JsonObject, heads: ReadonlyArray<string>): string => {
    const parts = listOf(limits.allOf)
    if (Object.keys(limits).length === 1) {
      if (limits.$ref !== undefined) return reference(limits.$ref, heads)
      if (parts.length === 1) return ruleOf(parts[0], heads)
    }
    const { anyOf: any, oneOf: one, ...rest } = flat(limits, [])
    const choices = any ?? one
    if (choices !== undefined) {
      const also = any !== undefined && one !== undefined ? { ...rest, oneOf: one } : rest
      const isFree = Object.keys(also).length === 0
      return anyOf(listOf(choices).map((choice) => ruleOf(isFree ? choice : { allOf: [also, choice] }, heads)))
    }
    for (const keyword of unsupportedKeywords) {
      if (Object.hasOwn(rest, keyword)) skip(keyword)
    }
    const typeNames = typesOf(rest)
    if (Object.hasOwn(rest, "const")) return oneOfThem([rest.const], typeNames)
    if (Array.isArray(rest.enum)) return oneOfThem(rest.enum, typeNames)
    const types = typeNames.length > 0 ? typeNames : inferredTypesOf(rest)
    const builder = { ruleOf: (schema: unknown) => ruleOf(schema), nameOf, skip }
    return types.length === 0 ? "value" : anyOf(types.map((type) => bodyOf(rest, type, builder)))
  }

  /** Returns the name of the rule for a schema. `heads` are rules that it must not begin with: left recursion. */
  const ruleOf = (schema: unknown, heads: ReadonlyArray<string> = []): string => {
    if (!isJsonObject(schema)) {
      if (schema !== true) skip("false")
      return "value"
    }
    if (isEnough()) return "value"
    depth++
    const name = ruleFor(constraintsOf(schema), heads)
    depth--
    return name
  }

  const start = tooLarge ? "value" : ruleOf(root)
  const allRules = [["root", start], ...rules, ...terminals]
  return {
    text: allRules.map(([name, body]) => `${name} ::= ${body}`).join("\n"),
    unenforced: [...skippedKeywords],
    tooLarge
  }
}
