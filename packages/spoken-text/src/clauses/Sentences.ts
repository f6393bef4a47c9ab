/** Forms with a full stop that no sentence ends with, such as titles. In lower case. */
const titles: ReadonlySet<string> = new Set([
  ..."dr mr mrs ms prof rs no vs st jr sr smt shri e.g i.e approx dept capt col gen".split(" "),
  ..."डॉ रु रू नं श्री श्रीमती कु क्र ডা ড নং ડૉ ડો રૂ નં ਡਾ ਰੁ ਨੰ ଡା ଡ ନଂ ரூ திரு திருமதி டாக்".split(" "),
  ..."డా రూ శ్రీ ಡಾ ರೂ ಶ್ರೀ ನಂ ഡോ രൂ ശ്രീ".split(" ")
])

/** Short forms that a sentence can end with: it does where no small letter and no figure follows. */
const shortForms: ReadonlySet<string> = new Set(
  "etc a.m p.m ltd pvt inc co kg km cm mm ft hr hrs min mins sec".split(" ")
)

/** What belongs to the character before it, as readers see characters. A text is never cut before one of these. */
export const ATTACHED = "[\\p{Gr_Ext}\\p{Mc}\\p{EMod}\\u200d\\u0e33\\u0eb3]"

/** Marks that end a sentence, as many as stand together, with closing marks behind them. */
const ends = new RegExp(`[।॥?!.…]+[)\\]}"'”’»]*(?!${ATTACHED})|\\n+`, "gu")

/** How far before a full stop a short form may begin. */
const REACH = 24

const lastWord = /[^\s([{"'“‘]+$/u

/** Whether a full stop is that of a short form, an initial or a number in a list, given the text around it. */
const isOfWord = (before: string, next: string): boolean => {
  const word = lastWord.exec(before.slice(-REACH))?.[0] ?? ""
  if (next === "") return false
  if (titles.has(word.toLowerCase())) return true
  if (shortForms.has(word.toLowerCase()) || /^\p{Lu}(?:\.\p{Lu})+$/u.test(word)) {
    return /[\p{Ll}\p{Lo}\p{Nd}]/u.test(next)
  }
  const isInitial = /^(?:[A-HJ-Z]|\p{Lo}\p{M}{0,2})$/u.test(word)
  return isInitial || /^\s*\(?\p{Nd}{1,3}$/u.test(before)
}

/** Whether marks that could end a sentence stand inside one: the sentence up to them, the marks, and all behind them. */
const isInside = (before: string, marks: string, after: string): boolean => {
  if (/[\n।॥]/u.test(marks)) return false
  const follows = after.slice(0, 1)
  if (/[?!]/.test(marks)) return /[A-Za-z0-9=&/#%_]/.test(follows)
  if (follows !== "" && !/\s/u.test(follows)) return true
  const next = after.trimStart().slice(0, 1)
  return marks.startsWith(".") && !marks.startsWith("..") ? isOfWord(before, next) : /\p{Ll}/u.test(next)
}

/** The places in a text where its sentences end: the end of the text is the last. */
export const sentenceEnds = (text: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  let start = 0
  for (const { 0: marks, index } of text.matchAll(ends)) {
    const end = index + marks.length
    if (end < text.length && !isInside(text.slice(start, index), marks, text.slice(end))) {
      places.push(end)
      start = end
    }
  }
  return [...places, text.length]
}
