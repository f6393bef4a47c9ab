import type { JsonSchema } from "../ModelRequest.js"
import type { Place } from "./Making.js"

/** What a user's words hold for values. */
export interface Hints {
  /** Values for a property that the words suggest, the likeliest first; they need not obey its schema. */
  readonly valuesFor: (schema: JsonSchema, place: Place) => ReadonlyArray<unknown>
  /** Whether the words speak of a property. */
  readonly speakOf: (name: string, schema: unknown) => boolean
  /** Whether the words name a value. */
  readonly name: (value: unknown) => boolean
}

/** No words. */
export const noHints: Hints = { valuesFor: () => [], speakOf: () => false, name: () => false }
