/** Abbreviations in lower case that never end a sentence, such as titles. */
const titles: ReadonlySet<string> = new Set([
  ..."dr mr mrs ms prof rs no vs st jr sr smt shri e.g i.e approx dept capt col gen".split(" "),
  ..."डॉ रु रू नं श्री श्रीमती कु क्र ডা ড নং ડૉ ડો રૂ નં ਡਾ ਰੁ ਨੰ ଡା ଡ ନଂ ரூ திரு திருமதி டாக்".split(" "),
  ..."డా రూ శ్రీ ಡಾ ರೂ ಶ್ರೀ ನಂ ഡോ രൂ ശ്രീ".split(" ")
])

/** Abbreviations that end a sentence unless a lower-case letter or a figure follows. */
const shortForms: ReadonlySet<string> = new Set(
  "etc a.m p.m ltd pvt inc co kg km cm mm ft hr hrs min mins sec".split(" ")
)

/** Characters that extend the grapheme before them. A text is never cut before one of these. */
export const ATTACHED = "[\\p{Gr_Ext}\\p{Mc}\\p{EMod}\\u200d\\u0e33\\u0eb3]"

/** Runs of marks that end a sentence, with the closing marks after them. */
const ends = new RegExp(`[।॥?!.…]+[)\\]}"'”’»]*(?!${ATTACHED})|\\n+`, "gu")

/** Characters searched for an abbreviation before a full stop. */
export const REACH = 24

const lastWord = /[^\s([{"'“‘]+$/u

/** True for the full stop of an abbreviation, an initial or a list number, given the text around it. */
const isAbbreviationStop = (before: string, next: string): boolean => {
  const word = lastWord.exec(before.slice(-REACH))?.[0] ?? ""
  if (next === "") return false
  if (titles.has(word.toLowerCase())) return true
  if (shortForms.has(word.toLowerCase()) || /^\p{Lu}(?:\.\p{Lu})+$/u.test(word)) {
    return /[\p{Ll}\p{Lo}\p{Nd}]/u.test(next)
  }
  const isInitial = /^(?:[A-HJ-Z]|\p{Lo}\p{M}{0,2})$/u.test(word)
  return isInitial || /^\s*\(?\p{Nd}{1,3}$/u.test(before)
}

/** True when marks that could end a sentence stand inside one, given the sentence before them and the text after them. */
const isInsideSentence = (before: string, marks: string, after: string): boolean => {
  if (/[\n।॥]/u.test(marks)) return false
  const follows = after.slice(0, 1)
  if (/[?!]/.test(marks)) return /[A-Za-z0-9=&/#%_]/.test(follows)
  if (follows !== "" && !/\s/u.test(follows)) return true
  const next = after.trimStart().slice(0, 1)
  return marks.startsWith(".") && !marks.startsWith("..") ? isAbbreviationStop(before, next) : /\p{Ll}/u.test(next)
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
