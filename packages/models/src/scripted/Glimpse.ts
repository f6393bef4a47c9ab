/** How much of a long text is looked at, in UTF-16 units. */
const most = 4_000

/** Whether a text cut here would be cut inside a character. */
const splits = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff

/** The beginning of a text: at most so many UTF-16 units, and only whole characters. */
export const head = (text: string, units: number): string =>
  text.length <= units ? text : text.slice(0, splits(text, units) ? units - 1 : units)

const tail = (text: string, units: number): string => {
  const at = text.length - units
  return text.slice(splits(text, at) ? at + 1 : at)
}

/** A text, or the beginning and the end of one that is longer than so many UTF-16 units (4,000 unless told). */
export const glimpse = (text: string, units: number = most): string =>
  text.length <= units ? text : `${head(text, units / 2)} … ${tail(text, units / 2)}`
