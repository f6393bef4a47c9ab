/** A JSON object of which nothing is known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object, and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value that should be text; empty where it is not. */
export const textIn = (value: unknown): string => typeof value === "string" ? value : ""

/** A value that should be a list; empty where it is not. */
export const listIn = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** The value that a JSON text stands for; undefined where it stands for none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
