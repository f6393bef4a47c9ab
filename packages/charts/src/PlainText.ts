/** What XML cannot hold, and what turns the direction of the text around it: neither has a place in a chart. */
const unfit = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu

const gaps = /\s+/gu

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** How many characters, as readers count them, a text of a chart keeps. */
export const MAX_TEXT = 200

/** At most so many characters, as readers count them; the last is an ellipsis when there were more. */
export const shorten = (text: string, length: number): string => {
  if (text.length <= length) return text
  const kept: Array<string> = []
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length === length) return `${kept.slice(0, -1).join("").trimEnd()}…`
    kept.push(segment)
  }
  return text
}

/**
 * A text on one line as a chart shows it: without control characters, halves of characters and overrides of direction,
 * and no longer than `MAX_TEXT`. It may hold markup: whoever writes it into a file escapes it.
 */
export const plainText = (text: string): string =>
  shorten(text.slice(0, MAX_TEXT * 50).replace(unfit, " ").replace(gaps, " ").trim(), MAX_TEXT)

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

/** A text as it stands in XML, inside an element or an attribute. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "")
