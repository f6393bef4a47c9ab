/** A JSON object as it is read: its fields can hold anything. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Checks that a value is a JSON object: neither null nor a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns an object's own field; inherited ones, such as `toString`, count as absent. */
export const fieldOf = (value: JsonObject, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** Returns the value if it is a JSON object, and an empty object otherwise. */
export const objectOf = (value: unknown): JsonObject => isJsonObject(value) ? value : {}

/** Returns the value if it is a list, and an empty list otherwise. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** Returns the strings in a list; an empty list if the value is not a list. */
export const stringsOf = (value: unknown): ReadonlyArray<string> =>
  listOf(value).filter((item): item is string => typeof item === "string")

/** Returns the value if it is a finite number, and undefined otherwise. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

/** Returns the value if it is a string, and undefined otherwise. */
export const stringOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/** Depth below which `canonicalJson` writes an ellipsis, so that it never overflows the stack. */
const maxDepth = 100

/**
 * Encodes a JSON value as text with the fields of all objects sorted by name, so that equal values give equal texts.
 * Values nested deeper than 100 levels are written as `…`.
 */
export const canonicalJson = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? ""
  if (depth > maxDepth) return "…"
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(",")}]`
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner, depth + 1)}`).join(",")}}`
}

/** Parses a JSON text; undefined if it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Detects where the JSON object or list that a growing text holds ends. */
export interface JsonEndDetector {
  /** Reads the next piece of the text. */
  readonly push: (text: string) => void
  /** True once the object or list that the text began with is closed. */
  readonly isAtEnd: () => boolean
}

/** Makes a detector for one text. It reads every character once, wherever the text is cut, and ignores syntax errors. */
export const makeJsonEndDetector = (): JsonEndDetector => {
  let depth = 0
  let isQuoted = false
  let isEscaped = false
  let isAtEnd = false

  const read = (char: string) => {
    if (isEscaped) isEscaped = false
    else if (isQuoted) {
      isEscaped = char === "\\"
      isQuoted = char !== "\""
    } else if (char === "\"") isQuoted = true
    else if (char === "{" || char === "[") depth += 1
    else if (char === "}" || char === "]") {
      depth -= 1
      isAtEnd = depth === 0
    }
  }

  return {
    push: (text) => {
      for (const char of text) read(char)
    },
    isAtEnd: () => isAtEnd
  }
}
