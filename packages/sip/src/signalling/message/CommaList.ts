const [tabCode, spaceCode, quoteCode, commaCode, lessCode, greaterCode, backslashCode] = [
  0x09,
  0x20,
  0x22,
  0x2c,
  0x3c,
  0x3e,
  0x5c
]

/** The offset behind a quoted string that starts at an offset; the end of the text when it is not closed. */
const skipQuoted = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslashCode) at += 1
    else if (code === quoteCode) return at + 1
  }
  return text.length
}

/** True for a space or a tab. */
export const isBlank = (code: number): boolean => code === spaceCode || code === tabCode

/** A part of a text without the spaces and tabs around it; other white space belongs to it. */
export const trimBlanks = (text: string, from = 0, to = text.length): string => {
  let [start, end] = [from, to]
  while (start < end && isBlank(text.charCodeAt(start))) start += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/**
 * Splits the value of a header field at its commas, except those within quotes or angle brackets (RFC 3261, section
 * 7.3.1). Empty elements are left out; a value with nothing but them is one empty value, which says "none".
 */
export const splitCommas = (text: string): ReadonlyArray<string> => {
  if (!text.includes(",")) return [text]
  const values: Array<string> = []
  let start = 0
  let isInBrackets = false
  const add = (end: number) => {
    const value = trimBlanks(text, start, end)
    if (value !== "") values.push(value)
    start = end + 1
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quoteCode && !isInBrackets) at = skipQuoted(text, at) - 1
    else if (code === lessCode) isInBrackets = true
    else if (code === greaterCode) isInBrackets = false
    else if (code === commaCode && !isInBrackets) add(at)
  }
  add(text.length)
  return values.length === 0 ? [""] : values
}
