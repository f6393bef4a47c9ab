import { isAbbreviationStop } from "./Abbreviations.js"

/** Characters that extend the grapheme before them. A text is never cut before one of these. */
export const attachedMarks = "[\\p{Gr_Ext}\\p{Mc}\\p{EMod}\\u200d\\u0e33\\u0eb3]"

/** Runs of marks that end a sentence, with the closing marks after them. */
const ends = new RegExp(`[।॥?!.…]+[)\\]}"'”’»]*(?!${attachedMarks})|\\n+`, "gu")

/** True when marks that could end a sentence stand inside one, given the sentence before them and the text after them. */
const isInsideSentence = (before: string, marks: string, after: string): boolean => {
  if (/[\n।॥]/u.test(marks)) return false
  const follows = after.slice(0, 1)
  if (/[?!]/.test(marks)) return /[A-Za-z0-9=&/#%_]/.test(follows)
  if (follows !== "" && !/\s/u.test(follows)) return true
  return marks.startsWith(".") && !marks.startsWith("..")
    ? isAbbreviationStop(before, after)
    : /\p{Ll}/u.test(after.trimStart().slice(0, 1))
}

/** Indices from `from` on at which sentences end; the last is the end of the text, which begins with a sentence. */
export const sentenceEnds = (text: string, from = 0): ReadonlyArray<number> => {
  const places: Array<number> = []
  let start = 0
  for (const { 0: marks, index: place } of text.slice(from).matchAll(ends)) {
    const index = from + place
    const end = index + marks.length
    if (end < text.length && !isInsideSentence(text.slice(start, index), marks, text.slice(end))) {
      places.push(end)
      start = end
    }
  }
  return [...places, text.length]
}
