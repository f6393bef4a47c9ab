import { bodyOf } from "./Bodies.js"
import { conjoined, isKeywords, type Keywords, listOf, typesOf } from "./Conjoined.js"
import { beyondRules, limitsOf, target, typesSpokenOf } from "./Limits.js"
import { literal, terminals } from "./Terminals.js"

/** A grammar of llama.cpp (GBNF) for the JSON texts that obey a schema. */
export interface JsonGrammar {
  readonly text: string
  /** The keywords of the schema that the grammar does not enforce. */
  readonly unkept: ReadonlyArray<string>
  /** The schema is so large or so deep that only a part of it is in the grammar. */
  readonly tooLarge: boolean
}

/** UTF-16 units of its JSON text. */
const longestSchema = 200_000
const mostRules = 4_000
const deepest = 64

/** Looks at a part of a schema. References can have a small one looked at for ever. */
const mostLooks = 20_000

const isOfType = (type: unknown, value: unknown): boolean => {
  if (type === "null") return value === null
  if (type === "array") return Array.isArray(value)
  if (type === "object") return isKeywords(value)
  return type === "integer" ? Number.isInteger(value) : typeof value === type
}

/**
 * The grammar for a JSON Schema. Where a schema leaves a choice, it takes the narrower one: properties come in their
 * order, those that are not declared are only written where none is, and `oneOf` is read as `anyOf`.
 */
export const jsonGrammar = (root: unknown): JsonGrammar => {
  const rules = new Map<string, string>()
  const names = new Map(terminals.map(([name, body]) => [body, name]))
  const references = new Map<unknown, string>()
  const unkept = new Set<string>()
  const lose = (keyword: string) => void unkept.add(keyword)
  let tooLarge = JSON.stringify(root).length > longestSchema
  let depth = 0
  let looks = 0

  /** Whether there is too much of the schema to go on. */
  const isEnough = () => {
    looks++
    tooLarge ||= depth >= deepest || rules.size >= mostRules || looks > mostLooks
    return tooLarge
  }

  const nameOf = (body: string): string => {
    const known = terminals.some(([name]) => name === body) ? body : names.get(body)
    if (known !== undefined) return known
    const name = `r${names.size}`
    names.set(body, name)
    rules.set(name, body)
    return name
  }

  const anyOf = (bodies: ReadonlyArray<string>) => nameOf([...new Set(bodies)].join(" | "))

  const oneOfThem = (values: ReadonlyArray<unknown>, types: ReadonlyArray<unknown>): string => {
    const fitting = values.filter((value) => types.length === 0 || types.some((type) => isOfType(type, value)))
    if (fitting.length > 0) return anyOf(fitting.map((value) => literal(JSON.stringify(value))))
    lose("enum")
    return "value"
  }

  /** One schema instead of several that hold at once. `within` are those that it is a part of. */
  const flat = ({ $ref, allOf, ...own }: Keywords, within: ReadonlyArray<unknown>): Keywords => {
    if (isEnough()) return own
    const parts = [...listOf(allOf), ...($ref === undefined ? [] : [target(root, $ref)])]
    return parts.reduce<Keywords>((sum, part) => {
      if (isKeywords(part) && !within.includes(part)) {
        return conjoined(sum, flat(limitsOf(part), [...within, part]), lose)
      }
      if (part !== true) lose($ref === undefined ? "allOf" : "$ref")
      return sum
    }, own)
  }

  const reference = (ref: unknown, heads: ReadonlyArray<string>): string => {
    const known = references.get(ref)
    if (known !== undefined && !heads.includes(known)) return known
    const schema = target(root, ref)
    if (known !== undefined || schema === undefined) {
      lose("$ref")
      return "value"
    }
    const name = `ref${references.size}`
    references.set(ref, name)
    rules.set(name, ruleOf(schema, [...heads, name]))
    return name
  }

  const limited = (limits: Keywords, heads: ReadonlyArray<string>): string => {
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
    for (const keyword of beyondRules) {
      if (Object.hasOwn(rest, keyword)) lose(keyword)
    }
    const named = typesOf(rest)
    if (Object.hasOwn(rest, "const")) return oneOfThem([rest.const], named)
    if (Array.isArray(rest.enum)) return oneOfThem(rest.enum, named)
    const types = named.length > 0 ? named : typesSpokenOf(rest)
    const making = { ruleOf: (schema: unknown) => ruleOf(schema), nameOf, lose }
    return types.length === 0 ? "value" : anyOf(types.map((type) => bodyOf(rest, type, making)))
  }

  /** The name of the rule for a schema. `heads` are the rules that it may not begin with, since they begin with it. */
  const ruleOf = (schema: unknown, heads: ReadonlyArray<string> = []): string => {
    if (!isKeywords(schema)) {
      if (schema !== true) lose("false")
      return "value"
    }
    if (isEnough()) return "value"
    depth++
    const name = limited(limitsOf(schema), heads)
    depth--
    return name
  }

  const start = tooLarge ? "value" : ruleOf(root)
  const all = [["root", start], ...rules, ...terminals]
  return { text: all.map(([name, body]) => `${name} ::= ${body}`).join("\n"), unkept: [...unkept], tooLarge }
}
