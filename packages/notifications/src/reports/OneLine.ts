/** Control characters, line and paragraph separators, and the characters that turn the direction of the text after them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/**
 * The beginning of a text that takes at most `max` UTF-16 units, `…` for the rest among them; what a reader sees as one
 * character is not cut through. `sizeOf` says what a part of the text takes where it will stand, never less than it has.
 */
export const clipped = (text: string, max: number, sizeOf = (part: string) => part.length): string => {
  if (sizeOf(text) <= max) return text
  let [kept, size] = ["", 0]
  for (const { segment } of graphemes.segment(text.slice(0, max + 1))) {
    size += sizeOf(segment)
    if (size >= max) break
    kept += segment
  }
  return `${kept}…`
}

/** A text as one line of at most `max` UTF-16 units, without what cannot be printed or would turn the text around it. */
export const oneLine = (text: string, max: number): string =>
  clipped(text.replace(unprintable, " ").replace(/\s+/g, " ").trim(), max)
