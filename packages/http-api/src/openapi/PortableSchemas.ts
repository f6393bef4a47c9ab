import { Array as Arrays, Predicate } from "effect"

const anyObject = { type: "object", additionalProperties: true }

/** Keywords that say which properties an object has. */
const objectKeywords = ["properties", "patternProperties", "additionalProperties"]

/** The schema of a value that has one of some schemas. */
const anyOf = (schemas: ReadonlyArray<unknown>): unknown => {
  const different = Arrays.dedupeWith(schemas, (left, right) => JSON.stringify(left) === JSON.stringify(right))
  return different.length === 1 ? different[0] : { anyOf: different }
}

/**
 * Rewrites a schema so that every generator of clients reads it as it is meant; for `JSON.parse`.
 *
 * - An array has `items`. One with a type for each position has them beside these types, and as many as positions.
 * - An object of any properties says so, since generators take one without properties for empty. `Schema` writes the empty
 *   struct as "anything but null".
 * - Ids that `Schema` gives, which occur more than once, are left out.
 */
export const portable = (_key: string, value: unknown): unknown => {
  if (!Predicate.isReadonlyRecord(value)) return value
  const { $id, ...others } = value
  if ($id === "/schemas/%7B%7D") return anyObject
  const schema = Predicate.isString($id) && $id.startsWith("/schemas/") ? others : value
  if (schema["type"] === "object" && !objectKeywords.some((keyword) => keyword in schema)) {
    return { ...schema, ...anyObject }
  }
  if (schema["type"] !== "array" || Predicate.isReadonlyRecord(schema["items"])) return schema
  const { prefixItems } = schema
  return Array.isArray(prefixItems)
    ? { ...schema, items: anyOf(prefixItems), maxItems: prefixItems.length }
    : { ...schema, items: {} }
}
