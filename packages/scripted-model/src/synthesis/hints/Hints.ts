import { fieldOf, isJsonObject, objectOf, stringOf } from "@trunkline/kernel"
import { assignValues } from "./Assignments.js"
import { extractEntities, findMentions } from "./Entities.js"
import { propertyOf } from "./Property.js"

/** Property names with their schemas. */
export type NamedProperties = ReadonlyArray<readonly [name: string, schema: unknown]>

/** Values that a user's message holds. */
export interface Hints {
  readonly hasText: boolean
  /**
   * Finds values for an object's properties, the most likely first; they need not obey the schemas. An optional
   * property has values only if the message mentions it.
   */
  readonly valuesFor: (
    requiredProperties: NamedProperties,
    optional: NamedProperties
  ) => ReadonlyMap<string, ReadonlyArray<unknown>>
  /** Finds the enum members that the message mentions. */
  readonly filterMentioned: (members: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
  /** Checks whether the message mentions a value that is specific to a branch. */
  readonly matchesBranch: (branch: unknown) => boolean
}

/** Upper bounds of the properties that are considered. */
const max = { required: 100, optional: 300, ofBranch: 30 }

const noHints: Hints = {
  hasText: false,
  valuesFor: () => new Map(),
  filterMentioned: () => [],
  matchesBranch: () => false
}

/** Extracts values for a schema from a message. */
export const extractHints = (words: string, resolve: (reference: string) => unknown): Hints => {
  if (words.trim() === "") return noHints
  const entities = extractEntities(words)
  const propertiesOf = (entries: NamedProperties, count: number) =>
    entries.slice(0, count).map(([name, schema]) => propertyOf(name, schema, resolve))
  const cache = new Map<ReadonlyArray<unknown>, ReadonlyArray<unknown>>()
  const findMembers = (members: ReadonlyArray<unknown>) => {
    const values = cache.get(members) ?? findMentions(members, entities).map(({ value }) => value)
    cache.set(members, values)
    return values
  }
  const isNamed = (schema: unknown) => {
    const { members = [] } = propertyOf("", schema, resolve)
    return findMembers([...members, ...(isJsonObject(schema) ? [fieldOf(schema, "const")] : [])]).length > 0
  }
  return {
    hasText: true,
    valuesFor: (requiredProperties, optional) =>
      assignValues(propertiesOf(requiredProperties, max.required), propertiesOf(optional, max.optional), entities),
    filterMentioned: findMembers,
    matchesBranch: (branch) => {
      if (!isJsonObject(branch)) return false
      const reference = stringOf(fieldOf(branch, "$ref"))
      const object = objectOf(reference === undefined ? branch : resolve(reference))
      const inner = Object.values(objectOf(fieldOf(object, "properties"))).slice(0, max.ofBranch)
      return [object, ...inner].some(isNamed)
    }
  }
}
