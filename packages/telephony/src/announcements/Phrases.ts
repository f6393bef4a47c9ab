/** Marks that transcribers write or leave out: nuktas, joiners and accents. Candrabindus are written as anusvaras. */
const optionalMarks = /[\u0300-\u036F\u093C\u09BC\u0A3C\u0ABC\u0B3C\u200B-\u200D\u2060\uFEFF]/gu

const candrabindu = /[\u0901\u0981\u0A01\u0A81\u0B01]/gu

/** Text as it is compared: lower case, without punctuation and optional marks, with single spaces around each word. */
export const comparable = (text: string): string => {
  const letters = text.normalize("NFD").replace(optionalMarks, "").toLowerCase()
    .replace(candrabindu, (mark) => String.fromCodePoint((mark.codePointAt(0) ?? 0) + 1))
    .replaceAll("'", "")
    .replaceAll("\u2019", "")
  return ` ${letters.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim()} `
}

/**
 * Parts of a wording that must come in this order. A part may end within a word, so that endings do not matter, unless a space
 * follows it.
 */
export const partsOf = (phrase: string): ReadonlyArray<string> =>
  phrase.split("…").map((part) => ` ${comparable(part).trim()}${part.endsWith(" ") ? " " : ""}`)

/** Letters between two parts of a wording, at most: they belong to one sentence. */
const maxGap = 60

/** True when the parts of a phrase come in a comparable text, one after the other. */
export const containsPhrase = (text: string, parts: ReadonlyArray<string>): boolean => {
  const [first = "", ...others] = parts
  for (let from = text.indexOf(first); from >= 0; from = text.indexOf(first, from + 1)) {
    let at = from + first.length
    const holds = others.every((part) => {
      const next = text.slice(at, at + maxGap + part.length).indexOf(part)
      at += next + part.length
      return next >= 0
    })
    if (holds) return true
  }
  return false
}
