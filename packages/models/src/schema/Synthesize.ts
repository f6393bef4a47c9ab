import type { JsonSchema } from "../ModelRequest.js"
import { arrayFor } from "./Arrays.js"
import { drawn, rotated, startOf, under } from "./Draws.js"
import { noHints } from "./Hints.js"
import { canonical, fieldOf, listOf, textOf, textsOf } from "./Json.js"
import { levelsOf, mostLevels } from "./Levels.js"
import type { Making, Place } from "./Making.js"
import { numberFor } from "./Numbers.js"
import { objectFor } from "./Objects.js"
import { pointedAt } from "./Pointer.js"
import { stringFor } from "./Strings.js"
import { flattened, type Following, variantsOf } from "./Variants.js"
import { checkerOf } from "./Violations.js"

/** What a value is made from. */
export interface SynthesisOptions {
  /** The same seed and words give the same value. */
  readonly seed: string
  /** What a user said: values named in it are preferred. The first 1,000 UTF-16 units count. */
  readonly words?: string
}

/** How much is done for one value: work in all, levels, and values tried in one place. */
const most = { work: 30_000, depth: 30, patience: 12 }

/** Keywords that one by one do not make sure of a value; it is checked. */
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

/** The types that a value may have, the likeliest first: null comes last. */
const typesOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const type = fieldOf(schema, "type")
  const told = typeof type === "string" ? [type] : textsOf(type)
  if (told.length > 0) return told.toSorted((a, b) => Number(a === "null") - Number(b === "null"))
  const spoken = kinds.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)))
  return [...new Set([...spoken.map(([kind]) => kind), ...anyType])]
}

const ofType = (type: string, schema: JsonSchema, place: Place, making: Making): unknown => {
  switch (type) {
    case "object":
      return objectFor(schema, place, making)
    case "array":
      return arrayFor(schema, place, making)
    case "integer":
    case "number":
      return numberFor(schema, type === "integer", place)
    case "boolean":
      return (drawn(place.hash) < 0.5) === (place.turn % 2 === 0)
    case "null":
      return null
    default:
      return stringFor(schema, place)
  }
}

/** A value to try, and whether it may break the schema that it was made for. */
interface Candidate {
  readonly value: unknown
  readonly isSure: boolean
}

function* candidatesFor(schema: JsonSchema, place: Place, making: Making): Generator<Candidate> {
  const values = fieldOf(schema, "enum")
  const suggested = [fieldOf(schema, "default"), ...listOf(fieldOf(schema, "examples"))]
    .filter((value) => value !== undefined)
  if (Array.isArray(values)) {
    const members = listOf(values)
    const named = members.filter((member) => making.hints.name(member))
    const known = new Set(members.map((member) => canonical(member)))
    const liked = place.turn === 0 ? suggested.filter((value) => known.has(canonical(value))) : []
    for (const value of [...named, ...liked, ...rotated(members, place.hash, place.turn)]) {
      yield { value, isSure: false }
    }
    return
  }
  const told = place.turn === 0 ? [...making.hints.valuesFor(schema, place), ...suggested] : []
  for (const value of told) yield { value, isSure: false }
  const isSure = !intricate.some((keyword) => Object.hasOwn(schema, keyword))
  const types = typesOf(schema)
  for (let round = 0; round < 3; round++) {
    for (const type of types) {
      yield { value: ofType(type, schema, { ...place, turn: place.turn + round }, making), isSure }
    }
  }
}

/** What stands where no more work may be done. */
const empty: Readonly<Record<string, unknown>> = {
  object: {},
  array: [],
  number: 0,
  integer: 0,
  boolean: false,
  string: ""
}

const emptyOf = (schema: unknown): unknown => {
  const type = typeof schema === "object" && schema !== null && "type" in schema ? textOf(schema.type) : undefined
  return type !== undefined && Object.hasOwn(empty, type) ? empty[type] : null
}

/**
 * A value that obeys a JSON Schema, made of what a user said where that fits: what is required, and of the rest what
 * the words speak of. The same schema, seed and words give the same value, in whatever order the schema's fields stand;
 * only the order of an object's properties follows the schema's. Never throws and takes some milliseconds at most: of a
 * schema that nothing obeys, or that asks for enormous values, it gives what could be done.
 */
export const synthesize = (schema: JsonSchema, options: SynthesisOptions): unknown => {
  let left = most.work
  const take = (work: number) => {
    left -= work
    return left >= 0
  }
  const resolve = (reference: string) => pointedAt(schema, reference)
  const heights = new Map<unknown, number>()
  const levels = (one: unknown) => {
    const height = heights.get(one) ?? (take(10) ? levelsOf(one, resolve) : mostLevels)
    heights.set(one, height)
    return height
  }
  const check = checkerOf(schema, take)
  const obeys = (one: unknown, value: unknown) => check(one, value).length === 0

  const rankedAt = (place: Place): Following["ranked"] => (branches) => {
    const scored = rotated(branches, under(place.hash, "branch"), place.turn).map((branch) => ({
      branch,
      height: levels(branch)
    }))
    const rank = ({ height }: { readonly height: number }) => place.depth > 2 || height === mostLevels ? height : 0
    return scored.toSorted((a, b) => rank(a) - rank(b)).map(({ branch }) => branch)
  }

  const make = (one: unknown, place: Place): unknown => {
    if (!take(5) || place.depth > most.depth) return emptyOf(one)
    const following: Following = { take, resolve, ranked: rankedAt(place) }
    const flat = flattened(one, following)
    if (flat === null) return null
    let first: { readonly value: unknown } | undefined
    let tried = 0
    for (const variant of variantsOf(flat, following)) {
      let ofVariant = 0
      for (const { isSure, value } of candidatesFor(variant, patient(place, tried), making)) {
        if ((isSure && flat.choices.length === 0) || obeys(one, value)) return value
        first ??= { value }
        tried++
        ofVariant++
        if (tried >= place.patience || !take(5)) return first.value
        if (flat.choices.length > 0 && ofVariant >= place.patience / 2) break
      }
    }
    return first === undefined ? null : first.value
  }

  const patient = (place: Place, tried: number): Place =>
    tried === 0 ? place : { ...place, patience: Math.max(1, Math.floor(place.patience / 2)) }

  const making: Making = { make, obeys, take, resolve, levels, hints: noHints }
  return make(schema, { hash: startOf(options.seed), name: "", depth: 0, turn: 0, patience: most.patience })
}
