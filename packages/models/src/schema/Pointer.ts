import { fieldOf, isObject } from "./Json.js"

const listIndex = /^(?:0|[1-9]\d{0,9})$/

const decoded = (step: string): string => {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/**
 * What a reference within a schema points at: `#`, or `#/` and a JSON pointer (RFC 6901); undefined when nothing is
 * there, or when it points elsewhere.
 */
export const pointedAt = (root: unknown, reference: string): unknown => {
  if (reference === "#") return root
  if (!reference.startsWith("#/")) return undefined
  let at: unknown = root
  for (const encoded of reference.slice(2).split("/")) {
    const step = decoded(encoded).replaceAll("~1", "/").replaceAll("~0", "~")
    if (Array.isArray(at)) at = listIndex.test(step) ? at[Number(step)] : undefined
    else at = isObject(at) ? fieldOf(at, step) : undefined
    if (at === undefined) return undefined
  }
  return at
}
