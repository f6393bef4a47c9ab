import { canonicalJson, fieldOf, listOf, numberOf, stringsOf } from "@trunkline/kernel"
import type { JsonSchema } from "@trunkline/models"
import { arrayFor, maxListLength } from "./Arrays.js"
import { draw, rotate } from "./Draws.js"
import { numberFor } from "./Numbers.js"
import { objectFor } from "./Objects.js"
import { maxTextLength, stringFor } from "./Strings.js"
import type { SynthesisContext, ValueSlot } from "./SynthesisContext.js"

/** Keywords that generation does not guarantee; values are checked. */
const intricate = [
  "not",
  "contains",
  "uniqueItems",
  "propertyNames",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "unevaluatedProperties",
  "unevaluatedItems"
]

const kinds: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["object", ["properties", "required", "additionalProperties", "minProperties", "patternProperties", "propertyNames"]],
  ["array", ["items", "prefixItems", "minItems", "contains", "uniqueItems"]],
  ["string", ["pattern", "format", "minLength", "maxLength"]],
  ["number", ["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]]
]

const anyType = ["string", "number", "boolean", "object", "array", "null"]

/** Lists the types that a value may have, the most likely first and null last. */
const typesOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const type = fieldOf(schema, "type")
  const types = typeof type === "string" ? [type] : stringsOf(type)
  if (types.length > 0) return types.toSorted((a, b) => Number(a === "null") - Number(b === "null"))
  const impliedKinds = kinds.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)))
  return [...new Set([...impliedKinds.map(([kind]) => kind), ...anyType])]
}

const ofType = (type: string, schema: JsonSchema, slot: ValueSlot, context: SynthesisContext): unknown => {
  switch (type) {
    case "object":
      return objectFor(schema, slot, context)
    case "array":
      return arrayFor(schema, slot, context)
    case "integer":
    case "number":
      return numberFor(schema, type === "integer", slot)
    case "boolean":
      return (draw(slot.hash) < 0.5) === (slot.turn % 2 === 0)
    case "null":
      return null
    default:
      return stringFor(schema, slot, context)
  }
}

/** Checks whether a schema requires larger values than are ever made. */
const isBeyond = (schema: JsonSchema) =>
  (numberOf(fieldOf(schema, "minItems")) ?? 0) > maxListLength ||
  (numberOf(fieldOf(schema, "minLength")) ?? 0) > maxTextLength

/** A value to try, and whether it surely obeys the schema. */
export interface Candidate {
  readonly value: unknown
  readonly isSure: boolean
}

/** Yields values to try: hints from the message, suggestions of the schema, then values of its types. */
export function* candidatesFor(schema: JsonSchema, slot: ValueSlot, context: SynthesisContext): Generator<Candidate> {
  const isFirst = slot.turn === 0
  const hints = isFirst ? slot.hints : []
  const suggestions = [fieldOf(schema, "default"), ...listOf(fieldOf(schema, "examples"))]
    .filter((value) => isFirst && value !== undefined)
  const values = fieldOf(schema, "enum")
  if (Array.isArray(values)) {
    const members = listOf(values)
    context.take(members.length / 5)
    const mentions = isFirst ? context.hints.filterMentioned(members) : []
    const memberTexts = new Set(
      hints.length + suggestions.length === 0 ? [] : members.map((member) => canonicalJson(member))
    )
    const preferences = [...hints, ...mentions, ...suggestions].filter((value) =>
      mentions.includes(value) || memberTexts.has(canonicalJson(value))
    )
    for (const value of [...preferences, ...rotate(members, slot.hash, slot.turn)]) yield { value, isSure: false }
    return
  }
  for (const value of [...hints, ...suggestions]) yield { value, isSure: false }
  const isSure = isBeyond(schema) || !intricate.some((keyword) => Object.hasOwn(schema, keyword))
  const types = typesOf(schema)
  for (let round = 0; round < 3; round++) {
    for (const type of types) {
      yield { value: ofType(type, schema, { ...slot, turn: slot.turn + round }, context), isSure }
    }
  }
}
