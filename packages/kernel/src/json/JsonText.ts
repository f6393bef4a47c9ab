/**
 * Writes a value as JSON text. As with `JSON.stringify`, whose type it shares, the text is undefined where there is nothing
 * to write: for undefined, a function or a symbol.
 */
export type Write = (value: unknown) => string

/** Text of a value that has none: properties with it are left out, items with it become null. */
export const absent: string = JSON.stringify(undefined)

/** Writes a value that is JSON already. */
export const writeJson: Write = (value) => JSON.stringify(value)

/** Characters that JSON may escape: control characters, quotes, backslashes and surrogates, which may be alone. */
const escapedPattern = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** Beyond this length the native search of `JSON.stringify` is faster than a test and a concatenation. */
const shortLength = 64

/** A string as JSON text. */
export const quote = (text: string): string =>
  text.length <= shortLength && !escapedPattern.test(text) ? `"${text}"` : JSON.stringify(text)

/** A number as JSON text: null if it is not finite. */
export const numberText = (value: number): string => Number.isFinite(value) ? String(value) : "null"

/** An object with properties to read, arrays included. */
export const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null
