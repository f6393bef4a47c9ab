/** Control characters, line and paragraph separators, and the characters that turn the direction of the text after them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/**
 * The beginning of a text that takes at most `max` UTF-16 units, `…` for the rest among them; what a reader sees as one
 * character is not cut through.
 */
export const clipped = (text: string, max: number): string => {
  if (text.length <= max) return text
  let kept = ""
  for (const { segment } of graphemes.segment(text.slice(0, max + 1))) {
    if (kept.length + segment.length >= max) break
    kept += segment
  }
  return `${kept}…`
}

/** A text as one line of at most `max` UTF-16 units, without what cannot be printed or would turn the text around it. */
export const oneLine = (text: string, max: number): string =>
  clipped(text.replace(unprintable, " ").replace(/\s+/g, " ").trim(), max)
