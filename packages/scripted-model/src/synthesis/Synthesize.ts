import { fieldOf, isJsonObject, stringOf } from "@trunkline/kernel"
import {
  compilePattern,
  type JsonSchema,
  makeSchemaChecker,
  measureSchema,
  type PatternMatcher,
  resolvePointer,
  schemaLimits
} from "@trunkline/models"
import { candidatesFor } from "./Candidates.js"
import { childHash, rotate, seedHash } from "./Draws.js"
import { extractHints } from "./hints/Hints.js"
import { maxMinimumDepth, minimumDepth } from "./MinimumDepth.js"
import type { SynthesisContext, ValueSlot } from "./SynthesisContext.js"
import { flatten, type FlattenContext, variantsOf } from "./Variants.js"

/** Settings of a synthesis. */
export interface SynthesisOptions {
  /** The same seed and text give the same value. */
  readonly seed: string
  /** A user's message: values mentioned in it are preferred. The first 1,000 UTF-16 units count. */
  readonly text?: string
}

/** Work budget: per schema, per value in it, and the cost of a visit of a check. */
const work = { any: 4_000, perValue: 1, perVisit: 4 }

/** Upper bounds of nesting, and of branches and attempts per position. */
const max = { depth: 30, branches: 300, attempts: 12 }

const isNull = (schema: unknown) => isJsonObject(schema) && fieldOf(schema, "type") === "null"

/** Values for positions after the budget is exhausted. */
const empty: Readonly<Record<string, unknown>> = {
  object: {},
  array: [],
  number: 0,
  integer: 0,
  boolean: false,
  string: ""
}

const emptyOf = (schema: unknown): unknown => {
  const type = isJsonObject(schema) ? stringOf(fieldOf(schema, "type")) : undefined
  return type !== undefined && Object.hasOwn(empty, type) ? empty[type] : null
}

/**
 * Makes a value that obeys a JSON Schema, from a user's message where that fits: the required parts, and those that the
 * message mentions. The same schema, seed and text give the same value, in whatever order the schema's fields stand;
 * only the order of an object's properties follows the schema's. Never throws, and takes some milliseconds at most: for
 * an unsatisfiable schema, or one that requires enormous values, it returns a best effort.
 *
 * @example
 * synthesize({ type: "object", properties: { city: { type: "string" } } }, { seed: "1", text: "city Pune" })
 */
export const synthesize = (schema: JsonSchema, options: SynthesisOptions): unknown => {
  let remaining = work.any + work.perValue * Math.min(schemaLimits.values, measureSchema(schema).values)
  const take = (amount: number) => {
    remaining -= amount
    return remaining >= 0
  }
  const resolve = (reference: string) => resolvePointer(schema, reference)
  const hints = extractHints(options.text ?? "", resolve)
  const matchers = new Map<string, PatternMatcher>()
  const matcher = (pattern: string) => {
    const existing = matchers.get(pattern)
    if (existing !== undefined) return existing
    take(10 + pattern.length / 5)
    const matcher = compilePattern(pattern)
    matchers.set(pattern, matcher)
    return matcher
  }
  const heights = new Map<unknown, number>()
  const levels = (one: unknown) => {
    const height = heights.get(one) ?? (take(10) ? minimumDepth(one, resolve) : maxMinimumDepth)
    heights.set(one, height)
    return height
  }
  const check = makeSchemaChecker(schema, (visits) => take(visits * work.perVisit))
  const obeys = (one: unknown, value: unknown) => check(one, value).length === 0

  const rankedAt = (slot: ValueSlot): FlattenContext["rank"] => (branches) => {
    const rank = (branch: unknown) => {
      const height = levels(branch)
      if (height === maxMinimumDepth || slot.depth > 2) return 2 + height
      return hints.hasText && take(20) && hints.matchesBranch(branch) ? 0 : isNull(branch) ? 2 : 1
    }
    return rotate(branches.slice(0, max.branches), childHash(slot.hash, "branch"), slot.turn)
      .map((branch) => ({ branch, rank: rank(branch) })).toSorted((a, b) => a.rank - b.rank).map(({ branch }) => branch)
  }

  const make = (one: unknown, slot: ValueSlot): unknown => {
    if (!take(5) || slot.depth > max.depth) return emptyOf(one)
    const following: FlattenContext = { take, resolve, rank: rankedAt(slot) }
    const flat = flatten(one, following)
    if (flat === null) return null
    let first: { readonly value: unknown } | undefined
    let attempt = 0
    for (const variant of variantsOf(flat, following)) {
      let ofVariant = 0
      for (const { isSure, value } of candidatesFor(variant, withFewerAttempts(slot, attempt), context)) {
        const isFine = (isSure && flat.choices.length === 0) || obeys(one, value)
        if (isFine && (remaining > 0 || first === undefined)) return value
        first ??= { value }
        attempt++
        ofVariant++
        if (attempt >= slot.attempts || !take(5)) return first.value
        if (flat.choices.length > 0 && ofVariant >= slot.attempts / 2) break
      }
    }
    return first === undefined ? null : first.value
  }

  const withFewerAttempts = (slot: ValueSlot, attempt: number): ValueSlot =>
    attempt === 0 ? slot : { ...slot, attempts: Math.max(1, Math.floor(slot.attempts / 2)) }

  const context: SynthesisContext = { make, obeys, take, resolve, matcher, levels, hints }
  const rootHints = hints.valuesFor([["", schema]], []).get("") ?? []
  return make(schema, {
    hash: seedHash(options.seed),
    name: "",
    depth: 0,
    turn: 0,
    hints: rootHints,
    attempts: max.attempts
  })
}
