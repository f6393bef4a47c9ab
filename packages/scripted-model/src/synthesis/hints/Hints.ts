import { fieldOf, isJsonObject, objectOf, stringOf } from "@trunkline/kernel"
import { assignValues } from "./Assignments.js"
import { extractEntities, findMentions } from "./Entities.js"
import { propertyOf } from "./Property.js"

/** Properties and their schemas. */
export type Named = ReadonlyArray<readonly [name: string, schema: unknown]>

/** What a user's words hold for values. */
export interface Hints {
  readonly hasText: boolean
  /**
   * Values that the words have for an object's properties, the likeliest first; they need not obey the schemas. An
   * optional property has some only when the words speak of it.
   */
  readonly valuesFor: (required: Named, optional: Named) => ReadonlyMap<string, ReadonlyArray<unknown>>
  /** The members of a list that the words name. */
  readonly mentioned: (members: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
  /** Whether the words name a value that sets a branch apart. */
  readonly matchesBranch: (branch: unknown) => boolean
}

/** How many properties are looked at. */
const most = { required: 100, optional: 300, ofBranch: 30 }

const noHints: Hints = { hasText: false, valuesFor: () => new Map(), mentioned: () => [], matchesBranch: () => false }

/** What words hold for the values of a schema, whose references are resolved. */
export const extractHints = (words: string, resolve: (reference: string) => unknown): Hints => {
  if (words.trim() === "") return noHints
  const said = extractEntities(words)
  const seen = (named: Named, count: number) =>
    named.slice(0, count).map(([name, schema]) => propertyOf(name, schema, resolve))
  const known = new Map<ReadonlyArray<unknown>, ReadonlyArray<unknown>>()
  const named = (members: ReadonlyArray<unknown>) => {
    const values = known.get(members) ?? findMentions(members, said).map(({ value }) => value)
    known.set(members, values)
    return values
  }
  const isNamed = (schema: unknown) => {
    const { members = [] } = propertyOf("", schema, resolve)
    return named([...members, ...(isJsonObject(schema) ? [fieldOf(schema, "const")] : [])]).length > 0
  }
  return {
    hasText: true,
    valuesFor: (required, optional) => assignValues(seen(required, most.required), seen(optional, most.optional), said),
    mentioned: named,
    matchesBranch: (branch) => {
      if (!isJsonObject(branch)) return false
      const reference = stringOf(fieldOf(branch, "$ref"))
      const own = objectOf(reference === undefined ? branch : resolve(reference))
      const inner = Object.values(objectOf(fieldOf(own, "properties"))).slice(0, most.ofBranch)
      return [own, ...inner].some(isNamed)
    }
  }
}
