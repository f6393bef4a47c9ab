import type { PatternMatcher } from "@trunkline/models"
import type { Hints } from "./hints/Hints.js"

/** Where a value will stand. */
export interface Slot {
  /** What choices are drawn from; it depends on the seed and the way here. */
  readonly hash: number
  /** The property that the value is for, or whose list it is in. */
  readonly name: string
  readonly depth: number
  /** How many values were drawn here before: the next one should differ. */
  readonly turn: number
  /** What the user's words have for it, the likeliest first. */
  readonly hints: ReadonlyArray<unknown>
  /** How many values may be tried. */
  readonly attempts: number
}

/** What it takes to make a value. */
export interface SynthesisContext {
  /** A value for a schema. */
  readonly make: (schema: unknown, place: Slot) => unknown
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
