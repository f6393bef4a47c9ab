import { fieldOf, isJsonObject, numberOf, objectOf, stringsOf } from "@trunkline/kernel"
import type { JsonSchema } from "@trunkline/models"
import { childHash } from "./Draws.js"
import { maxMinimumDepth } from "./MinimumDepth.js"
import { stringFor } from "./Strings.js"
import type { SynthesisContext, ValueSlot } from "./SynthesisContext.js"

/** Upper bounds of properties, and of those added only for `minProperties`. */
const max = { made: 5_000, added: 500 }

const together = (schemas: ReadonlyArray<unknown>): unknown => schemas.length === 1 ? schemas[0] : { allOf: schemas }

/** Makes a lookup of the schema for a property. */
const propertySchema = (schema: JsonSchema, { matcher, take }: SynthesisContext): (name: string) => unknown => {
  const properties = objectOf(fieldOf(schema, "properties"))
  const patterns = Object.entries(objectOf(fieldOf(schema, "patternProperties")))
    .map(([pattern, inner]) => ({ pattern: matcher(pattern), inner }))
  const rest = fieldOf(schema, "additionalProperties") ?? fieldOf(schema, "unevaluatedProperties") ?? true
  return (name) => {
    const propertySchemas = Object.hasOwn(properties, name) ? [properties[name]] : []
    const isRead = patterns.length > 0 && take(patterns.length / 5)
    const fitting = isRead
      ? patterns.filter(({ pattern }) => pattern.test(name) === true).map(({ inner }) => inner)
      : []
    const schemas = [...propertySchemas, ...fitting]
    return schemas.length === 0 ? rest : together(schemas)
  }
}

/** Adds the names that present properties require. */
const calledFor = (schema: JsonSchema, names: Set<string>): void => {
  const rules = { ...objectOf(fieldOf(schema, "dependencies")), ...objectOf(fieldOf(schema, "dependentRequired")) }
  const waiting = Object.keys(rules).length === 0 ? [] : [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const other of stringsOf(fieldOf(rules, name))) {
      if (!names.has(other)) waiting.push(other)
      names.add(other)
    }
  }
}

/** Lists the schemas that apply because properties are present. */
const dependentSchemas = (schema: JsonSchema, names: ReadonlySet<string>): ReadonlyArray<unknown> =>
  ["dependentSchemas", "dependencies"].flatMap((keyword) =>
    Object.entries(objectOf(fieldOf(schema, keyword)))
      .filter(([name, inner]) => names.has(name) && isJsonObject(inner)).map(([, inner]) => inner)
  )

/** Yields new names, from patterns or `propertyNames`. */
function* newNames(schema: JsonSchema, slot: ValueSlot, context: SynthesisContext): Generator<string> {
  const patterns = Object.keys(objectOf(fieldOf(schema, "patternProperties"))).toSorted()
  const names = objectOf(fieldOf(schema, "propertyNames"))
  for (let turn = 0; turn < max.added; turn++) {
    const nameless = { ...slot, name: "", turn }
    yield stringFor(names, nameless, context)
    for (const pattern of patterns) yield stringFor({ ...names, pattern }, nameless, context)
  }
}

const noHints: ReadonlyMap<string, ReadonlyArray<unknown>> = new Map()

/** Selects the properties of an object, with hints for them. */
const propertiesOf = (
  schema: JsonSchema,
  schemaOf: (name: string) => unknown,
  slot: ValueSlot,
  context: SynthesisContext
): { readonly names: ReadonlySet<string>; readonly valueHints: ReadonlyMap<string, ReadonlyArray<unknown>> } => {
  const { hints, levels, take } = context
  const requiredNames = stringsOf(fieldOf(schema, "required")).slice(0, max.made)
  const names = new Set(requiredNames)
  const maxProperties = numberOf(fieldOf(schema, "maxProperties")) ?? Infinity
  const minProperties = Math.min(max.added, numberOf(fieldOf(schema, "minProperties")) ?? 0)
  const usesHints = slot.turn === 0 && hints.hasText
  const properties = usesHints || names.size < minProperties
    ? Object.entries(objectOf(fieldOf(schema, "properties")))
    : []
  const optional = properties.filter(([name, inner]) => !names.has(name) && inner !== false)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const valueHints = usesHints
    ? hints.valuesFor(requiredNames.map((name) => [name, schemaOf(name)]), optional)
    : noHints
  for (const [name] of optional) if (valueHints.has(name) && names.size < maxProperties) names.add(name)
  calledFor(schema, names)
  if (names.size >= minProperties) return { names, valueHints }
  const ranking = optional.filter(([name]) => !names.has(name))
    .map(([name, inner]) => ({ name, height: take(5) ? levels(inner) : maxMinimumDepth }))
    .toSorted((a, b) => a.height - b.height)
  for (const { name } of ranking.slice(0, minProperties - names.size)) names.add(name)
  for (const name of names.size < minProperties ? newNames(schema, slot, context) : []) {
    if (schemaOf(name) !== false) names.add(name)
    if (names.size >= minProperties || !take(1)) break
  }
  return { names, valueHints }
}

/**
 * Makes an object with its required properties, those that the message mentions, and as many more as `minProperties`
 * requires; in the order of the schema.
 */
export const objectFor = (schema: JsonSchema, slot: ValueSlot, context: SynthesisContext): JsonSchema => {
  const schemaOf = propertySchema(schema, context)
  const { names, valueHints } = propertiesOf(schema, schemaOf, slot, context)
  const more = dependentSchemas(schema, names)
  if (more.length > 0) {
    const rest = Object.entries(schema).filter(([keyword]) =>
      keyword !== "dependentSchemas" && keyword !== "dependencies"
    )
    const value = context.make({ allOf: [Object.fromEntries(rest), ...more] }, { ...slot, depth: slot.depth + 1 })
    return objectOf(value)
  }
  const inOrder = [...new Set([...Object.keys(objectOf(fieldOf(schema, "properties"))), ...names])]
    .filter((name) => names.has(name))
  return Object.fromEntries(inOrder.flatMap((name) => {
    const inner = schemaOf(name)
    if (inner === false) return []
    const at = {
      ...slot,
      hash: childHash(slot.hash, name),
      name,
      depth: slot.depth + 1,
      hints: slot.turn === 0 ? valueHints.get(name) ?? [] : []
    }
    return [[name, context.make(inner, at)]]
  }))
}
