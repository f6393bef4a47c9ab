import { anyOf, INNER_STOP, matchAt, perLanguage, type Reader, WORD_END } from "./Place.js"

const patterns = perLanguage(({ abbreviations }) => {
  const forms = Object.keys(abbreviations)
  const withStop = forms.filter((form) => form.endsWith("."))
  return [
    anyOf(withStop),
    anyOf(forms.filter((form) => !withStop.includes(form)), `${WORD_END}${INNER_STOP}`)
  ]
})

const numbered = /no\. ?(?=\d)/iy

/** Reads short forms such as "Dr.", and "No." before a number. */
export const abbreviation: Reader = ({ at, language, text }) => {
  const number = matchAt(numbered, text, at)
  if (number !== null) return { words: language.signs.number, end: at + number[0].length }
  for (const pattern of patterns(language)) {
    const found = matchAt(pattern, text, at)
    const words = language.abbreviations[found?.[1] ?? ""]
    if (found !== null && words !== undefined) return { words, end: at + found[0].length }
  }
  return undefined
}
