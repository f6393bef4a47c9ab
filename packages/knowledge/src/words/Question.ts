import { isStopWord } from "./StopWords.js"
import { plainWords, stemOf } from "./Words.js"

/** Longest question in characters; the rest is not read. */
export const maxQuestionLength = 1_000

/** Terms of a question that are looked for; further ones are not. */
const maxTerms = 32

/** A term of a question: a word, or several that follow each other. */
export interface SearchTerm {
  /** Stems, at least one; those of a phrase in its order. */
  readonly stems: ReadonlyArray<string>
  /** True when the last stem is the beginning of a word. */
  readonly isPrefix: boolean
}

/** Quoted phrases, then everything between them. */
const parts = /["“”]([^"“”]*)["“”]|([^"“”]+)/gu

const beginning = /([\p{L}\p{M}\p{N}]{2,})\*/gu

const termKey = ({ isPrefix, stems }: SearchTerm): string => `${stems.join(" ")}${isPrefix ? "*" : ""}`

const wordTerms = (text: string): ReadonlyArray<SearchTerm & { readonly isEmpty: boolean }> => {
  const prefixes = Array.from(text.matchAll(beginning), ([, word = ""]) => ({
    stems: plainWords(word).slice(-1),
    isPrefix: true,
    isEmpty: false
  }))
  const words = plainWords(text.replaceAll(beginning, " "))
  return [
    ...prefixes.filter(({ stems }) => stems.length > 0),
    ...words.map((word) => ({ stems: [stemOf(word)], isPrefix: false, isEmpty: isStopWord(word) }))
  ]
}

/**
 * The terms of a question, in the order in which they first occur. Words that tell nothing are left out, unless the question
 * has no other. `"in quotes"` is a phrase, and `refund*` is the beginning of a word. All other signs only separate words, so a
 * question can never be read as a query in the language of an index.
 */
export const termsOf = (question: string): ReadonlyArray<SearchTerm> => {
  const read = Array.from(question.slice(0, maxQuestionLength).matchAll(parts)).flatMap(([, phrase, text]) => {
    if (text !== undefined) return wordTerms(text)
    const stems = plainWords(phrase ?? "").map(stemOf)
    return stems.length > 1
      ? [{ stems, isPrefix: false, isEmpty: false }]
      : wordTerms(phrase ?? "")
  })
  const telling = read.filter(({ isEmpty }) => !isEmpty)
  const terms = new Map(
    (telling.length > 0 ? telling : read).map((
      { isPrefix, stems }
    ) => [termKey({ isPrefix, stems }), { isPrefix, stems }])
  )
  return [...terms.values()].slice(0, maxTerms)
}
