import type { PatternMatcher } from "@trunkline/models"
import type { Hints } from "./hints/Hints.js"

/** Position of a value that is being made. */
export interface ValueSlot {
  /** Hash that choices are drawn from; it depends on the seed and the path. */
  readonly hash: number
  /** Name of the property that holds the value or its list. */
  readonly name: string
  readonly depth: number
  /** Number of values drawn here before, so that the next one differs. */
  readonly turn: number
  /** Hints from the user's message, the most likely first. */
  readonly hints: ReadonlyArray<unknown>
  /** Upper bound of values to try. */
  readonly attempts: number
}

/** Shared state of one synthesis. */
export interface SynthesisContext {
  /** Makes a value for a schema. */
  readonly make: (schema: unknown, place: ValueSlot) => unknown
  /** Checks a value against a schema. */
  readonly obeys: (schema: unknown, value: unknown) => boolean
  /** Spends work; false if the budget is exhausted. */
  readonly take: (work: number) => boolean
  /** Resolves a local reference. */
  readonly resolve: (reference: string) => unknown
  /** Compiles a pattern, cached. */
  readonly matcher: (pattern: string) => PatternMatcher
  /** Computes the minimum depth of a schema's values, cached. */
  readonly levels: (schema: unknown) => number
  readonly hints: Hints
}
