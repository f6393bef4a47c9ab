import { Option, Schema } from "effect"

/** Longest excerpt of a text, in UTF-16 units. */
const excerptUnits = 4_000

/** Checks whether a cut at this offset would split a character. */
const splits = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff

/** Truncates a text to so many UTF-16 units, without splitting a character. */
export const truncate = (text: string, units: number): string =>
  text.length <= units ? text : text.slice(0, splits(text, units) ? units - 1 : units)

const tail = (text: string, units: number): string => {
  const at = text.length - units
  return text.slice(splits(text, at) ? at + 1 : at)
}

/** Shortens a text over the limit (default: 4,000 UTF-16 units) to its beginning and end. */
export const excerpt = (text: string, units: number = excerptUnits): string =>
  text.length <= units ? text : `${truncate(text, units / 2)} … ${tail(text, units / 2)}`

/** Longest result that is parsed as JSON, in UTF-16 units. */
const maxJsonLength = 50_000

/** Limits of a description: entries per value, UTF-16 units per text and in all, and nesting. */
const max = { entries: 12, units: 200, all: 1_000, depth: 3 }

const decodeJson = Schema.decodeUnknownOption(Schema.parseJson(Schema.Union(Schema.Object, Schema.String)))

const labelOf = (key: string): string => truncate(key, max.units).replace(/[_-]+/g, " ").trim()

const describe = (value: unknown, depth: number): string => {
  if (typeof value !== "object" || value === null) return truncate(String(value), max.units)
  if (depth > max.depth) return "…"
  const entries = Object.entries(value)
  const entryTexts = entries.slice(0, max.entries).map(([key, item]) => {
    const words = describe(item, depth + 1)
    if (Array.isArray(value)) return words
    return `${labelOf(key)}: ${typeof item === "object" && item !== null ? `(${words})` : words}`
  })
  const more = entries.length - entryTexts.length
  return [...entryTexts, ...(more > 0 ? [`and ${more} more`] : [])].join(", ")
}

/**
 * Describes a tool's result in plain text: `{"amount_due":12}` becomes `amount due: 12`. Long results are shortened.
 */
export const describeResult = (content: string): string => {
  const value = content.length > maxJsonLength ? Option.none() : decodeJson(content)
  return excerpt(Option.match(value, { onNone: () => content, onSome: (json) => describe(json, 0) }), max.all)
}
