/** How large a schema may be: levels of objects and lists, and JSON values in all. */
export const mostOfSchema = { levels: 64, values: 20_000 } as const

/** What is known of a JSON value's size as soon as it is too large for a schema, or else in the end. */
interface Size {
  readonly levels: number
  readonly values: number
}

/** How large a JSON value is; of one that is too large for a schema only as much as was seen. */
export const sizeSeen = (json: unknown): Size => {
  const waiting: Array<readonly [value: unknown, level: number]> = [[json, 1]]
  let values = 1
  let levels = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, level] = next
    if (typeof value !== "object" || value === null) continue
    levels = Math.max(levels, level)
    const inner = Object.values(value)
    values += inner.length
    if (levels > mostOfSchema.levels || values > mostOfSchema.values) break
    for (const one of inner) waiting.push([one, level + 1])
  }
  return { levels, values }
}
