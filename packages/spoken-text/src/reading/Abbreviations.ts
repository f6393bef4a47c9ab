import { anyOf, matchAt, pastStop, perLanguage, type Reader } from "./Place.js"

const patterns = perLanguage(({ abbreviations }) => {
  const forms = Object.keys(abbreviations)
  const withStop = forms.filter((form) => form.endsWith("."))
  return [
    anyOf(withStop),
    anyOf(forms.filter((form) => !withStop.includes(form)), "(?![\\p{L}\\p{M}])")
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
    if (found === null || words === undefined) continue
    const end = at + found[0].length
    return { words, end: found[0].endsWith(".") ? end : pastStop(text, end) }
  }
  return undefined
}
