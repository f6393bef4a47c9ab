/** Something in a text that could be a value. */
export interface Item {
  readonly value: unknown
  /** Where it stands, in UTF-16 units; the end is behind it. */
  readonly start: number
  readonly end: number
}

/** Whether two stand on common ground. */
export const overlaps = (a: Item, b: Item): boolean => a.start < b.end && b.start < a.end

/** All that a pattern finds in a text, as values; what has none is left out. */
export const found = (
  text: string,
  pattern: RegExp,
  valueOf: (match: RegExpMatchArray) => unknown
): ReadonlyArray<Item> =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const value = valueOf(match)
    return value === undefined ? [] : [{ value, start: match.index, end: match.index + match[0].length }]
  })
