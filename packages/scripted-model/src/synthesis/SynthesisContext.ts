import type { PatternMatcher } from "@trunkline/models"
import type { Hints } from "./hints/Hints.js"

/** Where a value will stand. */
export interface Place {
  /** What choices are drawn from; it depends on the seed and the way here. */
  readonly hash: number
  /** The property that the value is for, or whose list it is in. */
  readonly name: string
  readonly depth: number
  /** How many values were drawn here before: the next one should differ. */
  readonly turn: number
  /** What the user's words have for it, the likeliest first. */
  readonly told: ReadonlyArray<unknown>
  /** How many values may be tried. */
  readonly patience: number
}

/** What it takes to make a value. */
export interface Making {
  /** A value for a schema. */
  readonly make: (schema: unknown, place: Place) => unknown
  /** Whether a value obeys a schema, as far as can be checked. */
  readonly obeys: (schema: unknown, value: unknown) => boolean
  /** Whether this much work may still be done; it is then spent. */
  readonly take: (work: number) => boolean
  /** What a local reference points at. */
  readonly resolve: (reference: string) => unknown
  /** A pattern, read once. */
  readonly matcher: (pattern: string) => PatternMatcher
  /** How many levels a value needs at least, up to some. */
  readonly levels: (schema: unknown) => number
  readonly hints: Hints
}

/** How much of a name counts, in UTF-16 units. */
const most = 200

const fnvStart = 0x811c9dc5
const fnvPrime = 0x01000193

/** A place's number from the one above it and the step that leads to it (FNV-1a over UTF-16 units). */
export const under = (above: number, step: string | number): number => {
  const text = String(step)
  let hash = Math.imul(above ^ 0xff, fnvPrime)
  for (let index = 0; index < text.length && index < most; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), fnvPrime)
  }
  return hash >>> 0
}

/** The number that a seed starts with. */
export const startOf = (seed: string): number => under(fnvStart, seed)

/** The draw that belongs to a place's number, from 0 up to 1 (the finalizer of MurmurHash3 spreads near numbers). */
export const drawn = (place: number): number => {
  let hash = Math.imul(place ^ (place >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}

/** A list that begins with the one drawn of its members and goes round. */
export const rotated = <A>(members: ReadonlyArray<A>, place: number, turn = 0): ReadonlyArray<A> => {
  const first = members.length === 0 ? 0 : (Math.floor(drawn(place) * members.length) + turn) % members.length
  return [...members.slice(first), ...members.slice(0, first)]
}
