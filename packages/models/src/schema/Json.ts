import type { JsonSchema } from "../ModelRequest.js"

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A field of an object itself; what every object inherits does not count. */
export const fieldOf = (value: JsonSchema, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** A value as an object; what is none counts as empty. */
export const objectOf = (value: unknown): JsonSchema => isObject(value) ? value : {}

/** A value as a list; what is none counts as empty. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** The texts in a list. */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  listOf(value).filter((item): item is string => typeof item === "string")

/** A value as a number; undefined when it is none, or not finite. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

/** A value as a text; undefined when it is none. */
export const textOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/** How deep values are told apart. */
const deepest = 100

/** The same text for the same JSON value, in whatever order its fields stand. */
export const canonical = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? ""
  if (depth > deepest) return "…"
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(",")}]`
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner, depth + 1)}`).join(",")}}`
}
