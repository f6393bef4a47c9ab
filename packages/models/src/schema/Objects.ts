import type { JsonSchema } from "../ModelRequest.js"
import { under } from "./Draws.js"
import { fieldOf, isObject, numberOf, objectOf, textsOf } from "./Json.js"
import { mostLevels } from "./Levels.js"
import type { Making, Place } from "./Making.js"
import { matcherOf } from "./PatternCost.js"
import { stringFor } from "./Strings.js"

/** How many properties are made, and how many optional ones are looked at, whatever a schema asks for. */
const most = { made: 5_000, added: 500, optional: 300 }

const together = (schemas: ReadonlyArray<unknown>): unknown => schemas.length === 1 ? schemas[0] : { allOf: schemas }

/** What an object's schema says of a property: all that it says of its name, or else of others. */
const propertySchema = (schema: JsonSchema): (name: string) => unknown => {
  const properties = objectOf(fieldOf(schema, "properties"))
  const patterns = Object.entries(objectOf(fieldOf(schema, "patternProperties")))
    .map(([pattern, inner]) => ({ matcher: matcherOf(pattern), inner }))
  const rest = fieldOf(schema, "additionalProperties") ?? fieldOf(schema, "unevaluatedProperties") ?? true
  return (name) => {
    const named = Object.hasOwn(properties, name) ? [properties[name]] : []
    const fitting = patterns.filter(({ matcher }) => matcher.test(name) === true).map(({ inner }) => inner)
    const all = [...named, ...fitting]
    return all.length === 0 ? rest : together(all)
  }
}

/** The names that a property's presence calls for. */
const calledFor = (schema: JsonSchema, names: Set<string>): void => {
  const rules = { ...objectOf(fieldOf(schema, "dependencies")), ...objectOf(fieldOf(schema, "dependentRequired")) }
  const waiting = Object.keys(rules).length === 0 ? [] : [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const other of textsOf(fieldOf(rules, name))) {
      if (!names.has(other)) waiting.push(other)
      names.add(other)
    }
  }
}

/** The schemas that hold because of a property's presence. */
const dependentSchemas = (schema: JsonSchema, names: ReadonlySet<string>): ReadonlyArray<unknown> =>
  ["dependentSchemas", "dependencies"].flatMap((keyword) =>
    Object.entries(objectOf(fieldOf(schema, keyword)))
      .filter(([name, inner]) => names.has(name) && isObject(inner)).map(([, inner]) => inner)
  )

/** Names that no property has yet: of a pattern, or of what `propertyNames` says. */
function* newNames(schema: JsonSchema, place: Place): Generator<string> {
  const patterns = Object.keys(objectOf(fieldOf(schema, "patternProperties"))).toSorted()
  const names = objectOf(fieldOf(schema, "propertyNames"))
  for (let turn = 0; turn < most.added; turn++) {
    const nameless = { ...place, name: "", turn }
    yield stringFor(names, nameless)
    for (const pattern of patterns) yield stringFor({ ...names, pattern }, nameless)
  }
}

/** The names of the properties that an object has. */
const namesOf = (schema: JsonSchema, place: Place, { hints, levels, take }: Making): ReadonlySet<string> => {
  const schemaOf = propertySchema(schema)
  const names = new Set(textsOf(fieldOf(schema, "required")).slice(0, most.made))
  const ceiling = numberOf(fieldOf(schema, "maxProperties")) ?? Infinity
  const optional = Object.entries(objectOf(fieldOf(schema, "properties")))
    .filter(([name, inner]) => !names.has(name) && inner !== false).toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, inner] of optional.slice(0, most.optional)) {
    if (names.size < ceiling && take(1) && hints.speakOf(name, inner)) names.add(name)
  }
  calledFor(schema, names)
  const least = Math.min(most.added, numberOf(fieldOf(schema, "minProperties")) ?? 0)
  if (names.size >= least) return names
  const ranked = optional.filter(([name]) => !names.has(name))
    .map(([name, inner]) => ({ name, height: take(5) ? levels(inner) : mostLevels }))
    .toSorted((a, b) => a.height - b.height)
  for (const { name } of ranked.slice(0, least - names.size)) names.add(name)
  for (const name of names.size < least ? newNames(schema, place) : []) {
    if (schemaOf(name) !== false) names.add(name)
    if (names.size >= least || !take(1)) break
  }
  return names
}

/**
 * An object with what is required, what the words speak of, and no more than `minProperties` calls for beside it; its
 * properties stand as the schema has them.
 */
export const objectFor = (schema: JsonSchema, place: Place, making: Making): Readonly<Record<string, unknown>> => {
  const names = namesOf(schema, place, making)
  const more = dependentSchemas(schema, names)
  if (more.length > 0) {
    const rest = Object.entries(schema).filter(([keyword]) =>
      keyword !== "dependentSchemas" && keyword !== "dependencies"
    )
    const value = making.make({ allOf: [Object.fromEntries(rest), ...more] }, { ...place, depth: place.depth + 1 })
    return objectOf(value)
  }
  const schemaOf = propertySchema(schema)
  const inOrder = [...new Set([...Object.keys(objectOf(fieldOf(schema, "properties"))), ...names])]
    .filter((name) => names.has(name))
  return Object.fromEntries(inOrder.flatMap((name) => {
    const inner = schemaOf(name)
    if (inner === false) return []
    const at = { ...place, hash: under(place.hash, name), name, depth: place.depth + 1, turn: place.turn }
    return [[name, making.make(inner, at)]]
  }))
}
