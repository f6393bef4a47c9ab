import { isJsonObject, type JsonObject, listOf } from "@trunkline/kernel"
import { formats, inQuotes, integersIn, literal, numbersIn } from "./Terminals.js"

/** Callbacks into the grammar that is being built. */
export interface GrammarBuilder {
  /** Returns the name of the rule for a schema. */
  readonly ruleOf: (schema: unknown) => string
  /** Returns the name of the rule with this body. */
  readonly nameOf: (body: string) => string
  /** Records a keyword that the rules do not enforce. */
  readonly skip: (keyword: string) => void
}

/** llama.cpp treats larger repetition counts as unbounded. */
const maxRepetitions = 2_000

const numberIn = (value: unknown, otherwise: number): number => typeof value === "number" ? value : otherwise

const bounds = (schema: JsonObject, skip: GrammarBuilder["skip"], [min, max]: readonly [string, string]) => {
  const from = numberIn(schema[min], 0)
  const to = numberIn(schema[max], Infinity)
  const limit = to === Infinity ? to : Math.min(to, maxRepetitions)
  if (from <= limit && from <= maxRepetitions) return { from, to: limit }
  skip(min)
  return { from: 0, to: limit }
}

const times = (from: number, to: number) => to === Infinity ? `{${from},}` : `{${from},${to}}`

const commaList = (item: string, from: number, to: number): string => {
  if (to <= 0) return `""`
  const repeatedText = `${item} (comma ${item})${times(Math.max(0, from - 1), to - 1)}`
  return from === 0 ? `(${repeatedText})?` : repeatedText
}

/** Builds the rules for the members of an object, from the last to the first. */
const members = (
  schema: JsonObject,
  properties: JsonObject,
  { skip, nameOf, ruleOf }: GrammarBuilder
): string => {
  const requiredNames = new Set(listOf(schema.required))
  const rest = Object.hasOwn(schema, "additionalProperties") ? schema.additionalProperties : true
  const names = [...new Set([...Object.keys(properties), ...requiredNames])].map(String)
  if (numberIn(schema.minProperties, 0) > requiredNames.size) skip("minProperties")
  if (numberIn(schema.maxProperties, Infinity) < names.length) skip("maxProperties")
  return names.reduceRight(({ first, later }, name) => {
    const value = ruleOf(Object.hasOwn(properties, name) ? properties[name] : rest)
    const member = nameOf(`${literal(JSON.stringify(name))} colon ${value}`)
    return requiredNames.has(name)
      ? { first: nameOf(`${member} ${later}`), later: nameOf(`comma ${member} ${later}`) }
      : { first: nameOf(`${member} ${later} | ${first}`), later: nameOf(`(comma ${member})? ${later}`) }
  }, { first: `""`, later: `""` }).first
}

const object = (schema: JsonObject, builder: GrammarBuilder): string => {
  if (isJsonObject(schema.properties) || listOf(schema.required).length > 0) {
    return `"{" ${members(schema, isJsonObject(schema.properties) ? schema.properties : {}, builder)} "}"`
  }
  if (schema.additionalProperties === false) return `"{}"`
  const { from, to } = bounds(schema, builder.skip, ["minProperties", "maxProperties"])
  if (from > 1) builder.skip("minProperties")
  const member = builder.nameOf(`string colon ${builder.ruleOf(schema.additionalProperties ?? true)}`)
  return `"{" ${commaList(member, from, to)} "}"`
}

const array = (schema: JsonObject, { skip, ruleOf }: GrammarBuilder): string => {
  if (schema.uniqueItems === true) skip("uniqueItems")
  const { from, to } = bounds(schema, skip, ["minItems", "maxItems"])
  const places = listOf(schema.prefixItems ?? schema.items).slice(0, to)
  const items = Array.isArray(schema.items) ? true : schema.items ?? true
  const more = items === false ? 0 : to - places.length
  if (from > places.length + more) skip("minItems")
  const min = Math.min(more, Math.max(0, from - places.length))
  const item = more > 0 ? ruleOf(items) : ""
  if (places.length === 0) return `"[" ${commaList(item, min, more)} "]"`
  const tail = more > 0 ? `(comma ${item})${times(min, more)}` : `""`
  return `"[" ${places.map(ruleOf).join(" comma ")} ${tail} "]"`
}

const string = (schema: JsonObject, { skip }: GrammarBuilder): string => {
  const isLimited = schema.minLength !== undefined || schema.maxLength !== undefined
  const format = formats.get(schema.format)
  if (schema.format !== undefined && format === undefined) skip("format")
  if (format !== undefined && isLimited) skip("minLength")
  if (format !== undefined) return inQuotes(format)
  if (!isLimited) return "string"
  const { from, to } = bounds(schema, skip, ["minLength", "maxLength"])
  return inQuotes(to === 0 ? `""` : `char${times(from, to)}`)
}

const integer = (schema: JsonObject, { skip }: GrammarBuilder): string => {
  const min = Math.max(
    numberIn(schema.minimum, -Infinity),
    Math.floor(numberIn(schema.exclusiveMinimum, -Infinity)) + 1
  )
  const max = Math.min(numberIn(schema.maximum, Infinity), Math.ceil(numberIn(schema.exclusiveMaximum, Infinity)) - 1)
  if (min === -Infinity && max === Infinity) return "integer"
  const body = integersIn({ min, max })
  if (body === null) skip("minimum")
  return body ?? "integer"
}

const number = (schema: JsonObject, { skip }: GrammarBuilder): string => {
  const end = (keyword: string, otherwise: number) => {
    const value = numberIn(schema[keyword], otherwise)
    if (Number.isInteger(value) || value === otherwise) return value
    skip(keyword)
    return otherwise
  }
  const min = end("minimum", -Infinity)
  const max = end("maximum", Infinity)
  if (schema.exclusiveMinimum !== undefined) skip("exclusiveMinimum")
  if (schema.exclusiveMaximum !== undefined) skip("exclusiveMaximum")
  if (min === -Infinity && max === Infinity) return "number"
  const body = numbersIn({ min, max })
  if (body === null) skip("minimum")
  return body ?? "number"
}

/** Builds the body of the rule for the values of one type that obey a schema without branches and references. */
export const bodyOf = (schema: JsonObject, type: unknown, builder: GrammarBuilder): string => {
  switch (type) {
    case "object":
      return object(schema, builder)
    case "array":
      return array(schema, builder)
    case "string":
      return string(schema, builder)
    case "number":
      return number(schema, builder)
    case "integer":
      return integer(schema, builder)
    case "boolean":
    case "null":
      return type
    default:
      builder.skip("type")
      return "value"
  }
}
