import { Option, Schema } from "effect"

/** How much of a long text is looked at, in UTF-16 units. */
const excerptUnits = 4_000

/** Whether a text cut here would be cut inside a character. */
const splits = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff

/** The beginning of a text: at excerptUnits so many UTF-16 units, and only whole characters. */
export const truncate = (text: string, units: number): string =>
  text.length <= units ? text : text.slice(0, splits(text, units) ? units - 1 : units)

const tail = (text: string, units: number): string => {
  const at = text.length - units
  return text.slice(splits(text, at) ? at + 1 : at)
}

/** A text, or the beginning and the end of one that is longer than so many UTF-16 units (4,000 unless describe). */
export const excerpt = (text: string, units: number = excerptUnits): string =>
  text.length <= units ? text : `${truncate(text, units / 2)} … ${tail(text, units / 2)}`

/** Results longer than this, in UTF-16 units, are not read as JSON. */
const longestJson = 50_000

/** How much of a result is describe: fields or items of a value, UTF-16 units of one text and of all, values in values. */
const most = { entries: 12, units: 200, all: 1_000, depth: 3 }

const decodeJson = Schema.decodeUnknownOption(Schema.parseJson(Schema.Union(Schema.Object, Schema.String)))

const labelOf = (key: string): string => truncate(key, most.units).replace(/[_-]+/g, " ").trim()

const describe = (value: unknown, depth: number): string => {
  if (typeof value !== "object" || value === null) return truncate(String(value), most.units)
  if (depth > most.depth) return "…"
  const entries = Object.entries(value)
  const shown = entries.slice(0, most.entries).map(([key, item]) => {
    const words = describe(item, depth + 1)
    if (Array.isArray(value)) return words
    return `${labelOf(key)}: ${typeof item === "object" && item !== null ? `(${words})` : words}`
  })
  const more = entries.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ")
}

/** What a tool has found, in words: `{"amount_due":12}` is describe as `amount due: 12`. Long results are describe in part. */
export const describeResult = (content: string): string => {
  const value = content.length > longestJson ? Option.none() : decodeJson(content)
  return excerpt(Option.match(value, { onNone: () => content, onSome: (json) => describe(json, 0) }), most.all)
}
