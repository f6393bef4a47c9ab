import { isKeywords, type Keywords, listOf } from "./Conjoined.js"
import { formats, inQuotes, literal } from "./Terminals.js"
import { numbers, wholes } from "./Wholes.js"

/** A grammar in the making. */
export interface Making {
  /** The name of the rule for a schema. */
  readonly ruleOf: (schema: unknown) => string
  /** The name of the rule with this right side. */
  readonly nameOf: (body: string) => string
  /** Hears of a keyword that the rules do not keep. */
  readonly lose: (keyword: string) => void
}

/** llama.cpp takes a repetition of more for one without end. */
const mostRepetitions = 2_000

const numberIn = (value: unknown, otherwise: number): number => typeof value === "number" ? value : otherwise

const bounds = (schema: Keywords, lose: Making["lose"], [least, most]: readonly [string, string]) => {
  const from = numberIn(schema[least], 0)
  const to = numberIn(schema[most], Infinity)
  const bounded = to === Infinity ? to : Math.min(to, mostRepetitions)
  if (from <= bounded && from <= mostRepetitions) return { from, to: bounded }
  lose(least)
  return { from: 0, to: bounded }
}

const times = (from: number, to: number) => to === Infinity ? `{${from},}` : `{${from},${to}}`

const separated = (item: string, from: number, to: number): string => {
  if (to <= 0) return `""`
  const some = `${item} (comma ${item})${times(Math.max(0, from - 1), to - 1)}`
  return from === 0 ? `(${some})?` : some
}

/** The members of an object, made from the last to the first: what may come first, and what after another one. */
const members = (schema: Keywords, properties: Keywords, { lose, nameOf, ruleOf }: Making): string => {
  const required = new Set(listOf(schema.required))
  const rest = Object.hasOwn(schema, "additionalProperties") ? schema.additionalProperties : true
  const all = [...new Set([...Object.keys(properties), ...required])].map(String)
  if (numberIn(schema.minProperties, 0) > required.size) lose("minProperties")
  if (numberIn(schema.maxProperties, Infinity) < all.length) lose("maxProperties")
  return all.reduceRight(({ first, later }, name) => {
    const value = ruleOf(Object.hasOwn(properties, name) ? properties[name] : rest)
    const member = nameOf(`${literal(JSON.stringify(name))} colon ${value}`)
    return required.has(name)
      ? { first: nameOf(`${member} ${later}`), later: nameOf(`comma ${member} ${later}`) }
      : { first: nameOf(`${member} ${later} | ${first}`), later: nameOf(`(comma ${member})? ${later}`) }
  }, { first: `""`, later: `""` }).first
}

const object = (schema: Keywords, making: Making): string => {
  if (isKeywords(schema.properties) || listOf(schema.required).length > 0) {
    return `"{" ${members(schema, isKeywords(schema.properties) ? schema.properties : {}, making)} "}"`
  }
  if (schema.additionalProperties === false) return `"{}"`
  const { from, to } = bounds(schema, making.lose, ["minProperties", "maxProperties"])
  if (from > 1) making.lose("minProperties")
  const member = making.nameOf(`string colon ${making.ruleOf(schema.additionalProperties ?? true)}`)
  return `"{" ${separated(member, from, to)} "}"`
}

const array = (schema: Keywords, { lose, ruleOf }: Making): string => {
  if (schema.uniqueItems === true) lose("uniqueItems")
  const { from, to } = bounds(schema, lose, ["minItems", "maxItems"])
  const places = listOf(schema.prefixItems ?? schema.items).slice(0, to)
  const items = Array.isArray(schema.items) ? true : schema.items ?? true
  const more = items === false ? 0 : to - places.length
  if (from > places.length + more) lose("minItems")
  const least = Math.min(more, Math.max(0, from - places.length))
  const item = more > 0 ? ruleOf(items) : ""
  if (places.length === 0) return `"[" ${separated(item, least, more)} "]"`
  const tail = more > 0 ? `(comma ${item})${times(least, more)}` : `""`
  return `"[" ${places.map(ruleOf).join(" comma ")} ${tail} "]"`
}

const string = (schema: Keywords, { lose }: Making): string => {
  const limited = schema.minLength !== undefined || schema.maxLength !== undefined
  const format = formats.get(schema.format)
  if (schema.format !== undefined && format === undefined) lose("format")
  if (format !== undefined && limited) lose("minLength")
  if (format !== undefined) return inQuotes(format)
  if (!limited) return "string"
  const { from, to } = bounds(schema, lose, ["minLength", "maxLength"])
  return inQuotes(to === 0 ? `""` : `char${times(from, to)}`)
}

const integer = (schema: Keywords, { lose }: Making): string => {
  const least = Math.max(
    numberIn(schema.minimum, -Infinity),
    Math.floor(numberIn(schema.exclusiveMinimum, -Infinity)) + 1
  )
  const most = Math.min(numberIn(schema.maximum, Infinity), Math.ceil(numberIn(schema.exclusiveMaximum, Infinity)) - 1)
  if (least === -Infinity && most === Infinity) return "integer"
  const body = wholes({ least, most })
  if (body === null) lose("minimum")
  return body ?? "integer"
}

const number = (schema: Keywords, { lose }: Making): string => {
  const end = (keyword: string, otherwise: number) => {
    const value = numberIn(schema[keyword], otherwise)
    if (Number.isInteger(value) || value === otherwise) return value
    lose(keyword)
    return otherwise
  }
  const least = end("minimum", -Infinity)
  const most = end("maximum", Infinity)
  if (schema.exclusiveMinimum !== undefined) lose("exclusiveMinimum")
  if (schema.exclusiveMaximum !== undefined) lose("exclusiveMaximum")
  if (least === -Infinity && most === Infinity) return "number"
  const body = numbers({ least, most })
  if (body === null) lose("minimum")
  return body ?? "number"
}

/** What the values of one type are that obey a schema without choices and references: the right side of a rule. */
export const bodyOf = (schema: Keywords, type: unknown, making: Making): string => {
  switch (type) {
    case "object":
      return object(schema, making)
    case "array":
      return array(schema, making)
    case "string":
      return string(schema, making)
    case "number":
      return number(schema, making)
    case "integer":
      return integer(schema, making)
    case "boolean":
    case "null":
      return type
    default:
      making.lose("type")
      return "value"
  }
}
